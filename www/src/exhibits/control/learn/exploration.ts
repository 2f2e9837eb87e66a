/** Exploration in one state: entropy bonus of a policy gradient, and ε-greedy of Q-learning. */
import { softmax } from '../../../lib/softmax'

/** Returns the policy that maximizes Σ π(a) Q(a) + c·H(π): a softmax with temperature c, greedy for c = 0. */
export function withEntropyBonus(values: readonly number[], coefficient: number): number[] {
  return coefficient > 0 ? softmax(values.map((value) => value / coefficient)) : epsilonGreedy(values, 0)
}

/** Returns the probabilities of ε-greedy: a uniformly random action with probability ε, otherwise the best action. */
export function epsilonGreedy(values: readonly number[], epsilon: number): number[] {
  const best = values.indexOf(Math.max(...values))
  return values.map((_, i) => epsilon / values.length + (i === best ? 1 - epsilon : 0))
}
