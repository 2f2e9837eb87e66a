/**
 * Drawing of a board. With enough space a cell is a glowing tile, which is smaller if its value is far from 0 and 1;
 * otherwise it is a pixel.
 */
import { centered, fit as fitExactly, type Camera, type Size } from '../../../kit/camera'
import type { Spot } from '../../../kit/pointers'
import { canvasFont } from '../../../lib/canvas-theme'
import type { Theme } from '../../../lib/color'
import { color, cssOf, word, type Palette } from './palette'

/** Board of a frame: row-major, `channels` bytes (1 or 3) per cell, 0 to 255. */
export interface Board {
  width: number
  height: number
  channels: number
  data: Uint8Array
}

/** Returns the position of a board that is centered in a box and as large as possible, in device pixels. */
export function fit(board: Size, box: Size): Camera {
  const { scale } = fitExactly(board, box)
  // The cell side is a whole number of pixels, except for cells below three pixels.
  return centered(scale >= 3 ? Math.floor(scale) : scale, board, box)
}

/** Returns the position on the board, in cells from its upper left corner, under a point of the canvas. */
export function cellAt(place: Camera, at: Spot): { column: number; row: number } {
  return { column: (at.x - place.x) / place.scale, row: (at.y - place.y) / place.scale }
}

/** First step from which each cell of a board is final, `[row · width + column]`, and the displayed step. */
export interface Finals {
  steps: readonly number[]
  step: number
  /** Cells that are connected by lines once both are final, in this order. */
  way?: readonly number[]
}

/** Minimum side of a cell that has room for a number, in CSS pixels. */
const numbered = 15

/** Makes the cells of a drawn board pale until they are final, and then writes the step from which they are into them. */
export function drawFinals(
  pen: CanvasRenderingContext2D,
  { steps, step, way = [] }: Finals,
  { width, channels, data }: Board,
  { x, y, scale }: Camera,
  ink: string,
  ratio: number,
): void {
  pen.save()
  pen.font = canvasFont(0.4 * scale)
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillStyle = ink
  for (const [cell, final] of steps.entries()) {
    const [left, top] = [x + (cell % width) * scale, y + Math.floor(cell / width) * scale]
    const isFilled = data.subarray(cell * channels, (cell + 1) * channels).some((value) => value > 127)
    const isPale = final > step
    // The numbers of filled cells are cut out of them.
    pen.globalCompositeOperation = isPale || isFilled ? 'destination-out' : 'source-over'
    pen.globalAlpha = isPale ? 0.75 : isFilled ? 1 : 0.7
    if (isPale) pen.fillRect(left, top, scale, scale)
    else if (scale >= numbered * ratio) pen.fillText(String(final), left + scale / 2, top + scale / 2)
  }
  pen.globalCompositeOperation = 'source-over'
  pen.globalAlpha = 1
  pen.strokeStyle = ink
  pen.lineWidth = 2 * ratio
  pen.beginPath()
  for (const [i, cell] of way.slice(1).entries()) {
    const from = way[i]!
    const [dx, dy] = [(cell % width) - (from % width), Math.floor(cell / width) - Math.floor(from / width)]
    // No line leads to the same cell, or across the border.
    if (steps[cell]! > step || Math.max(Math.abs(dx), Math.abs(dy)) !== 1) continue
    const [startX, startY] = [
      x + ((from % width) + 0.5) * scale,
      y + (Math.floor(from / width) + 0.5) * scale,
    ]
    // Leaves the numbers uncovered.
    for (const part of [0.3, 0.7])
      pen[part < 0.5 ? 'moveTo' : 'lineTo'](startX + part * dx * scale, startY + part * dy * scale)
  }
  pen.stroke()
  pen.restore()
}

/** Minimum tile size in pixels; smaller cells are drawn as plain pixels. */
const smallestTile = 6
/** Maximum number of tiles; more cells are drawn as plain pixels. */
const mostTiles = 6000
/** Maximum number of tiles with round corners. */
const mostRound = 1600

export class BoardPainter {
  private picture: HTMLCanvasElement | null = null
  private image: ImageData | null = null
  /** Board data and palette of the image in `picture`; an unchanged board is not colored again. */
  private painted: { data: Uint8Array; palette: Palette } | null = null
  /** Displayed values, 0 to 255, which fade to the values of the latest board. */
  private eased = new Float32Array(0)
  private bytes = new Uint8Array(0)

