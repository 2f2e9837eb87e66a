/** Where each head of a layer looks. */
import type { Frame } from '../../../session'

export interface Attention {
  heads: number
  /** Tokens on each side of a head's map. */
  size: number
  /** The place of the first of them in the desk's text. */
  first: number
  /** By head, the token that looks, and the one that it looks at; 255 is all of its attention. */
  weights: Uint8Array
}

/** The attention of a picture; null where it has not changed. */
export function attentionOf(frame: Frame): Attention | null {
  const { attention, 'attention/first': first } = frame
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

/** How a head looks, as it can be told from its map. */
export type Habit = 'itself' | 'the token before' | 'the beginning' | 'nearby' | 'far back'

/** What a head does most of the time; null where it does nothing in particular, or there is too little to tell. */
export function habitOf(attention: Attention, head: number): Habit | null {
  const { size } = attention
  if (size < 8) return null
  let [self, before, start, near, far] = [0, 0, 0, 0, 0]
  for (let row = 4; row < size; row++) {
    const looks = lookOf(attention, head, row)
    looks.forEach((weight, column) => {
      const back = row - column
      if (back === 0) self += weight
      else if (back === 1) before += weight
      else if (column === 0) start += weight
      else if (back <= 8) near += weight
      else far += weight
    })
  }
  const rows = size - 4
  const shares: [Habit, number][] = [
    ['itself', self],
    ['the token before', before],
    ['the beginning', start],
    ['nearby', near],
    ['far back', far],
  ]
  const [habit, most] = shares.reduce((a, b) => (b[1] > a[1] ? b : a))
  return most / rows >= 0.5 ? habit : null
}
