/** One prediction: cross-entropy of the next token, its gradient, and a step of gradient descent on the logits. */
import { softmax } from '../../../lib/softmax'

/** Returns the cross-entropy of the prediction in nats: −log of the probability of the token `next`. */
export const crossEntropy = (logits: readonly number[], next: number): number =>
  -Math.log(softmax(logits)[next]!)

/**
 * Returns the gradient of the cross-entropy with respect to each logit: p − y, where y is 1 for the token `next`, else
 * 0.
 */
export const logitGradient = (logits: readonly number[], next: number): number[] =>
  softmax(logits).map((p, token) => p - (token === next ? 1 : 0))

/** Returns the logits after a step of gradient descent. */
export function gradientStep(logits: readonly number[], next: number, learningRate: number): number[] {
  const gradient = logitGradient(logits, next)
  return logits.map((logit, token) => logit - learningRate * gradient[token]!)
}
