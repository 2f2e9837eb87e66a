import { describe, expect, test } from 'vitest'
import type {
  Command,
  CubeExhaustiveEvaluation,
  CubeInfo,
  CubeRun,
  CubeSolving,
  CubeTable,
} from '../../../engine/page/session'
import { bars, exactTurns, moveRows, turnsToGo, weights } from '../model/values'
import { lengthOf, demoSolver, scrambles, solverOf, solvers, defaultSolver, usesNetwork } from './scrambles'
import { CubeDemo } from './demo'
import { learnedLength, scrambleWithin } from './level'
import { trainedLength } from './search-limit'
import { abilityText, status } from './status'

const info = (size: number): CubeInfo => ({
  kind: 'cube',
  size,
  turns: [],
  all_turns: [],
  value_label: '',
  value_unit: '',
  value_help: '',
  largest_scramble: 25,
  max_thumbnails: 0,
  exhaustive: size === 2,
  states: [],
  beams: size === 3 ? [1, 16, 128, 1024, 4096] : [],
  literature: '',
})

const table = (change: Partial<CubeTable> = {}): CubeTable => ({
  cube: 1,
  stickers: '',
  solved: false,
  distance: 5,
  history: [],
  at: 0,
  values: [],
  player: 'newest',
  updates: 0,
  solving: null,
  pace: 0.3,
  ...change,
})

const solving = (change: Partial<CubeSolving>): CubeSolving => ({
  by: { kind: 'greedy' },
  status: 'playing',
  evaluated: 0,
  ahead: 0,
  solution: ['R', 'U', 'F'],
  made: 1,
  optimal: 3,
  why: null,
  ...change,
})

describe('status', () => {
  test('without a solver', () => {
    expect(status(table(), 0)).toBe('Distance from solved: 5\u00a0quarter turns.')
    expect(status(table({ distance: 1 }), 0)).toMatch(/: 1\u00a0quarter turn\.$/)
    expect(status(table({ solved: true }), 0)).toMatch(/^Solved\./)
    expect(status(table({ distance: null }), 0)).toMatch(/^Turn the cube/)
  })

  test('of a solution', () => {
    const text = (change: Partial<CubeSolving>) => status(table({ solving: solving(change) }), 0)
    expect(text({})).toBe('Applying the solution of the network: move 1 of 3.')
    expect(text({ status: 'solved' })).toBe('The network solved it in 3\u00a0turns, the shortest way.')
    expect(text({ status: 'solved', optimal: 1 })).toBe(
      'The network solved it in 3\u00a0turns, 2 turns more than the shortest way.',
    )
    // Two equal quarter turns are one move of the half-turn metric, and so is a half turn.
    const solution = ['R', 'R', 'U', "F'", "F'", 'D2']
    expect(text({ status: 'solved', solution, optimal: 7 })).toMatch(
      /in 7.quarter turns \(4.in the half-turn metric\), the shortest way\./,
    )
    expect(text({ solution, made: 1 })).toMatch(/: move 1 of 4\.$/)
    expect(text({ solution, made: 2 })).toMatch(/: move 1 of 4\.$/)
    expect(text({ solution, made: 5 })).toMatch(/: move 3 of 4\.$/)
    expect(text({ status: 'solved', optimal: null, by: { kind: 'beam', width: 1024 } })).toBe(
      'Beam search (width 1,024) solved it in 3\u00a0turns.',
    )
    expect(text({ status: 'searching', ahead: 7, by: { kind: 'exact' } })).toBe(
      'Searching by the optimal solver: depth 7, 0 states evaluated.',
    )
    expect(text({ status: 'searching', ahead: 7, evaluated: 6200, by: { kind: 'beam', width: 1024 } })).toBe(
      'Searching by beam search (width 1,024): depth 7 of at most 52, 6.20\u00a0k states evaluated.',
    )
    expect(text({ status: 'gave_up', why: 'The network repeats a cycle of 2 moves.' })).toBe(
      'Too hard for this network yet. The network repeats a cycle of 2 moves.',
    )
    expect(status(table({ player: 'opened', solving: solving({ status: 'gave_up' }) }), 0)).toBe(
      'The network found no solution.',
    )
  })

  test('describes the displayed cube, whose turns lag behind the cube of the experiment', () => {
    const solution = ['R', 'U', 'F', 'L', 'D', 'B']
    const text = (change: Partial<CubeSolving>, pending: number) =>
      status(table({ solved: true, solving: solving({ solution, made: 6, ...change }) }), pending)
    expect([6, 3, 1].map((pending) => text({ status: 'solved' }, pending))).toEqual([
      'Applying the solution of the network: move 1 of 6.',
      'Applying the solution of the network: move 4 of 6.',
      'Applying the solution of the network: move 6 of 6.',
    ])
    // The turns of the scramble are displayed first.
    expect(text({ status: 'solved' }, 20)).toMatch(/: move 0 of 6\.$/)
    expect(text({ status: 'solved' }, 0)).toMatch(/^The network solved it/)
    expect(text({ status: 'playing', made: 5 }, 3)).toMatch(/: move 3 of 6\.$/)
    expect(text({ status: 'gave_up' }, 2)).toMatch(/: move 5 of 6\.$/)
    // A beam search makes no turns if it gives up.
    expect(text({ status: 'gave_up', made: 0 }, 2)).toMatch(/^Too hard/)
    expect(status(table({ solved: true }), 2)).toBe('Applying turns.')
    expect(status(table({ solved: true }), 1)).toMatch(/^Solved\./)
  })
})

