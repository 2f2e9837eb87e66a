/** Returns the softmax of logits: exp(z) / Σ exp(z). A logit of −∞ has probability 0. */
export function softmax(logits: readonly number[]): number[] {
  const largest = Math.max(...logits)
  const weights = logits.map((logit) => Math.exp(logit - largest))
  const sum = weights.reduce((a, b) => a + b, 0)
  return weights.map((weight) => weight / sum)
}

/** Returns the entropy of a distribution in nats. */
export const entropy = (probabilities: readonly number[]): number =>
  -probabilities.reduce((sum, p) => sum + (p > 0 ? p * Math.log(p) : 0), 0)
