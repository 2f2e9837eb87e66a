/** Generalized advantage estimation (Schulman et al. 2016, https://arxiv.org/abs/1506.02438). */

/**
 * Returns the temporal-difference errors δ_t = r_t + γ·V(s_{t+1}) − V(s_t). `values` has one entry more than `rewards`:
 * the value of the last state, 0 if it is terminal.
 */
export function tdErrors(rewards: readonly number[], values: readonly number[], discount: number): number[] {
  return rewards.map((reward, t) => reward + discount * values[t + 1]! - values[t]!)
}

/** Returns the advantages Â_t = δ_t + γλ·Â_{t+1}. */
export function advantages(errors: readonly number[], discount: number, lambda: number): number[] {
  const estimates = [...errors]
  for (let t = errors.length - 2; t >= 0; t--) estimates[t]! += discount * lambda * estimates[t + 1]!
  return estimates
}
