/** PPO on a single state with a categorical policy (Schulman et al. 2017, https://arxiv.org/abs/1707.06347). */
import { softmax } from '../../../lib/softmax'

/** Returns the clipped surrogate objective min(r·A, clip(r, 1 − ε, 1 + ε)·A) of a sample. */
export function clippedObjective(ratio: number, advantage: number, clip: number): number {
  const clipped = Math.max(1 - clip, Math.min(1 + clip, ratio))
  return Math.min(ratio * advantage, clipped * advantage)
}

/** Returns the slope of the clipped objective in the ratio: A, or 0 where the objective is clipped. */
export function slope(ratio: number, advantage: number, clip: number): number {
  const gone = advantage > 0 ? ratio > 1 + clip : ratio < 1 - clip
  return gone ? 0 : advantage
}

export interface OneSample {
  /** Logits of the policy. */
  logits: readonly number[]
  /** Probabilities of the policy that collected the sample. */
  old: readonly number[]
  /** Index of the action of the sample. */
  action: number
  advantage: number
  clip: number
}

/** Returns the probability ratio π(a|s) / π_old(a|s). */
export const ratioOf = ({ logits, old, action }: OneSample): number => softmax(logits)[action]! / old[action]!

/** Returns the gradient of the clipped objective with respect to the logits. */
export function gradient(sample: OneSample): number[] {
  const { logits, action, advantage, clip } = sample
  const ratio = ratioOf(sample)
  const scale = ratio * slope(ratio, advantage, clip)
  return softmax(logits).map((probability, i) => scale * ((i === action ? 1 : 0) - probability))
}

/** Returns the logits after a step of gradient ascent. */
export function ascend(sample: OneSample, rate: number): number[] {
  const uphill = gradient(sample)
  return sample.logits.map((z, i) => z + rate * uphill[i]!)
}

/** Returns the KL divergence D(p ‖ q) in nats. */
export const klDivergence = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, x, i) => sum + x * Math.log(x / q[i]!), 0)
