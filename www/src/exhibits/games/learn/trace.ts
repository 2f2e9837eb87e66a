/** TD(λ) value targets of a finished game (Sutton 1988, https://doi.org/10.1007/BF00115009). */

/**
 * Returns the targets z_t = λ·z_{t+1} + (1 − λ)·v_t, all for the same player; the last state is followed by the outcome.
 * At an exploratory move, λ is 0: the target is the state’s own estimate.
 */
export function valueTargets(
  estimates: readonly number[],
  outcome: number,
  lambda: number,
  explored: readonly boolean[],
): number[] {
  const targets: number[] = []
  let next = outcome
  for (let t = estimates.length - 1; t >= 0; t--) {
    const trace = explored[t] ? 0 : lambda
    next = trace * next + (1 - trace) * estimates[t]!
    targets[t] = next
  }
  return targets
}
