/** Canvases with as many pixels as the display has. */

/** A canvas to draw on: its box in CSS pixels, and the device pixels along one of these. */
export type Surface = { pen: CanvasRenderingContext2D; width: number; height: number; ratio: number }

/** Device pixels along a CSS pixel; more than two cost time and are not seen. */
export const pixelRatio = (): number => Math.min(2, globalThis.devicePixelRatio ?? 1)

/** Gives a canvas the device pixels of a box of CSS pixels, which clears it; returns the ratio of the two. */
export function sizeCanvas(canvas: HTMLCanvasElement, width: number, height: number): number {
  const ratio = pixelRatio()
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  return ratio
}

/** After a pause of the display, such as a hidden tab, no more than this passes at once, in seconds. */
const longestFrame = 0.1

/** Calls `draw` at display rate, with the time in milliseconds and the seconds since the last call; returns how to end that. */
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
