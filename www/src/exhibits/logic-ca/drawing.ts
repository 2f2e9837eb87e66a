/** A pattern that a person draws, to be learned. */
import type { Board } from './draw/board'

/** Cells are colors, red + 2·green + 4·blue; of a pattern of one channel, 0 and 1. */
export interface Drawing {
  width: number
  height: number
  /** 1, or 3 for red, green and blue. */
  channels: 1 | 3
  cells: Uint8Array
}

export function blank(width: number, height: number, channels: 1 | 3): Drawing {
  return { width, height, channels, cells: new Uint8Array(width * height) }
}

/** The same again and again over a board. */
export function repeated(tile: Drawing, width: number, height: number): Drawing {
  const made = blank(width, height, tile.channels)
  for (let i = 0; i < made.cells.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    made.cells[i] = tile.cells[(y % tile.height) * tile.width + (x % tile.width)]!
  }
  return made
}

/** The pattern as a board to draw. */
export function board(drawing: Drawing): Board {
  const { width, height, channels, cells } = drawing
  const data = new Uint8Array(cells.length * channels)
  for (let i = 0; i < cells.length; i++) {
    for (let c = 0; c < channels; c++) data[i * channels + c] = (cells[i]! >> c) & 1 ? 255 : 0
  }
  return { width, height, channels, data }
}

/** The same in the middle of boards of another size; what does not fit is cut off. */
export function placed(drawing: Drawing, width: number, height: number, channels: 1 | 3): Drawing {
  const made = blank(width, height, channels)
  const left = Math.trunc((width - drawing.width) / 2)
  const top = Math.trunc((height - drawing.height) / 2)
  for (let y = 0; y < drawing.height; y++) {
    for (let x = 0; x < drawing.width; x++) {
      const [to, line] = [x + left, y + top]
      if (to < 0 || line < 0 || to >= width || line >= height) continue
      const cell = drawing.cells[y * drawing.width + x]!
      made.cells[line * width + to] = recolored(cell, drawing.channels, channels)
    }
  }
  return made
}

/** Any color is on, and what is on is white. */
function recolored(cell: number, from: 1 | 3, to: 1 | 3): number {
  if (from === to) return cell
  return cell === 0 ? 0 : to === 3 ? 7 : 1
}

/** Sets the cells on the way from one to the other, both included. */
export function line(
  drawing: Drawing,
  from: readonly [number, number],
  to: readonly [number, number],
  color: number,
): Drawing {
  const cells = drawing.cells.slice()
  const steps = Math.max(1, Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1]))
  for (let i = 0; i <= steps; i++) {
    const x = Math.round(from[0] + ((to[0] - from[0]) * i) / steps)
    const y = Math.round(from[1] + ((to[1] - from[1]) * i) / steps)
    if (x >= 0 && y >= 0 && x < drawing.width && y < drawing.height) cells[y * drawing.width + x] = color
  }
  return { ...drawing, cells }
}

/** The bits in the order in which the lab takes them: channel by channel, row by row. */
export function bits({ channels, cells }: Drawing): number[] {
  return Array.from({ length: channels }, (_, c) => Array.from(cells, (cell) => (cell >> c) & 1)).flat()
}

/** As a config and a link hold it: `16x16x3:` and the bits in hexadecimal digits, the first bit in the highest place. */
export function toText(drawing: Drawing): string {
  const all = bits(drawing)
  const digit = (_: unknown, i: number) =>
    [0, 1, 2, 3].reduce((value, place) => 2 * value + (all[4 * i + place] ?? 0), 0).toString(16)
  const digits = Array.from({ length: Math.ceil(all.length / 4) }, digit).join('')
  return `${drawing.width}x${drawing.height}x${drawing.channels}:${digits}`
}

/** Reads {@link toText}; null for what is no such text. */
export function fromText(text: string): Drawing | null {
  const [, width = 0, height = 0, channels = 0, digits = ''] =
    /^(\d+)x(\d+)x([13]):([0-9a-f]*)$/.exec(text) ?? []
  const made = blank(Number(width), Number(height), Number(channels) === 1 ? 1 : 3)
  const count = made.cells.length
  if (count === 0 || digits.length !== Math.ceil((count * made.channels) / 4)) return null
  for (let i = 0; i < count * made.channels; i++) {
    if ((parseInt(digits[i >> 2]!, 16) >> (3 - (i & 3))) & 1)
      made.cells[i % count]! |= 1 << Math.floor(i / count)
  }
  return made
}
