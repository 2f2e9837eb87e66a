import { describe, expect, it } from 'vitest'
import { experiments } from '../../../protocol/experiments'
import { beamSearch, noisyValues, statesAt } from './beam'
import { shareWithin, solvedFront, sweep, trueValues } from './distance-chain'
import { countScrambles, findNearStates, inverses, optimalShare, turnNames, waysBack } from './near-states'
import { drawEstimates, meanEstimates, normals, trueValue } from './overestimation'
import { prioritize } from './priorities'

void experiments
const states = [1, 6, 27, 120, 534, 2256, 8969, 33058, 114149, 360508, 930588, 1350852, 782536, 90280, 276]
const near = findNearStates(6)
const counts = countScrambles(near)

describe('values by distance', () => {
  it('spread by n distances in a sweep', () => {
    for (const n of [1, 3, 5]) {
      let values = states.map(() => 0)
      for (let sweeps = 1; sweeps <= 15; sweeps++) {
        values = sweep(values, n)
        expect(solvedFront(values)).toBe(Math.min(14, n * sweeps))
      }
      expect(values).toEqual(trueValues(15).map((value) => expect.closeTo(value)))
    }
  })

  it('cover few states at first', () => {
    expect(shareWithin(states, 14)).toBe(1)
    expect(shareWithin(states, 3)).toBeCloseTo(154 / 3_674_160)
    expect(trueValues(3)[2]).toBeCloseTo(-0.2)
  })
})

describe('states near the solved one', () => {
  it('have the known counts', () => {
    const at = (far: number) => near.distance.filter((d) => d === far).length
    expect([0, 1, 2, 3, 4, 5, 6].map(at)).toEqual(states.slice(0, 7))
  })

  it('change their distance by one with each turn, and back with its inverse', () => {
    near.stickers.forEach((_, state) => {
      for (let turn = 0; turn < 6; turn++) {
        const after = near.next[6 * state + turn]!
        if (after < 0) continue
        expect(Math.abs(near.distance[after]! - near.distance[state]!)).toBe(1)
        expect(near.next[6 * after + inverses[turn]!]).toBe(state)
      }
    })
  })

  it('are reached by all scrambles', () => {
    const total = (length: number) => counts[length]!.reduce((a, b) => a + b, 0)
    expect([1, 2, 3, 6].map(total)).toEqual([6, 30, 150, 6 * 5 ** 5])
    const all = waysBack(near, counts, 40, 6)
    expect(all.map(({ turn }) => turn)).toEqual([...turnNames])
    expect(all.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
  })

  it('show the way back by the last turn', () => {
    const first = near.next[0]!
    const ways = waysBack(near, counts, first, 1)
    expect(ways.filter(({ share }) => share > 0)).toEqual([{ turn: "U'", share: 1, optimal: true }])
    for (let distance = 1; distance <= 6; distance++)
      expect(optimalShare(near, counts, distance, distance)).toBe(1)
  })
})

describe('overestimation', () => {
  it('is the mean of the largest of six normal errors, and none by double estimation', () => {
    const { single, double } = meanEstimates(1, 0.2, 20_000)
    // The mean of the largest of six standard normal numbers is 1.267.
    expect(single).toBeCloseTo(trueValue + 0.2 * 1.267, 2)
    expect(double).toBeCloseTo(trueValue, 2)
    const { first, second, single: most, double: other } = drawEstimates(normals(3), 1)
    expect(most).toBe(Math.max(...first))
    expect(second).toContain(other)
  })
})

describe('prioritized replay', () => {
  it('draws in proportion to the errors, and corrects by weights', () => {
    const all = prioritize([1, -4, 9, 16], 0.5, 1)
    ;[0.1, 0.2, 0.3, 0.4].forEach((p, i) => expect(all[i]!.probability).toBeCloseTo(p, 3))
    all.forEach(({ weight }, i) => expect(weight).toBeCloseTo(1 / (i + 1), 3))
    expect(prioritize([1, 5], 0, 0.4)).toEqual([
      { probability: 0.5, weight: 1 },
      { probability: 0.5, weight: 1 },
    ])
  })
})

describe('beam search', () => {
  const starts = statesAt(near, 5, 20)
  const solvedShare = (noise: number, width: number) => {
    const values = noisyValues(near, noise, 1)
    return starts.filter((start) => beamSearch(near, values, start, { width, limit: 12 }) !== null).length
  }

  it('follows exact values without search', () => {
    const values = noisyValues(near, 0, 1)
    for (const start of starts)
      expect(beamSearch(near, values, start, { width: 1, limit: 6, memory: false })).toBe(5)
  })

  it('solves more states with a wider beam', () => {
    expect(solvedShare(1, 1)).toBeLessThan(solvedShare(1, 8))
    expect(solvedShare(1, 8)).toBeLessThan(solvedShare(1, 256) + 1)
    expect(solvedShare(1, 4096)).toBe(starts.length)
  })
})
