/** Pictures of live views. */
import { tick } from 'svelte'
import { setLeastRatio } from './least-ratio.svelte'

interface Layer {
  canvas: HTMLCanvasElement
  place: DOMRect
}

/** Returns the visible canvases of a box. */
const layersOf = (box: HTMLElement): Layer[] =>
  [...box.querySelectorAll('canvas')]
    .map((canvas) => ({ canvas, place: canvas.getBoundingClientRect() }))
    .filter(({ canvas, place }) => place.width > 0 && place.height > 0 && canvas.width > 0)

/** Returns whether a canvas has one pixel per cell, with sharp edges at each size. */
const isPixelated = (canvas: HTMLCanvasElement) => getComputedStyle(canvas).imageRendering === 'pixelated'

/** Time after which a picture is taken of a view that is not yet drawn at another resolution, in milliseconds. */
const patience = 500

/** Calls `take` when the canvases of a box are drawn with at least `ratio` device pixels per CSS pixel. Returns its result. */
export async function atRatio<T>(box: HTMLElement, ratio: number, take: () => T): Promise<T> {
  const isSharp = ({ canvas, place }: Layer) =>
    // Sizes of canvases are whole numbers.
    canvas.width > ratio * (place.width - 1) || isPixelated(canvas)
  setLeastRatio(ratio)
  try {
    // Views request their next frame before this function does.
    await tick()
    const start = performance.now()
    do await new Promise(requestAnimationFrame)
    while (!layersOf(box).every(isSharp) && performance.now() - start < patience)
    return take()
  } finally {
    setLeastRatio(0)
  }
}

/**
 * Returns an empty canvas with the size of a box, at the resolution of its canvases, but with at least `least` device pixels per
 * CSS pixel; null if none is visible.
 */
export function canvasFor(box: HTMLElement, least = 0): HTMLCanvasElement | null {
  const frame = box.getBoundingClientRect()
  const layers = layersOf(box)
  if (layers.length === 0 || frame.width === 0) return null
  const ratio = Math.max(least, ...layers.map(({ canvas, place }) => canvas.width / place.width))
  const made = document.createElement('canvas')
  made.width = Math.round(frame.width * ratio)
  made.height = Math.round(frame.height * ratio)
  return made
}

/**
 * Draws the visible canvases of a box onto another canvas, as large as fits, on the background `ground`, a CSS color.
 * Returns false if none is visible.
 */
export function paintPicture(box: HTMLElement, ground: string, made: HTMLCanvasElement): boolean {
  const frame = box.getBoundingClientRect()
  const layers = layersOf(box)
  if (layers.length === 0 || frame.width === 0) return false
  const { width, height } = made
  const ratio = Math.min(width / frame.width, height / frame.height)
  const [left, top] = [(width - frame.width * ratio) / 2, (height - frame.height * ratio) / 2]
  const pen = made.getContext('2d')!
  pen.fillStyle = ground
  pen.fillRect(0, 0, width, height)
  for (const { canvas, place } of layers) {
    pen.imageSmoothingEnabled = !isPixelated(canvas)
    pen.drawImage(
      canvas,
      left + (place.left - frame.left) * ratio,
      top + (place.top - frame.top) * ratio,
      place.width * ratio,
      place.height * ratio,
    )
  }
  return true
}

/**
 * Returns a picture with a line of text below it. `ratio`: pixels of the canvas per CSS pixel; `ground` and `ink`: colors of the
 * line, and `font` its font family.
 */
export function captioned(
  picture: HTMLCanvasElement,
  caption: string,
  { ratio, ground, ink, font }: { ratio: number; ground: string; ink: string; font: string },
): HTMLCanvasElement {
  const made = document.createElement('canvas')
  made.width = picture.width
  made.height = picture.height + Math.round(28 * ratio)
  const pen = made.getContext('2d')!
  pen.fillStyle = ground
  pen.fillRect(0, 0, made.width, made.height)
  pen.drawImage(picture, 0, 0)
  pen.fillStyle = ink
  pen.font = `${12 * ratio}px ${font}`
  pen.fillText(caption, 12 * ratio, picture.height + 18 * ratio, made.width - 24 * ratio)
  return made
}