test('the simple view states without terms of search what the network does and can', () => {
  const by = { kind: 'beam' as const, width: 128 }
  const text = (change: Partial<CubeSolving>) =>
    status(table({ solving: solving({ by, ...change }) }), 0, true)
  expect(text({ status: 'searching', evaluated: 12_300 })).toMatch(
    /^The network searches for a solution: 12\.3.k positions tried\.$/,
  )
  expect(text({ status: 'solved' })).toMatch(/^The network solved it in /)
  const why = 'The beam search found no solution within 52 moves.'
  expect(text({ status: 'gave_up', why })).toBe('Too hard for this network yet.')
  expect(abilityText('newest', 0, false)).toBe('The network in training is at its first scrambles.')
  expect(abilityText('newest', 1, false)).toMatch(/up to 1 turn\.$/)
  expect(abilityText('newest', Infinity, true)).toMatch(/of any length\.$/)
  expect(abilityText('opened', Infinity, true)).toMatch(/^The pretrained network plays\./)
  expect(abilityText('opened', Infinity, false)).toMatch(/^The network of the opened file plays\./)
})

test('a network is untrained until it predicts the last turn of short scrambles; a network from a file is trained', () => {
  const run = (accuracies: number[]) => ({ accuracy_by_depth: accuracies }) as unknown as CubeRun
  const untrained = (accuracies: number[], player: CubeTable['player'] = 'newest') =>
    learnedLength(table({ player }), run(accuracies), null) < trainedLength
  expect(learnedLength(table(), null, null) < trainedLength).toBe(true)
  expect(untrained([])).toBe(true)
  expect(untrained([1, 0.9, 0.8, 0.7, 0.6, 0.4, 0.3])).toBe(true)
  expect(untrained([1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3])).toBe(false)
  expect(untrained([], 'opened')).toBe(false)
})

describe('the default scramble', () => {
  const run = (some: Partial<CubeRun>) => ({ accuracy_by_depth: [], open_level: 0, ...some }) as CubeRun
  const evaluation = (solved: number[], player: 'newest' | 'opened' = 'newest') =>
    ({
      player,
      depths: solved.map((share, distance) => ({ distance, states: 100, known: 100, solved: 100 * share })),
    }) as unknown as CubeExhaustiveEvaluation

  test('has a length that the network solves mostly', () => {
    expect(learnedLength(table(), null, null)).toBe(0)
    expect(learnedLength(table(), run({ open_level: 4 }), null)).toBe(3)
    // The evaluation of another network says nothing about training.
    expect(learnedLength(table(), run({ open_level: 4 }), evaluation([1, 1], 'opened'))).toBe(3)
    expect(learnedLength(table(), run({ open_level: 9 }), evaluation([1, 1, 0.95, 0.8, 1]))).toBe(2)
    expect(learnedLength(table(), run({}), evaluation([1, 1, 0.95]))).toBe(Infinity)
    expect(learnedLength(table(), run({ accuracy_by_depth: [1, 0.6, 0.4] }), null)).toBe(2)
    expect(learnedLength(table({ player: 'opened' }), run({ open_level: 2 }), null)).toBe(Infinity)
  })

  test('is the longest available one, and shorter after a cube that the network did not solve', () => {
    expect([0, 1, 5, 7, 12, Infinity].map((learned) => scrambleWithin(info(2), learned))).toEqual([
      1,
      1,
      5,
      6,
      10,
      null,
    ])
    expect([11, 5, 1].map((distance) => scrambleWithin(info(2), 5, distance))).toEqual([5, 4, 1])
    expect(scrambleWithin(info(2), Infinity, 9)).toBe(8)
  })
})

