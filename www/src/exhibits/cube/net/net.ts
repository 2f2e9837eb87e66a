/** Layout and editing of an unfolded cube. */
import { faces, isFace, type Face, type Size } from '../model/turns'
import { colors } from '../scene/colors'
import { isPossible } from './possible'

/** Column and row of each face, in units of faces. */
export const unfolded: Readonly<Record<Face, readonly [column: number, row: number]>> = {
  U: [1, 0],
  L: [0, 1],
  F: [1, 1],
  R: [2, 1],
  B: [3, 1],
  D: [1, 2],
}

export interface Cell {
  /** Index of the sticker in the order of the protocol. */
  sticker: number
  face: Face
  /** Column of the sticker in the net, from the left, in units of stickers. */
  column: number
  row: number
  center: boolean
}

export function cells(size: Size): Cell[] {
  return faces.flatMap((face, number) =>
    Array.from({ length: size * size }, (_, i) => {
      const [across, down] = unfolded[face]
      const [row, column] = [Math.floor(i / size), i % size]
      return {
        sticker: number * size * size + i,
        face,
        column: across * size + column,
        row: down * size + row,
        center: size === 3 && row === 1 && column === 1,
      }
    }),
  )
}

/** Returns stickers without colors; the centers of the 3×3×3 cube are set. */
export function blank(size: Size): string {
  return faces.map((face) => (size === 3 ? `----${face}----` : '----')).join('')
}

export function painted(stickers: string, at: number, color: Face): string {
  return stickers.slice(0, at) + color + stickers.slice(at + 1)
}

/** Returns the number of stickers of each color, and the required number. */
export function counts(stickers: string): { color: Face; count: number; needed: number }[] {
  return faces.map((color) => ({
    color,
    count: [...stickers].filter((letter) => letter === color).length,
    needed: stickers.length / 6,
  }))
}

/** Returns the number of stickers without a color. */
export function missing(stickers: string): number {
  return [...stickers].filter((letter) => !isFace(letter)).length
}

/** Returns whether each color has the required number of stickers. */
export const isComplete = (stickers: string): boolean =>
  counts(stickers).every(({ count, needed }) => count === needed)

/** Returns the numbers of stickers that are missing or too many of each color, and what remains to do, as sentences. */
export function remaining(stickers: string): string {
  const all = counts(stickers)
  const listed = (label: string, number: (of: (typeof all)[number]) => number) => {
    const some = all.filter((of) => number(of) > 0).map((of) => `${number(of)} ${colors[of.color].name}`)
    return some.length > 0 ? [`${label}: ${some.join(', ')}.`] : []
  }
  const excess = all.reduce((sum, { count, needed }) => sum + Math.max(0, count - needed), 0)
  const left = missing(stickers)
  const tasks = [...(excess > 0 ? [`repaint ${excess}`] : []), ...(left > 0 ? [`paint ${left}`] : [])]
  if (tasks.length === 0) {
    const task = isPossible(stickers) ? 'use this cube' : 'correct the stickers'
    return `Each color has ${stickers.length / 6} stickers. To do: ${task}.`
  }
  return [
    ...listed('Too many', ({ count, needed }) => count - needed),
    ...listed('Missing', ({ count, needed }) => needed - count),
    `To do: ${tasks.join(', ')}.`,
  ].join(' ')
}

/** Returns the color of a key: the initial of its name. */
export function colorOfKey(key: string): Face | null {
  const place = 'WRGYOB'.indexOf(key.toUpperCase())
  return key.length === 1 && place >= 0 ? faces[place]! : null
}

/** Returns the neighboring sticker in a direction of the net, or the same one if there is none. */
export function step(all: readonly Cell[], from: number, across: number, down: number): number {
  const here = all[from]!
  const widest = Math.max(...all.map(({ column }) => column))
  for (let far = 1; far <= widest; far++) {
    const [column, row] = [here.column + far * across, here.row + far * down]
    const next = all.find((cell) => cell.column === column && cell.row === row)
    if (next) return next.sticker
  }
  return from
}
