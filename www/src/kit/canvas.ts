/** Canvases with the resolution of the device. */

import { leastRatio } from './least-ratio.svelte'

/** A 2D context, its size in CSS pixels, and the device pixels per CSS pixel. */
export type Surface = { pen: CanvasRenderingContext2D; width: number; height: number; ratio: number }

/** Returns the number of device pixels per CSS pixel, at most 2. Reactive: a picture for print raises it. */
export const pixelRatio = (): number => Math.max(leastRatio(), Math.min(2, globalThis.devicePixelRatio ?? 1))

/** Resizes a canvas to a box in CSS pixels, which clears the canvas. Returns the pixel ratio. */
export function sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): number {
  const ratio = pixelRatio()
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  return ratio
}

/** Maximum time step of a frame, seconds: applies after a pause such as a hidden tab. */
const longestFrame = 0.1

/** Calls `draw` at display rate with the time in ms and the seconds since the last call. Returns a function that stops it. */
export function everyFrame(draw: (now: number, seconds: number) => void): () => void {
  let last = performance.now()
  let request = requestAnimationFrame(function frame(now) {
    request = requestAnimationFrame(frame)
    const seconds = Math.min(longestFrame, Math.max(0, (now - last) / 1000))
    last = now
    draw(now, seconds)
  })
  return () => cancelAnimationFrame(request)
}
