/** A residual stream with small hand-chosen vectors: each part of the network adds a vector to the stream. */
import { softmax } from '../../../lib/softmax'

export interface Part {
  name: string
  /** Vector that the part adds to the stream. */
  adds: readonly number[]
}

/**
 * Contributions at the last position of “The capital of France is”. The four dimensions of the stream stand for “an article
 * follows”, “a capital”, “France” and “Spain”.
 */
export const parts: readonly Part[] = [
  { name: 'Token “ is”', adds: [1.2, 0, 0, 0] },
  { name: 'Position 5', adds: [0, 0.1, -0.1, 0.1] },
  { name: 'Attention, layer 1', adds: [0, 0.1, 1.3, 0] },
  { name: 'MLP, layer 1', adds: [-0.3, 0, 0.2, -0.1] },
  { name: 'Attention, layer 2', adds: [-0.2, 1.4, 0, 0] },
  { name: 'MLP, layer 2', adds: [-0.7, 0.3, 0.2, -0.2] },
]

/** Vectors of the output head: the logit of a token is the dot product of its vector with the normalized stream. */
export const head: readonly { text: string; vector: readonly number[] }[] = [
  { text: ' a', vector: [3, 0, 0, 0] },
  { text: ' the', vector: [2.6, 0, 0, 0] },
  { text: ' Paris', vector: [-1, 2, 2, 0] },
  { text: ' Lyon', vector: [-1, -1, 3, 0] },
  { text: ' Madrid', vector: [-1, 2, 0, 2] },
]

/** Returns the stream: the sum of the parts that are on. */
export const streamOf = (all: readonly Part[], on: readonly boolean[]): number[] =>
  all[0]!.adds.map((_, i) => all.reduce((sum, { adds }, part) => sum + (on[part] ? adds[i]! : 0), 0))

/** Returns the layer normalization of `x`, without gain and bias (Ba et al. 2016). */
export function layerNorm(x: readonly number[]): number[] {
  const mean = x.reduce((a, b) => a + b, 0) / x.length
  const variance = x.reduce((sum, v) => sum + (v - mean) ** 2, 0) / x.length
  return x.map((v) => (v - mean) / Math.sqrt(variance + 1e-5))
}

/** Returns the probability of each token of `head` after the stream `x`. */
export function prediction(x: readonly number[]): number[] {
  const normal = layerNorm(x)
  return softmax(head.map(({ vector }) => vector.reduce((sum, v, i) => sum + v * normal[i]!, 0)))
}
