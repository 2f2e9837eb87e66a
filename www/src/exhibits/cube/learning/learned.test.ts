import { describe, expect, test } from 'vitest'
import type { CubeExhaustiveEvaluation, CubeRun } from '../../../engine/page/session'
import { learned } from './learned'

const run = (some: Partial<CubeRun>): CubeRun => ({
  samples: 0,
  updates: 0,
  opened: null,
  demonstrations: [0, 0],
  open_level: 0,
  levels: [],
  epsilon: null,
  accuracy_by_depth: [],
  tests: [],
  testing: [0, 0],
  ...some,
})
const evaluation = (some: Partial<CubeExhaustiveEvaluation>): CubeExhaustiveEvaluation => ({
  running: true,
  player: 'newest',
  complete: true,
  updates: 0,
  samples: 0,
  done: 1,
  solved: 0.25,
  mean_excess: null,
  depths: [
    { distance: 0, states: 1, known: 1, solved: 1, mean_excess: 0 },
    { distance: 1, states: 6, known: 6, solved: 3, mean_excess: 0 },
  ],
  cycles: [],
  finished: [],
  ...some,
})
const levels = [
  { level: 1, episodes: 10, successes: 9, kept: 0 },
  { level: 2, episodes: 20, successes: 5, kept: 0 },
  { level: 3, episodes: 0, successes: 0, kept: 0 },
]

describe('what a cube network has learned', () => {
  test('is unknown before the first results', () => {
    expect(learned(null, null)).toBeNull()
    expect(learned(run({}), null)).toBeNull()
    expect(learned(run({ open_level: 1, levels: levels.slice(2) }), null)).toBeNull()
  })

  test('of the 3×3×3 cube is the accuracy by scramble length', () => {
    expect(learned(run({ accuracy_by_depth: [0.9, 0.3] }), null)).toMatchObject({
      text: ['', '60 %', ' of last turns predicted'],
      bars: [0.9, 0.3],
    })
  })

  test('of the 2×2×2 cube is the progress of training before the first evaluation', () => {
    const training = run({ open_level: 2, levels })
    const expected = {
      text: ['solves over half of the scrambles of up to ', '1 turn', '; now learning 2 turns: 25 %'],
      bars: [0.9, 0.25, 0],
      axis: 'scrambles of 1 to 2 turns, random',
    }
    expect(learned(training, null)).toMatchObject(expected)
    // The evaluation of an opened network says nothing about training.
    expect(learned(training, evaluation({ player: 'opened' }))).toMatchObject(expected)
    // A level that has just opened has no episodes yet.
    expect(learned(run({ open_level: 3, levels }), null)?.text.join('')).toBe(
      'solves over half of the scrambles of up to 1 turn; now learning random states',
    )
    expect(learned(run({ open_level: 1, levels }), null)?.text.join('')).toBe(
      'learning scrambles of 1 turn: 90.0 %',
    )
    // Without a curriculum, all levels are open from the start.
    const unsolved = levels.map((level) => ({ ...level, episodes: 20, successes: 1 }))
    expect(learned(run({ open_level: 3, levels: unsolved }), null)?.text.join('')).toBe(
      'learning random states: 5.0 %',
    )
  })

  test('of the 2×2×2 cube is the last result, also of a restored run and beside an opened network', () => {
    const finished = [{ updates: 100, samples: 17_200_000, solved: 0.936, mean_excess: 0.5 }]
    const expected = {
      text: ['solves ', '93.6 %', ' of all states, after 17.2\u00a0M samples'],
      bars: [0.9, 0.25, 0],
      axis: 'scrambles of 1 to 2 turns, random',
    }
    const training = run({ open_level: 2, levels })
    expect(learned(training, evaluation({ player: 'opened', finished }))).toEqual(expected)
    expect(learned(training, evaluation({ complete: false, solved: null, finished }))).toEqual(expected)
  })

  test('of the 2×2×2 cube is the last complete evaluation', () => {
    expect(learned(run({ open_level: 2, levels }), evaluation({ samples: 188_000 }))).toMatchObject({
      text: [
        'solves nearly all cubes up to ',
        '0 turns',
        ' from solved, 25 % of all states, after 188\u00a0k samples',
      ],
      bars: [1, 0.5],
    })
    expect(learned(run({}), evaluation({ solved: 0.001, samples: 900 }))?.text.join('')).toBe(
      'solves nearly all cubes up to 0 turns from solved, after 900 samples',
    )
  })
})
