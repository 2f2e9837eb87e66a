/** Where each head of a layer looks. */
import type { Frame } from '../../../engine/page/session'

export interface Attention {
  heads: number
  /** Tokens on each side of a head's map. */
  size: number
  /** The place of the first of them in the draft. */
  first: number
  /** By head, the token that looks, and the one that it looks at; 255 is all of its attention. */
  weights: Uint8Array
}

/** The attention of a picture; null where it has not changed. */
export function attentionOf(frame: Frame): Attention | null {
  const { attention, 'attention/first': first } = frame.arrays
  if (!attention || !(attention.data instanceof Uint8Array) || attention.shape.length !== 3) return null
  const [heads, size] = attention.shape as [number, number, number]
  return { heads, size, first: first?.data[0] ?? 0, weights: attention.data }
}

/** How much the token at `row` looks at each token, 0 to 1; `head` null for the mean of all heads. */
export function lookOf({ heads, size, weights }: Attention, head: number | null, row: number): number[] {
  const of = (h: number, column: number) => weights[(h * size + row) * size + column]! / 255
  return Array.from({ length: size }, (_, column) => {
    if (head !== null) return of(head, column)
    let sum = 0
    for (let h = 0; h < heads; h++) sum += of(h, column)
    return sum / heads
  })
}

/** How a head looks, as its map shows. */
export type Habit = 'itself' | 'the token before' | 'the beginning' | 'nearby' | 'far back'

/** Which habit it is to look so many tokens back. */
function habitAt(row: number, column: number): Habit {
  const back = row - column
  if (back === 0) return 'itself'
  if (back === 1) return 'the token before'
  if (column === 0) return 'the beginning'
  return back <= 8 ? 'nearby' : 'far back'
}

/**
 * What a head does most of the time, and clearly more than one that looks everywhere alike; null where it does nothing in
 * particular, or there is too little to say.
 */
export function habitOf(attention: Attention, head: number): Habit | null {
  const { size } = attention
  if (size < 8) return null
  const shares = new Map<Habit, { looks: number; alike: number }>()
  const rows = size - 4
  for (let row = 4; row < size; row++) {
    const looks = lookOf(attention, head, row)
    for (let column = 0; column <= row; column++) {
      const habit = habitAt(row, column)
      const sum = shares.get(habit) ?? { looks: 0, alike: 0 }
      sum.looks += looks[column]! / rows
      sum.alike += 1 / (row + 1) / rows
      shares.set(habit, sum)
    }
  }
  for (const [habit, { looks, alike }] of shares) if (looks >= Math.max(0.5, alike + 0.2)) return habit
  return null
}
