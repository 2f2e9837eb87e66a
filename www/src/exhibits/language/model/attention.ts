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

/** Attention of one word on an earlier one. */
export interface WordLink {
  head: number
  /** Indices of the query token and of the key token. */
  row: number
  column: number
  weight: number
}

/** Words that connect others, without a meaning of their own. */
const connecting = new Set(
  'about across after again also around because been before being between could does each either from have here into like many more most near often only other over same several should some such than that their them then there these they this those through under until very were what when where which while whose will with without would'.split(
    ' ',
  ),
)

const isContentWord = (text: string): boolean =>
  /^ ?\p{L}{4,}$/u.test(text) && !connecting.has(text.trim().toLowerCase())

/**
 * Returns the indices of the tokens that are whole words with a meaning of their own: at least four letters between other
 * characters.
 */
export function contentWords(texts: readonly string[]): number[] {
  return texts.flatMap((text, i) => {
    const begins = text.startsWith(' ') || i === 0 || !/\p{L}$/u.test(texts[i - 1]!)
    const ends = i === texts.length - 1 || !/^\p{L}/u.test(texts[i + 1]!)
    return begins && ends && isContentWord(text) ? [i] : []
  })
}

/**
 * Returns the strongest attention of a word on another, earlier word that is not its neighbor; null if the text has none.
 * Skips the first token, because many heads attend to it when they find nothing else. `texts`: text of each token.
 */
export function strongestLink(
  { heads, size, weights }: Attention,
  texts: readonly string[],
): WordLink | null {
  const words = contentWords(texts.slice(0, size))
  const plain = (i: number) => texts[i]!.trim().toLowerCase()
  let best: WordLink | null = null
  for (const row of words)
    for (const column of words) {
      if (column === 0 || column > row - 2 || plain(row) === plain(column)) continue
      for (let head = 0; head < heads; head++) {
        const weight = weights[(head * size + row) * size + column]! / 255
        if (weight > (best?.weight ?? 0)) best = { head, row, column, weight }
      }
    }
  return best
}

/** Returns the mean share of attention that two heads have in common, 0 to 1; null with one head or no tokens. */
export function headOverlap({ heads, size, weights }: Attention): number | null {
  // The first tokens have few others to attend to.
  const first = 4
  if (heads < 2 || size <= first) return null
  let [sum, pairs] = [0, 0]
  for (let a = 0; a < heads; a++)
    for (let b = 0; b < a; b++)
      for (let row = first; row < size; row++) {
        for (let column = 0; column <= row; column++) {
          const of = (head: number) => weights[(head * size + row) * size + column]! / 255
          sum += Math.min(of(a), of(b))
        }
        pairs++
      }
  return sum / pairs
}
