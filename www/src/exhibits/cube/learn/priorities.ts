/** Prioritized experience replay, proportional variant (Schaul et al. 2016). */

/** Constant that is added to |δ|, so that every transition has a probability above 0. */
const floor = 1e-3

export interface Prioritized {
  probability: number
  /** Importance-sampling weight, relative to the largest one. */
  weight: number
}

/** Returns probability and weight of transitions with the TD errors `errors`. */
export function prioritize(errors: readonly number[], alpha: number, beta: number): Prioritized[] {
  const priorities = errors.map((error) => (Math.abs(error) + floor) ** alpha)
  const total = priorities.reduce((a, b) => a + b, 0)
  const weights = priorities.map((p) => ((errors.length * p) / total) ** -beta)
  const largest = Math.max(...weights)
  return priorities.map((p, i) => ({ probability: p / total, weight: weights[i]! / largest }))
}
