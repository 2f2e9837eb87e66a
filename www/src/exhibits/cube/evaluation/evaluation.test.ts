import { describe, expect, test } from 'vitest'
import type { CubeDepth, CubeExhaustiveEvaluation } from '../../../engine/page/session'
import {
  columns,
  curve,
  cyclesOf,
  evaluatedStates,
  evaluationTable,
  lastEvaluation,
  nextComplete,
  percent,
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

  test('the shown evaluation is the newest complete one, not the one in progress', () => {
    const complete = evaluation({ done: 1, solved: 0.5 })
    expect(nextComplete(null, evaluation({}))).toBeNull()
    expect(nextComplete(null, complete)).toBe(complete)
    expect(nextComplete(complete, evaluation({ updates: 12 }))).toBe(complete)
    const next = evaluation({ done: 1, updates: 12 })
    expect(nextComplete(complete, next)).toBe(next)
    expect(nextComplete(complete, null)).toBeNull()
    // Another network.
    const opened = evaluation({ player: 'opened', samples: 0 })
    expect(nextComplete(complete, opened)).toBeNull()
    const whole = { ...opened, done: 1 }
    expect(nextComplete(null, whole)).toBe(whole)
    expect(nextComplete(whole, opened)).toBeNull()
    expect(nextComplete(whole, evaluation({}))).toBeNull()
    // An untrained network.
    expect(nextComplete(null, evaluation({ done: 1, samples: 0 }))).toBeNull()
  })

  test('an evaluation whose end the page has missed counts, with the share of its row', () => {
    const last = evaluation({ done: 0.98, depths: [depth(1, 1, 1), depth(9, 9, 9), depth(90, 88, 80)] })
    const row = { samples: 9, updates: 9, solved: 0.91, mean_excess: 3 }
    const now = evaluation({ updates: 12, done: 0.01, finished: [row] })
    const ended = nextComplete(null, now, last)
    expect(ended).toMatchObject({ done: 1, solved: 0.91, mean_excess: 3, samples: 9, updates: 9 })
    const solved = ended!.depths.map((each) => each.solved)
    expect(solved.slice(0, 2)).toEqual([1, 9])
    expect(solved[2]).toBeCloseTo(81)
    expect(columns(ended!.depths)[2]!.failed).toBeCloseTo(0.1)
    // Without its row, without most states, or of another network.
    expect(nextComplete(null, { ...now, finished: [] }, last)).toBeNull()
    expect(nextComplete(null, now, { ...last, done: 0.6 })).toBeNull()
    expect(nextComplete(null, now, { ...last, player: 'opened' })).toBeNull()
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
