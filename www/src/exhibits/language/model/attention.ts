/** Attention weights of a layer, and typical patterns of heads. */
import type { Frame } from '../../../engine/page/session'
import type { Table } from '../../../lib/csv'

export interface Attention {
  heads: number
  /** Number of queries and keys. */
  size: number
  /** Index in the draft of the first of the `size` tokens. */
  first: number
  /** Weights, [heads, queries, keys]; 255 is a weight of 1. */
  weights: Uint8Array
}

/** Returns the attention weights of a frame; null if they are unchanged since the last frame. */
export function attentionOf(frame: Frame): Attention | null {
  const { attention, 'attention/first': first } = frame.arrays
  if (!attention || !(attention.data instanceof Uint8Array) || attention.shape.length !== 3) return null
  const [heads, size] = attention.shape as [number, number, number]
  return { heads, size, first: first?.data[0] ?? 0, weights: attention.data }
}

/** Returns the attention weights of the query `row` over all keys, 0 to 1. `head`: null for the mean of all heads. */
export function attentionRow(
  { heads, size, weights }: Attention,
  head: number | null,
  row: number,
): number[] {
  const of = (h: number, column: number) => weights[(h * size + row) * size + column]! / 255
  return Array.from({ length: size }, (_, column) => {
    if (head !== null) return of(head, column)
    let sum = 0
    for (let h = 0; h < heads; h++) sum += of(h, column)
    return sum / heads
  })
}

/** Returns the attention weights of one head, or the mean of all heads if `head` is null, 0 to 1, [queries, keys]. */
export function headWeights(attention: Attention, head: number | null): Float32Array {
  const { size } = attention
  const weights = new Float32Array(size * size)
  for (let row = 0; row < size; row++) weights.set(attentionRow(attention, head, row), row * size)
  return weights
}

/** Returns indices of 0 to `count` − 1 that are at least `apart` from each other, the indices in `first` before the others. */
export function spacedIndices(count: number, apart: number, first: readonly number[]): number[] {
  const placed: number[] = []
  for (const i of [...first, ...Array(count).keys()])
    if (i < count && placed.every((other) => Math.abs(i - other) >= apart)) placed.push(i)
  return placed
}

/**
 * Returns a row for each head, query and key of a layer; a query attends only to keys up to itself. Layers, heads and tokens are
 * counted from 1. `texts`: text of each token.
 */
export function attentionTable(
  { heads, size, weights }: Attention,
  layer: number,
  texts: readonly string[],
): Table {
  const pairs = Array.from({ length: heads * size * size }, (_, i) => i).filter(
    (i) => i % size <= Math.floor(i / size) % size,
  )
  const queryOf = (i: number) => Math.floor(i / size) % size
  return {
    layer: pairs.map(() => layer + 1),
    head: pairs.map((i) => Math.floor(i / (size * size)) + 1),
    query: pairs.map((i) => queryOf(i) + 1),
    key: pairs.map((i) => (i % size) + 1),
    'query token': pairs.map((i) => texts[queryOf(i)] ?? ''),
    'key token': pairs.map((i) => texts[i % size] ?? ''),
    weight: pairs.map((i) => weights[i]! / 255),
  }
}

/** Typical attention pattern of a head. */
export type HeadPattern =
  'current token' | 'previous token' | 'first token' | 'near tokens' | 'distant tokens'

/** Returns the pattern that a query-key pair belongs to. */
function patternAt(row: number, column: number): HeadPattern {
  const back = row - column
  if (back === 0) return 'current token'
  if (back === 1) return 'previous token'
  if (column === 0) return 'first token'
  return back <= 8 ? 'near tokens' : 'distant tokens'
}

/**
 * Returns the pattern that has at least half of a head's attention, and clearly more than under uniform attention; null
 * if there is none, or if there are fewer than 8 tokens.
 */
export function headPattern(attention: Attention, head: number): HeadPattern | null {
  const { size } = attention
  if (size < 8) return null
  const shares = new Map<HeadPattern, { looks: number; alike: number }>()
  const rows = size - 4
  for (let row = 4; row < size; row++) {
    const looks = attentionRow(attention, head, row)
    for (let column = 0; column <= row; column++) {
      const pattern = patternAt(row, column)
      const sum = shares.get(pattern) ?? { looks: 0, alike: 0 }
      sum.looks += looks[column]! / rows
      sum.alike += 1 / (row + 1) / rows
      shares.set(pattern, sum)
    }
  }
  for (const [pattern, { looks, alike }] of shares) if (looks >= Math.max(0.5, alike + 0.2)) return pattern
  return null
}

/** Word of a text: its characters, its tokens from `first` to `last`, and the attention that they get. */
export interface AttendedWord {
  text: string
  first: number
  last: number
  share: number
}

/**
 * Returns the words of a text with the sums of the attention weights of their tokens. Letters and digits that follow each other
 * belong to the same word. `texts`: text of each token; `weights`: attention weight of each token.
 */
export function attendedWords(texts: readonly string[], weights: readonly number[]): AttendedWord[] {
  const words: AttendedWord[] = []
  for (const [i, text] of texts.entries()) {
    const share = weights[i] ?? 0
    const word = words.at(-1)
    if (word && /^[\p{L}\p{N}]/u.test(text) && /[\p{L}\p{N}]$/u.test(word.text)) {
      word.text += text
      word.last = i
      word.share += share
    } else words.push({ text, first: i, last: i, share })
  }
  return words
}
