/** An attention head with small hand-chosen vectors (Vaswani et al. 2017). */
import { softmax } from '../../../lib/softmax'

export interface HeadToken {
  text: string
  query: readonly number[]
  key: readonly number[]
  value: readonly number[]
}

/**
 * Sentence with the vectors of one head. The first dimension of query and key stands for “a noun of an animal”, the second for
 * “a verb”; the third is weak and the same for all keys. Value: the dimensions stand for animal, thing and action.
 */
export const sentence: readonly HeadToken[] = [
  { text: 'The', query: [0, 0, 1], key: [0, 0, 1], value: [0, 0, 0] },
  { text: ' cat', query: [0.5, 0, 1], key: [3, 0, 1], value: [1, 0, 0] },
  { text: ' left', query: [2, 0, 1], key: [0, 3, 1], value: [0, 0, 1] },
  { text: ' the', query: [0, 1, 1], key: [0, 0, 1], value: [0, 0, 0] },
  { text: ' mat', query: [0, 2, 1], key: [1, 0, 1], value: [0, 1, 0] },
  { text: ' because', query: [0, 2.5, 1], key: [0, 0.5, 1], value: [0, 0, 0] },
  { text: ' it', query: [3, 0, 1], key: [0.5, 0, 1], value: [0.5, 0.5, 0] },
  { text: ' woke', query: [3, 0.5, 1], key: [0, 3, 1], value: [0, 0, 1] },
]

export interface AttentionRow {
  /** Dot product of the query with each key, divided by √d; −∞ for keys that the causal mask hides. */
  scores: number[]
  /** Softmax of the scores. */
  weights: number[]
  /** Sum of the values, weighted by the weights. */
  output: number[]
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + x * b[i]!, 0)

/** Computes softmax(q·K / √d)·V for the query of the token at `row`. `scale` multiplies the scores. */
export function attend(
  tokens: readonly HeadToken[],
  row: number,
  { causal = true, scale = 1 }: { causal?: boolean; scale?: number } = {},
): AttentionRow {
  const { query } = tokens[row]!
  const scores = tokens.map(({ key }, column) =>
    causal && column > row ? -Infinity : (scale * dot(query, key)) / Math.sqrt(query.length),
  )
  const weights = softmax(scores)
  const output = tokens[0]!.value.map((_, i) =>
    tokens.reduce((sum, { value }, column) => sum + weights[column]! * value[i]!, 0),
  )
  return { scores, weights, output }
}