describe('choices', () => {
  test('valid scramble lengths, and random states', () => {
    expect(scrambles({ ...info(2), largest_scramble: 5 })).toEqual([1, 2, 3, 4, 5, null])
    expect(scrambles(info(3)).at(-1)).toBeNull()
    expect(Math.max(...scrambles(info(3)).map(Number))).toBeLessThanOrEqual(25)
  })

  test('solvers of both sizes', () => {
    expect(solvers(info(2)).map(({ by }) => by.kind)).toEqual(['greedy', 'exact_half', 'exact'])
    expect(solvers(info(3)).map(({ by }) => by.kind)).toEqual([
      'greedy',
      'beam',
      'beam',
      'beam',
      'beam',
      'two_phase',
    ])
    expect(solvers(info(3))[3]!.name).toBe('Beam search (width 1,024)')
    expect([defaultSolver(info(2)), demoSolver(info(2))]).toEqual([{ kind: 'greedy' }, { kind: 'greedy' }])
    expect(defaultSolver(info(3))).toEqual({ kind: 'beam', width: 1024 })
    expect(demoSolver(info(3))).toEqual({ kind: 'beam', width: 128 })
  })

  test('a choice that this cube does not support falls back to the default', () => {
    const wide = { kind: 'beam', width: 4096 } as const
    expect([solverOf(info(3), wide), solverOf(info(2), wide)]).toEqual([wide, { kind: 'greedy' }])
    expect(solvers(info(2)).filter(({ by }) => !usesNetwork(by)).length).toBe(2)
    expect(solverOf(info(3), { kind: 'exact' })).toEqual(defaultSolver(info(3)))
    expect([lengthOf(info(3), 20, 4), lengthOf(info(2), 20, 4)]).toEqual([20, 4])
    expect([undefined, null, 14].map((chosen) => lengthOf(info(2), chosen, 4))).toEqual([4, null, 14])
  })
})

test('weights separate best and worst, but do not exaggerate small differences', () => {
  const values = (...all: number[]) => all.map((value) => ({ turn: 'U', value, best: false, optimal: null }))
  expect(weights(values(-0.5, -0.7, -0.6), false).map((w) => Number(w.toFixed(6)))).toEqual([1, 0, 0.5])
  expect(Math.min(...weights(values(-0.5, -0.51), false))).toBeCloseTo(0.9)
  const [a, b] = weights(values(Math.log(0.8), Math.log(0.2)), true)
  expect([a, b]).toEqual([1, expect.closeTo(0.5)])
  expect(weights(values(NaN, 1), false)).toEqual([0, 1])
})

test('bars have an absolute scale', () => {
  const values = (...all: number[]) => all.map((value) => ({ turn: 'U', value, best: false, optimal: null }))
  expect(bars(values(Math.log(0.8), Math.log(0.2)), true)).toEqual([expect.closeTo(0.8), expect.closeTo(0.2)])
  for (const bar of bars(values(0, -0.02, 0.03, NaN), false)) expect(bar).toBeLessThan(0.02)
  expect(bars(values(-0.1, -1.4, -3), false)).toEqual([expect.closeTo(0.05), expect.closeTo(0.7), 1])
})

