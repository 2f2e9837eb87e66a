import { describe, expect, test } from 'vitest'
import { random } from '../../../lib/random'
import { deviation, goldenCounts, randomCounts, rollAt, rolls } from './chance'
import { Search } from './puct'
import { result, type Board } from './tic-tac-toe'
import { valueTargets } from './trace'

/** The first player to move; cell 6 blocks and makes two threats. */
const board: Board = [1, 0, 2, 0, 2, 0, 0, 0, 1]
const uniform = { 1: 0.2, 3: 0.2, 5: 0.2, 6: 0.2, 7: 0.2 }

describe('search', () => {
  test('finds the winning move, and all simulations but the first are visits of the root', () => {
    const search = new Search(board, 1, uniform, 1.25)
    expect(search.simulate()).toEqual([])
    for (let i = 1; i < 200; i++) search.simulate()
    const { moves, visits } = search.root
    expect(visits).toBe(200)
    expect(moves.reduce((sum, move) => sum + move.visits, 0)).toBe(199)
    const best = moves.reduce((a, b) => (a.visits > b.visits ? a : b))
    expect(best.cell).toBe(6)
    expect(best.visits).toBeGreaterThan(150)
    expect(search.value(search.root, best)).toBeGreaterThan(0.8)
  })

  test('a low prior delays the move but does not exclude it', () => {
    const share = (prior: number, count: number) => {
      const others = (1 - prior) / 4
      const search = new Search(board, 1, { 1: others, 3: others, 5: others, 6: prior, 7: others }, 1.25)
      for (let i = 0; i < count; i++) search.simulate()
      return search.root.moves.find(({ cell }) => cell === 6)!.visits / (count - 1)
    }
    expect(share(0.02, 30)).toBeLessThan(share(0.5, 30))
    expect(share(0.02, 2000)).toBeGreaterThan(0.8)
  })

  test('three in a row is a loss for the player to move', () => {
    expect(result([1, 1, 1, 2, 2, 0, 0, 0, 0])).toBe(-1)
    expect(result([1, 2, 1, 1, 2, 2, 2, 1, 1])).toBe(0)
    expect(result(board)).toBeNull()
  })
})

describe('chance', () => {
  test('there are 21 rolls with probability 1 in total', () => {
    expect(rolls).toHaveLength(21)
    expect(rolls.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1)
    expect([rollAt(0), rollAt(1 - 1e-9)]).toEqual([0, 20])
  })

  test('the sequence is closer to the probabilities than independent draws', () => {
    for (const count of [36, 100, 360]) {
      const draws = [1, 2, 3, 4, 5].map((seed) => deviation(randomCounts(count, random(seed))))
      for (const draw of draws) expect(deviation(goldenCounts(count))).toBeLessThan(draw)
    }
  })
})

test('value targets lie between outcome and estimate, and stop at exploratory moves', () => {
  const estimates = [0.2, 0.4, 0.6]
  const none = [false, false, false]
  expect(valueTargets(estimates, 1, 1, none)).toEqual([1, 1, 1])
  expect(valueTargets(estimates, 1, 0, none)).toEqual(estimates)
  const [first, second, third] = valueTargets(estimates, 1, 0.5, [false, true, false])
  expect([first, second, third]).toEqual([0.5 * 0.4 + 0.5 * 0.2, 0.4, 0.8])
})
