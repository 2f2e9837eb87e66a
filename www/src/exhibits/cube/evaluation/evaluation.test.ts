import { describe, expect, test } from 'vitest'
import type { CubeDepth, CubeExhaustiveEvaluation } from '../../../engine/page/session'
import {
  columns,
  completeOf,
  curve,
  cyclesOf,
  evaluatedStates,
  innerRings,
  evaluationTable,
  lastEvaluation,
  mapText,
  percent,
  ringShares,
  shareText,
  tall,
} from './evaluation'

const depth = (states: number, known: number, solved: number): CubeDepth => ({
  distance: 0,
  states,
  known,
  solved,
  mean_excess: null,
})

describe('exhaustive evaluation', () => {
  test('shows only known states', () => {
    const [all, some, none] = columns([depth(6, 6, 3), depth(100, 50, 10), depth(1000, 0, 0)])
    expect(all).toMatchObject({ solved: 0.5, failed: 0.5 })
    expect(some).toMatchObject({ solved: 0.1, failed: 0.4 })
    expect(none).toMatchObject({ solved: 0, failed: 0 })
    // The colored part of a column and its number have the same basis: all states at a distance.
    expect([all, some, none].map((column) => shareText(column!))).toEqual(['50 %', '', ''])
    expect(evaluationTable(64, [all!, some!])).toEqual({
      step: [64, 64],
      distance: [0, 0],
      states: [6, 100],
      'solved fraction': [0.5, 0.1],
      'fraction not solved': [0.5, 0.4],
      'mean excess moves': [null, null],
    })
  })

  const evaluation = (some: Partial<CubeExhaustiveEvaluation>): CubeExhaustiveEvaluation => ({
    running: true,
    player: 'newest',
    complete: false,
    updates: 9,
    samples: 9,
    done: 0.05,
    solved: 1,
    mean_excess: 0.1,
    depths: [depth(1, 1, 1), depth(6, 4, 4), depth(100, 0, 0)],
    cycles: [],
    finished: [],
    ...some,
  })

  test('figures come from a complete evaluation of a trained network', () => {
    const complete = evaluation({ complete: true, solved: 0.5 })
    expect(completeOf(complete)).toBe(complete)
    expect([null, evaluation({}), evaluation({ complete: true, samples: 0 })].map(completeOf)).toEqual([
      null,
      null,
      null,
    ])
    const opened = evaluation({ complete: true, player: 'opened', samples: 0 })
    expect(completeOf(opened)).toBe(opened)
  })

  test('the rings of the map are compared by their states', () => {
    const depths = [
      { ...depth(1, 1, 1), distance: 0 },
      { ...depth(9, 9, 6), distance: innerRings },
      { ...depth(100, 100, 5), distance: innerRings + 1 },
    ]
    expect(ringShares(evaluation({ complete: true, depths }))).toEqual({ inner: 0.7, outer: 0.05 })
    expect(mapText(evaluation({ complete: true, solved: 0.25, depths }), 4)).toBe(
      'All states of the cube in rings by their distance from the solved state: 25 % solved, 70 % of those up to ' +
        '4 quarter turns away, 5.0 % of the others. A path of 4 states starts at the interactive cube.',
    )
    expect(mapText(null, 0)).toContain('no evaluation is complete')
  })

  test('the headline shows the evaluation of the columns; before the first, the last one of a restored run', () => {
    expect([lastEvaluation(null, null), evaluatedStates(null)]).toEqual([null, 0])
    expect(lastEvaluation(null, evaluation({}))).toBeNull()
    expect(evaluatedStates(evaluation({}))).toBe(5)
    const finished = [0.5, 0.68].map((solved) => ({ samples: 8, updates: 8, solved, mean_excess: 2 }))
    const restored = evaluation({ finished })
    expect(lastEvaluation(null, restored)).toEqual({ solved: 0.68, meanExcess: 2, samples: 8 })
    expect(lastEvaluation(evaluation({ done: 1, solved: 0.7 }), restored)).toEqual({
      solved: 0.7,
      meanExcess: 0.1,
      samples: 9,
    })
    const untrained = [{ samples: 0, updates: 0, solved: 0.1, mean_excess: 2 }]
    expect(lastEvaluation(null, evaluation({ finished: untrained }))).toBeNull()
    // An evaluation of an opened network is not in the list.
    expect(lastEvaluation(null, evaluation({ player: 'opened', finished }))).toBeNull()
  })

  test('columns grow logarithmically', () => {
    const most = 1_350_852
    expect(tall(most, most)).toBe(1)
    expect(tall(1, most)).toBeGreaterThan(0)
    expect(tall(10_000, most) - tall(1000, most)).toBeCloseTo(tall(100, most) - tall(10, most))
  })

  test.each([
    [null, '–'],
    [0, '0 %'],
    [0.00001, '< 0.1 %'],
    [0.034, '3.4 %'],
    [0.5, '50 %'],
    [0.97, '97.0 %'],
    [0.9991, '99.91 %'],
    [0.99984, '99.984 %'],
    [0.9999999, '> 99.999 %'],
    [1, '100 %'],
  ])('%s is %s: never rounded to 0 % or 100 %', (share, text) => expect(percent(share)).toBe(text))

  test('the shortest cycles are listed, the others combined', () => {
    const cycles = [2, 4, 6, 8, 10].map((length) => ({ length, count: 1, states: 10 * length }))
    const rows = cyclesOf({ cycles } as CubeExhaustiveEvaluation, 3)
    expect(rows.map(({ label, states }) => [label, states])).toEqual([
      ['2', 20],
      ['4', 40],
      ['6', 60],
      ['longer', 180],
    ])
    expect(cyclesOf({ cycles: cycles.slice(0, 2) } as CubeExhaustiveEvaluation, 3)).toHaveLength(2)
  })

  test('evaluations are placed by samples', () => {
    const rows = [0, 50, 200].map((samples, i) => ({ samples, updates: 0, solved: i / 2, mean_excess: null }))
    expect(curve(rows, 100, 40)).toEqual([
      { x: 0, y: 40 },
      { x: 25, y: 20 },
      { x: 100, y: 0 },
    ])
    expect(curve([], 100, 40)).toEqual([])
  })
})
