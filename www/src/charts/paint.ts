/** Drawing of a figure on a canvas. */
import { areaOpacity, figureFont, type Colors, type Figure, type Mark, type Pixels } from './figure'

const alignments = { start: 'left', middle: 'center', end: 'right' } as const

/** Returns a canvas with the figure. `ratio`: device pixels per pixel of the figure. */
export function figureCanvas(figure: Figure, colors: Colors, ratio: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(figure.width * ratio)
  canvas.height = Math.round(figure.height * ratio)
  const pen = canvas.getContext('2d')!
  pen.scale(ratio, ratio)
  pen.fillStyle = colors.ground
  pen.fillRect(0, 0, figure.width, figure.height)
  for (const mark of figure.marks) paint(pen, mark, colors)
  return canvas
}

/** Returns a canvas with an image. `side`: number of pixels of the canvas per row and per column of the image. */
export function imageCanvas({ columns, rows, words }: Pixels, side = 1): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = columns * side
  canvas.height = rows * side
  const pen = canvas.getContext('2d')!
  const image = pen.createImageData(canvas.width, canvas.height)
  new Uint32Array(image.data.buffer).forEach((_, i, made) => {
    const [x, y] = [i % canvas.width, Math.floor(i / canvas.width)]
    made[i] = words[Math.floor(y / side) * columns + Math.floor(x / side)]!
  })
  pen.putImageData(image, 0, 0)
  return canvas
}

function paint(pen: CanvasRenderingContext2D, mark: Mark, colors: Colors): void {
  if (mark.kind === 'image') {
    pen.imageSmoothingEnabled = false
    pen.drawImage(imageCanvas(mark.pixels), ...mark.at, mark.width, mark.height)
    return
  }
  if (mark.kind === 'ground') {
    pen.fillStyle = colors.ground
    pen.fillRect(...mark.at, mark.width, mark.height)
    return
  }
  pen.save()
  pen.fillStyle = pen.strokeStyle = colors[mark.tone]
  if (mark.kind === 'line') {
    pen.lineWidth = mark.width
    pen.lineJoin = 'round'
    pen.setLineDash([...(mark.dash ?? [])])
    pen.beginPath()
    for (const [x, y] of mark.points) pen.lineTo(x, y)
    pen.stroke()
  } else if (mark.kind === 'area') {
    pen.globalAlpha = areaOpacity
    pen.beginPath()
    for (const [x, y] of mark.points) pen.lineTo(x, y)
    pen.fill()
  } else if (mark.kind === 'dot') {
    pen.beginPath()
    pen.arc(...mark.at, mark.radius, 0, 2 * Math.PI)
    pen.fill()
  } else {
    pen.font = `${mark.bold ? 600 : 400} ${mark.size}px ${figureFont}`
    pen.textAlign = alignments[mark.align]
    pen.translate(...mark.at)
    if (mark.upward) pen.rotate(-Math.PI / 2)
    pen.fillText(mark.text, 0, 0)
  }
  pen.restore()
}
