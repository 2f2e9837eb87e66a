import { describe, expect, test } from 'vitest'
import { entropy, softmax } from '../../../lib/softmax'
import { epsilonGreedy, withEntropyBonus } from './exploration'
import { advantages, tdErrors } from './gae'
import { ascend, clippedObjective, gradient, klDivergence, ratioOf, slope, type OneSample } from './ppo'

const sample = (change: Partial<OneSample> = {}): OneSample => ({
  logits: [0.3, -0.2, 0.9],
  old: softmax([0.1, 0, 0.8]),
  action: 2,
  advantage: 1.5,
  clip: 0.2,
  ...change,
})

describe('PPO on one state', () => {
  test('the gradient is the slope of the objective in each logit', () => {
    const objective = (given: OneSample) => clippedObjective(ratioOf(given), given.advantage, given.clip)
    for (const given of [sample(), sample({ advantage: -0.7 }), sample({ action: 0, advantage: -2 })]) {
      const h = 1e-6
      gradient(given).forEach((slope, i) => {
        const moved = (by: number) =>
          objective({ ...given, logits: given.logits.map((z, j) => (i === j ? z + by : z)) })
        expect(slope).toBeCloseTo((moved(h) - moved(-h)) / (2 * h), 5)
      })
    }
  })

  test('beyond the clip range only gains are cut', () => {
    expect([slope(1.3, 1, 0.2), slope(1.3, -1, 0.2)]).toEqual([0, -1])
    expect([slope(0.7, 1, 0.2), slope(0.7, -1, 0.2)]).toEqual([1, 0])
    expect(clippedObjective(2, 1, 0.2)).toBeCloseTo(1.2)
    expect(clippedObjective(2, -1, 0.2)).toBe(-2)
  })

  test('ascent stops soon after the ratio has left the clip range', () => {
    let given = sample({ logits: [0, 0], old: [0.5, 0.5], action: 1, advantage: 1 })
    for (let i = 0; i < 100; i++) given = { ...given, logits: ascend(given, 0.2) }
    expect(ratioOf(given)).toBeGreaterThan(1.2)
    expect(ratioOf(given)).toBeLessThan(1.3)
    expect(klDivergence(given.old, softmax(given.logits))).toBeGreaterThan(0)
  })
})

describe('GAE', () => {
  const rewards = [1, 1, 1, 1]
  const values = [4, 3, 7, 2, 0]

  test('with λ = 1 is the discounted return minus the value', () => {
    const estimates = advantages(tdErrors(rewards, values, 0.9), 0.9, 1)
    for (let t = 0; t < 4; t++) {
      const returned = rewards.slice(t).reduce((sum, reward, k) => sum + 0.9 ** k * reward, 0)
      expect(estimates[t]).toBeCloseTo(returned - values[t]!)
    }
  })

  test('with λ = 0 is the temporal-difference error', () => {
    const errors = tdErrors(rewards, values, 0.9)
    expect(errors[1]).toBeCloseTo(1 + 0.9 * 7 - 3)
    expect(advantages(errors, 0.9, 0)).toEqual(errors)
  })
})

describe('exploration', () => {
  const values = [1, 0.6, 0.2]

  test('the entropy bonus is maximized by its softmax', () => {
    const score = (policy: readonly number[]) =>
      policy.reduce((sum, p, i) => sum + p * values[i]!, 0) + 0.3 * entropy(policy)
    const best = withEntropyBonus(values, 0.3)
    for (const [i, j] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ] as const) {
      const moved = best.map((p, k) => p + (k === i ? 0.01 : k === j ? -0.01 : 0))
      expect(score(moved)).toBeLessThan(score(best))
    }
    expect(withEntropyBonus(values, 0)).toEqual([1, 0, 0])
  })

  test('ε-greedy divides ε among all actions', () => {
    const [best, ...others] = epsilonGreedy(values, 0.3)
    expect(best).toBeCloseTo(0.8)
    for (const other of others) expect(other).toBeCloseTo(0.1)
  })
})