describe('demonstration', () => {
  /** Simulates the experiment and returns the commands of the demonstration. */
  function run(solves: (depth: number) => boolean, seconds: number): Command[] {
    const demo = new CubeDemo(info(2), { kind: 'greedy' })
    const asked: Command[] = []
    let now = table({ solved: true, distance: 0 })
    let depth = 0
    for (let time = 0; time < 1000 * seconds; time += 100) {
      const command = demo.next(now, time, false)
      if (!command) continue
      asked.push(command)
      if (command.kind === 'scramble') {
        depth = command.moves!
        const history = Array(depth).fill({ turn: 'R', by: 'scramble' })
        now = table({ history, at: depth, distance: depth })
      } else if (command.kind === 'solve') {
        const could = solves(depth)
        now = { ...now, solved: could, solving: solving({ status: could ? 'solved' : 'gave_up' }) }
      } else now = table({ solved: true, distance: 0, cube: now.cube + 1 })
    }
    return asked
  }
  const depths = (asked: Command[]) => asked.flatMap((c) => (c.kind === 'scramble' ? [c.moves] : []))

  test('scrambles get longer after successes and shorter after failures', () => {
    expect(depths(run(() => true, 40)).slice(0, 5)).toEqual([2, 3, 4, 5, 6])
    expect(depths(run((depth) => depth < 4, 60)).slice(0, 6)).toEqual([2, 3, 4, 3, 4, 3])
    expect(depths(run(() => false, 30)).slice(0, 3)).toEqual([2, 1, 1])
    expect(Math.max(...depths(run(() => true, 400)).map(Number))).toBe(25)
  })

  test('scrambles, solves and repeats', () => {
    expect(
      run(() => true, 12)
        .slice(0, 4)
        .map(({ kind }) => kind),
    ).toEqual(['scramble', 'solve', 'reset_cube', 'scramble'])
  })

  test('scrambles again if the turns cancel out', () => {
    const demo = new CubeDemo(info(2), { kind: 'greedy' })
    const start = table({ solved: true, distance: 0 })
    expect(demo.next(start, 0, false)).toBeNull()
    expect(demo.next(start, 2000, false)).toEqual({ kind: 'scramble', moves: 2 })
    const history = Array(2).fill({ turn: 'R2', by: 'scramble' })
    const back = table({ solved: true, distance: 0, history, at: 2 })
    expect(demo.next(back, 2100, false)).toEqual({ kind: 'reset_cube' })
    expect(demo.next(start, 2200, false)).toBeNull()
    expect(demo.next(start, 4000, false)).toEqual({ kind: 'scramble', moves: 2 })
  })

  test('waits while the cube moves', () => {
    const demo = new CubeDemo(info(2), { kind: 'greedy' })
    const now = table({ solved: true, distance: 0 })
    for (let time = 0; time < 9000; time += 100) expect(demo.next(now, time, true)).toBeNull()
    const playing = new CubeDemo(info(2), { kind: 'greedy' })
    expect(playing.next(now, 0, false)).toBeNull()
    expect(playing.next(now, 2000, false)).toEqual({ kind: 'scramble', moves: 2 })
    // No further command before the cube shows the last one.
    expect(playing.next(now, 9000, false)).toBeNull()
  })
})

test('only a cube that is not solved has move values and a best move', () => {
  const values = [
    { turn: 'R', value: Math.log(0.61), best: true, optimal: true },
    { turn: 'U', value: Math.log(0.2), best: false, optimal: false },
  ]
  expect(moveRows(table({ values }), true, true).map(({ text, best }) => [text, best])).toEqual([
    ['61.0 %', true],
    ['20.0 %', false],
  ])
  // Distances of the 3×3×3 cube are unknown.
  expect(moveRows(table({ values, distance: null }), true, true).every(({ mark }) => mark === null)).toBe(
    true,
  )
  for (const row of moveRows(table({ values, solved: true }), true, true))
    expect(row).toMatchObject({ text: '–', share: 0, best: false, optimal: null })
})

test('the exact number of turns is that of the move and a shortest solution after it', () => {
  expect([exactTurns(1, true), exactTurns(1, false), exactTurns(14, true)]).toEqual([1, 3, 14])
})

test('values of the 2×2×2 cube are shown as turns to the solved cube', () => {
  expect([-0.1, -1.4, 0.03].map((value) => turnsToGo(value))).toEqual([1, expect.closeTo(14), 0])
  const values = [{ turn: 'R', value: -0.12, best: true, optimal: true }]
  const now = table({ values, distance: 1 })
  expect(moveRows(now, false, true)).toMatchObject([{ text: '1.2', exact: 1, mark: 0.05 }])
  // An untrained network.
  expect(moveRows(now, false, false)).toMatchObject([{ text: '–', exact: null, best: false }])
})
