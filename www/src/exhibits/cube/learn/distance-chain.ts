/**
 * Values of the 2×2×2 cube along the chain of distances from the solved state. A quarter turn is an odd permutation of the
 * corners, so it changes the distance by exactly one: towards the solved state or away from it.
 */

/** Reward of each turn; the reward of the exhibit. */
export const moveReward = -0.1

/** Returns the true values of the states at each distance, without discounting. */
export const trueValues = (distances: number): number[] =>
  Array.from({ length: distances }, (_, d) => moveReward * d || 0)

/**
 * Computes one sweep of n-step Q-learning with greedy moves over all distances, and returns the new values. The target
 * of a value is the reward of n turns plus the value after them. `values` are the values by distance before the sweep;
 * the solved state is terminal and keeps the value 0.
 */
export function sweep(values: readonly number[], n: number): number[] {
  const last = values.length - 1
  return values.map((_, start) => {
    let [at, reward] = [start, 0]
    for (let step = 0; step < n && at > 0; step++) {
      reward += moveReward
      // Ties go towards the solved state.
      at = at === last || values[at - 1]! >= values[at + 1]! ? at - 1 : at + 1
    }
    return reward + values[at]!
  })
}

/** Returns the largest distance up to which the values of all distances are correct. */
export function solvedFront(values: readonly number[]): number {
  const right = trueValues(values.length)
  const wrong = values.findIndex((value, d) => Math.abs(value - right[d]!) > 1e-9)
  return (wrong < 0 ? values.length : wrong) - 1
}

/** Returns the fraction of all states that are at most `distance` turns away. `states`: number of states by distance. */
export function shareWithin(states: readonly number[], distance: number): number {
  const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0)
  return sum(states.slice(0, distance + 1)) / sum(states)
}
