/** Sampling of the next token: temperature and top-k (Fan et al. 2018). */
import { softmax } from '../../../lib/softmax'

/**
 * Returns the probabilities from which a token is sampled. Temperature 0 takes the most probable token. `topK` 0 keeps all
 * tokens; ties go to the lower index.
 */
export function samplingProbabilities(
  logits: readonly number[],
  temperature: number,
  topK: number,
): number[] {
  const order = logits.map((_, i) => i).sort((a, b) => logits[b]! - logits[a]! || a - b)
  const kept = new Set(order.slice(0, temperature <= 0 ? 1 : topK === 0 ? logits.length : topK))
  const divisor = temperature <= 0 ? 1 : temperature
  return softmax(logits.map((logit, i) => (kept.has(i) ? logit / divisor : -Infinity)))
}

/** Draws an index with the given probabilities. `uniform` is a random number from 0 to 1. */
export function drawIndex(probabilities: readonly number[], uniform: number): number {
  let left = uniform
  for (const [index, p] of probabilities.entries()) {
    left -= p
    if (left < 0) return index
  }
  return probabilities.findLastIndex((p) => p > 0)
}
