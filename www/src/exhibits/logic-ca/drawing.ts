/** Target patterns drawn by the user. */
import type { Board } from './draw/board'

/** A drawn pattern. A cell is a color, red + 2·green + 4·blue, or a bit if there is one channel. */
export interface Drawing {
  width: number
  height: number
  /** Number of channels: 1, or 3 for red, green and blue. */
  channels: 1 | 3
  cells: Uint8Array
}

export function blank(width: number, height: number, channels: 1 | 3): Drawing {
  return { width, height, channels, cells: new Uint8Array(width * height) }
}

/** Returns a drawing of the given size that is tiled with a pattern. */
export function repeated(tile: Drawing, width: number, height: number): Drawing {
  const made = blank(width, height, tile.channels)
  for (let i = 0; i < made.cells.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    made.cells[i] = tile.cells[(y % tile.height) * tile.width + (x % tile.width)]!
  }
  return made
}

/** Converts a drawing to a board for display. */
export function board(drawing: Drawing): Board {
  const { width, height, channels, cells } = drawing
  const data = new Uint8Array(cells.length * channels)
  for (let i = 0; i < cells.length; i++) {
    for (let c = 0; c < channels; c++) data[i * channels + c] = (cells[i]! >> c) & 1 ? 255 : 0
  }
  return { width, height, channels, data }
}

/** Returns a drawing of another size with the pattern in its middle, clipped if necessary. */
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

/** Converts a cell between one and three channels: any color becomes 1, and 1 becomes white. */
function recolored(cell: number, from: 1 | 3, to: 1 | 3): number {
  if (from === to) return cell
  return cell === 0 ? 0 : to === 3 ? 7 : 1
}

/** Returns a copy of a drawing with a line in the given color between two cells, which it includes. */
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

/** Returns the bits of a drawing in the order of the command `set_target`: `[channel][row][column]`. */
export function bits({ channels, cells }: Drawing): number[] {
  return Array.from({ length: channels }, (_, c) => Array.from(cells, (cell) => (cell >> c) & 1)).flat()
}

/**
 * Returns a drawing in the text format of configs and links: `16x16x3:`, followed by the bits in hexadecimal digits,
 * most significant bit first.
 */
export function toText(drawing: Drawing): string {
  const all = bits(drawing)
  const digit = (_: unknown, i: number) =>
    [0, 1, 2, 3].reduce((value, place) => 2 * value + (all[4 * i + place] ?? 0), 0).toString(16)
  const digits = Array.from({ length: Math.ceil(all.length / 4) }, digit).join('')
  return `${drawing.width}x${drawing.height}x${drawing.channels}:${digits}`
}

/** Parses the output of {@link toText}; null for invalid text. */
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
