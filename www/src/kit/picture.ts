/** Pictures of live views. */

/**
 * Returns the visible canvases of a box as one canvas at their resolution, on the background `ground`, a CSS color; null
 * if there are none.
 */
export function pictureOf(box: HTMLElement, ground: string): HTMLCanvasElement | null {
  const frame = box.getBoundingClientRect()
  const layers = [...box.querySelectorAll('canvas')]
    .map((canvas) => ({ canvas, place: canvas.getBoundingClientRect() }))
    .filter(({ canvas, place }) => place.width > 0 && place.height > 0 && canvas.width > 0)
  if (layers.length === 0 || frame.width === 0) return null
  const ratio = Math.max(...layers.map(({ canvas, place }) => canvas.width / place.width))
  const made = document.createElement('canvas')
  made.width = Math.round(frame.width * ratio)
  made.height = Math.round(frame.height * ratio)
  const pen = made.getContext('2d')!
  pen.fillStyle = ground
  pen.fillRect(0, 0, made.width, made.height)
  for (const { canvas, place } of layers)
    pen.drawImage(
      canvas,
      (place.left - frame.left) * ratio,
      (place.top - frame.top) * ratio,
      place.width * ratio,
      place.height * ratio,
    )
  return made
}