  /**
   * Draws `board` at `place` on a canvas. `seconds`: time since the last call; `settle`: time constant in seconds of
   * the fade to new values (0: no fade).
   */
  draw(
    context: CanvasRenderingContext2D,
    board: Board,
    palette: Palette,
    theme: Theme,
    place: Camera,
    seconds = 0,
    settle = 0,
  ): void {
    const { width, height } = context.canvas
    const first = {
      column: Math.max(0, Math.floor(-place.x / place.scale)),
      row: Math.max(0, Math.floor(-place.y / place.scale)),
    }
    const last = {
      column: Math.min(board.width, Math.ceil((width - place.x) / place.scale)),
      row: Math.min(board.height, Math.ceil((height - place.y) / place.scale)),
    }
    const [columns, rows] = [last.column - first.column, last.row - first.row]
    if (columns <= 0 || rows <= 0) return
    const tiles = place.scale >= smallestTile && columns * rows <= mostTiles
    const data = tiles && settle > 0 ? this.ease(board, 1 - Math.exp(-seconds / settle)) : board.data
    const picture = this.paint({ ...board, data }, palette)
    const words = new Uint32Array(this.image!.data.buffer)
    if (!tiles) {
      context.imageSmoothingEnabled = place.scale < 1
      context.drawImage(picture, place.x, place.y, place.scale * board.width, place.scale * board.height)
      return
    }
    if (board.channels === 3) {
      context.fillStyle = cssOf(word(palette.ground))
      context.fillRect(place.x, place.y, place.scale * board.width, place.scale * board.height)
    }
    if (theme === 'dark' || board.channels === 3) {
      // Glow in the gaps between tiles.
      context.imageSmoothingEnabled = true
      context.globalAlpha = 0.42
      context.drawImage(picture, place.x, place.y, place.scale * board.width, place.scale * board.height)
      context.globalAlpha = 1
    }
    const gap = Math.max(1, place.scale * 0.055)
    const round = columns * rows <= mostRound && place.scale >= 10
    for (let row = first.row; row < last.row; row++) {
      for (let column = first.column; column < last.column; column++) {
        const cell = row * board.width + column
        const size = (place.scale - gap) * (0.5 + 0.5 * confidence(data, cell, board.channels))
        const inset = (place.scale - size) / 2
        const x = place.x + column * place.scale + inset
        const y = place.y + row * place.scale + inset
        context.fillStyle = cssOf(words[cell]!)
        if (round) {
          context.beginPath()
          context.roundRect(x, y, size, size, size * 0.14 + (place.scale - gap - size) * 0.5)
          context.fill()
        } else context.fillRect(x, y, size, size)
      }
    }
  }

  /** Returns the image of the board, one pixel per cell. */
  private paint(board: Board, palette: Palette): HTMLCanvasElement {
    const picture = (this.picture ??= document.createElement('canvas'))
    if (this.painted?.data === board.data && this.painted.palette === palette) return picture
    // Fading values change in place, so they cannot be compared by reference.
    this.painted = board.data === this.bytes ? null : { data: board.data, palette }
    if (!this.image || picture.width !== board.width || picture.height !== board.height) {
      picture.width = board.width
      picture.height = board.height
      this.image = new ImageData(board.width, board.height)
    }
    color(board.data, board.channels, palette, new Uint32Array(this.image.data.buffer))
    picture.getContext('2d')!.putImageData(this.image, 0, 0)
    return picture
  }

  private ease({ data }: Board, share: number): Uint8Array {
    if (this.eased.length !== data.length) {
      this.eased = Float32Array.from(data)
      this.bytes = new Uint8Array(data)
      return this.bytes
    }
    for (let i = 0; i < data.length; i++) {
      this.eased[i]! += share * (data[i]! - this.eased[i]!)
      this.bytes[i] = Math.round(this.eased[i]!)
    }
    return this.bytes
  }
}

/** Returns the distance of a cell's value from 0.5, scaled to 0–1 (minimum over the channels). */
function confidence(data: Uint8Array, cell: number, channels: number): number {
  let least = 1
  for (let c = 0; c < channels; c++) {
    least = Math.min(least, Math.abs(data[cell * channels + c]! / 127.5 - 1))
  }
  return least
}
