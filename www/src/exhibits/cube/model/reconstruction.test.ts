import { expect, test } from 'vitest'
import type { CubeActor, CubeTable } from '../../../engine/page/session'
import { halfTurns, quarterTurns, sliceTurns, stageLengths } from './lengths'
import { moved, readMove, type LayerMove } from './layer-move'
import {
  attemptTurns,
  enteredAlgorithm,
  hasMoves,
  isAwaited,
  lastAttempt,
  lineEnds,
  listedMoves,
  ownSolution,
  reconstruction,
  statesOf,
  twizzleUrl,
  writeMoves,
  writtenAlgorithm,
} from './reconstruction'
import { solved } from './stickers'

const read = (turns: string): LayerMove[] => turns.split(' ').map((turn) => readMove(turn)!)
const after = (turns: string, first = solved(3)) => read(turns).reduce(moved, first)
const made = (turns: string, by: CubeActor) => turns.split(' ').map((turn) => ({ turn, by }))
const table = (change: Partial<CubeTable>): CubeTable =>
  ({ cube: 1, stickers: solved(3), history: [], at: 0, solving: null, ...change }) as CubeTable
const text = ({ setup, algorithm }: ReturnType<typeof reconstruction>) => [
  setup && writeMoves(setup),
  writeMoves(algorithm),
]

test('scramble and algorithm of a cube that began solved', () => {
  const history = [...made('R U2', 'scramble'), ...made("U2 R'", 'solver')]
  expect(text(reconstruction(table({ history, at: 4 })))).toEqual(['R U2', "U2 R'"])
  // The position in the history does not matter.
  expect(text(reconstruction(table({ history, at: 1, stickers: after('R') })))).toEqual(['R U2', "U2 R'"])
  const own = made("R U F U' R'", 'person')
  const now = { history: own, at: 5, stickers: after("R U F U' R'") }
  expect(text(reconstruction(table(now)))).toEqual(['', "R U F U' R'"])
})

test('rotations of the solved cube belong to the moves after them', () => {
  const rotated = made("x y R' D2", 'person')
  const now = { history: rotated, at: 4, stickers: after("x y R' D2") }
  expect(text(reconstruction(table(now)))).toEqual(['', "x y R' D2"])
  // After an earlier attempt, they belong to the next one.
  const first = [...made('R', 'scramble'), ...made("R'", 'person')]
  const next = { history: [...first, ...rotated], at: 6, stickers: now.stickers }
  expect(lastAttempt(table(next))).toEqual({ begin: 2, solution: 2, isSolved: false })
})

test('a scramble that the person has typed is not part of the solution', () => {
  const history = [...made('R U2', 'person'), ...made('U', 'solver')]
  const solving = { status: 'playing', solution: ['U', 'U', "R'"], made: 1 } as CubeTable['solving']
  const now = table({ history, at: 3, stickers: after('R U2 U'), solving })
  expect(text(reconstruction(now))).toEqual(['R U2', "U2 R'"])
  expect(lastAttempt(now)).toEqual({ begin: 0, solution: 2, isSolved: true })
  // The position in the history does not matter. Without a solver, the turns may be the solution.
  expect(lastAttempt({ ...now, at: 1, stickers: after('R') })).toEqual(lastAttempt(now))
  const typed = { history: history.slice(0, 2), at: 2, stickers: after('R U2') }
  expect(lastAttempt(table(typed))).toEqual({ begin: 0, solution: 0, isSolved: false })
  // On a cube that did not begin solved, the turns of the person belong to the solution.
  const unknown = { history: [...made("U'", 'person'), ...made("R'", 'solver')], at: 2 }
  expect(lastAttempt(table(unknown)).solution).toBe(0)
})

test('the next scramble begins another attempt', () => {
  const first = [...made('R U', 'scramble'), ...made("U' R'", 'solver')]
  expect(lastAttempt(table({ history: first, at: 4 }))).toEqual({ begin: 0, solution: 2, isSolved: true })
  const second = [...first, ...made('F', 'person'), ...made("F'", 'solver')]
  expect(lastAttempt(table({ history: second, at: 6 }))).toEqual({ begin: 4, solution: 5, isSolved: true })
  const added = [...first, ...made('F', 'scramble'), ...made('L', 'person'), ...made('D', 'scramble')]
  const stickers = after('F L D')
  expect(lastAttempt(table({ history: added, at: 7, stickers }))).toEqual({
    begin: 4,
    solution: 7,
    isSolved: false,
  })
  expect(lastAttempt(table({}))).toEqual({ begin: 0, solution: 0, isSolved: true })
})

test('the turns of an attempt depend on the position', () => {
  const scrambled = [...made('R U', 'scramble'), ...made("U' R'", 'person')]
  const history = [...scrambled, ...made('F', 'scramble'), ...made('L', 'person')]
  const states = ['', 'R', 'R U', 'R', '', 'F', 'F L'].map((turns) => (turns ? after(turns) : solved(3)))
  expect(states.map((stickers, at) => attemptTurns(table({ stickers, history, at })))).toEqual([
    ...[[], [], [], ["U'"], ["U'", "R'"], [], ['L']],
  ])
})

test('the rest of a solution is part of the algorithm', () => {
  const solving = { status: 'playing', solution: ["U'", "R'"], made: 1 } as CubeTable['solving']
  const history = [...made('R U', 'scramble'), ...made("U'", 'solver')]
  expect(text(reconstruction(table({ history, at: 3, stickers: after('R'), solving })))).toEqual([
    'R U',
    "U' R'",
  ])
})

test('the setup of an unknown state is the inverse of its solution, if there is one', () => {
  const random = after("F B2 L D'")
  const solution = made("D L' B2 F'", 'solver')
  expect(text(reconstruction(table({ stickers: solved(3), history: solution, at: 4 })))).toEqual([
    "F B2 L D'",
    "D L' B2 F'",
  ])
  expect(
    reconstruction(table({ stickers: after('R', random), history: made('R', 'person'), at: 1 })).setup,
  ).toBeNull()
})

test('the link to Twizzle, and half turns', () => {
  const url = new URL(twizzleUrl(2, read("R U'"), read('F2 R2')))
  expect(url.origin + url.pathname).toBe('https://alpha.twizzle.net/edit/')
  expect(Object.fromEntries(url.searchParams)).toEqual({ 'setup-alg': "R U'", alg: 'F2 R2', puzzle: '2x2x2' })
  // Moves of a person are written as made, the quarter turns of a solver as half turns.
  const algorithm = (by: CubeActor) =>
    text(reconstruction(table({ history: made("R R R U U' D' D'", by), at: 7 })))[1]
  expect([algorithm('person'), algorithm('solver')]).toEqual(["R R R U U' D' D'", "R2 R U U' D2"])
})

test('an algorithm keeps its wide turns, slice turns, rotations and stages', () => {
  const history = [
    ...made("x2 y R U M'", 'scramble'),
    { turn: 'y', by: 'person' as const, stage: 'inspection' },
    ...made("Rw U2 M'", 'person'),
    { turn: 'R2', by: 'person' as const, stage: 'cross' },
    ...made('U', 'person'),
  ]
  const stickers = history.map(({ turn }) => readMove(turn)!).reduce(moved, solved(3))
  const now = table({ history, at: history.length, stickers })
  const lines = "y // inspection\nRw U2 M' R2 // cross\nU"
  expect(text(reconstruction(now))).toEqual(["x2 y R U M'", lines])
  const url = new URL(twizzleUrl(3, read("x2 y R U M'"), reconstruction(now).algorithm))
  expect(url.searchParams.get('alg')).toBe(lines)
  expect(listedMoves(now).map(({ turn, stage }) => turn + (stage ? ` ${stage}` : ''))).toEqual(
    "x2,y,R,U,M',y inspection,Rw,U2,M',R2 cross,U".split(','),
  )
  // The list has a line for the scramble and for each stage; without stages, moves wrap.
  const ends = (list: typeof history) => lineEnds(list).flatMap((isEnd, i) => (isEnd ? [i] : []))
  expect([ends(history), ends(history.slice(0, 5)), ends(made('R U', 'scramble'))]).toEqual([
    [4, 5, 9],
    [],
    [],
  ])
  const algorithm = ['y', 'Rw', 'U2', "M'", 'R2']
  expect([halfTurns(algorithm), quarterTurns(algorithm), sliceTurns(algorithm)]).toEqual([5, 7, 4])
})

test('a solution that ends in another orientation has a setup', () => {
  const history = [...made("x R' U'", 'person')]
  expect(text(reconstruction(table({ stickers: after('x'), history, at: 3 })))[0]).toBe("U R x'")
})

test('the list of turns merges two equal quarter turns of a solution', () => {
  const list = (change: Partial<CubeTable>) =>
    listedMoves(table(change)).map(({ turn, from, to }) => `${turn} ${from}-${to}`)
  const history = [...made('R U', 'scramble'), ...made("U F' F' F' D2 D2", 'solver')]
  const merged = ['R 0-1', 'U 1-2', 'U 2-3', 'F2 3-5', "F' 5-6", 'D2 6-7', 'D2 7-8']
  for (const at of [0, 3, 5, 6, 8]) expect(list({ history, at })).toEqual(merged)
  // After an undo between two equal turns, only the first of them is applied.
  expect(list({ history, at: 4 })).toEqual(merged.toSpliced(3, 2, "F' 3-4", 'F2 4-6'))
  // Turns of a scramble and of the user are listed as they were made.
  for (const by of ['scramble', 'person'] as const)
    expect(list({ history: made('U U', by), at: 2 })).toEqual(['U 0-1', 'U 1-2'])
})

test('a half turn of a playback is one move before, during and after its two quarter turns', () => {
  const solution = ['U', 'U', 'R']
  for (const done of [0, 1, 2, 3]) {
    const solving = { status: done < 3 ? 'playing' : 'solved', solution, made: done } as CubeTable['solving']
    const history = [
      ...made('F', 'scramble'),
      ...solution.slice(0, done).map((turn) => ({ turn, by: 'solver' as const })),
    ]
    const moves = listedMoves(table({ history, at: history.length, solving }))
    expect(moves.map(({ turn, to }) => [turn, to])).toEqual([
      ['F', 1],
      ['U2', 3],
      ['R', 4],
    ])
  }
})

test('the states of a history do not depend on the position', () => {
  const history = made('R U F', 'person')
  const states = ['', 'R', 'R U', 'R U F'].map((turns) => (turns === '' ? solved(3) : after(turns)))
  for (const [at, stickers] of states.entries()) {
    expect(statesOf({ stickers, history, at }, 0)).toEqual(states)
    expect(statesOf({ stickers, history, at }, 2)).toEqual(states.slice(2))
  }
})

test('the moves of the person since the scramble are a solution if they solve the cube', () => {
  const scramble = made('R U', 'scramble')
  const own = [...scramble, ...made("U' R'", 'person')]
  const solution = { start: after('R U'), moves: ["U'", "R'"] }
  expect(ownSolution(table({ history: own, at: 4 }))).toEqual(solution)
  // Undone moves are part of it.
  expect(ownSolution(table({ history: own, at: 3, stickers: after('R') }))).toEqual(solution)
  expect(ownSolution(table({ history: own.slice(0, 3), at: 3, stickers: after('R') }))).toBeNull()
  const helped = [...own.slice(0, 3), ...made("R'", 'solver')]
  expect(ownSolution(table({ history: helped, at: 4 }))).toBeNull()
  expect(ownSolution(table({ history: scramble, at: 2, stickers: after('R U') }))).toBeNull()
  expect(ownSolution(table({ history: made("R R'", 'person'), at: 2 }))).toBeNull()
  // The next scramble begins another attempt.
  const again = [...helped, ...made('F', 'scramble'), ...made("F'", 'person')]
  expect(ownSolution(table({ history: again, at: 6 }))).toEqual({ start: after('F'), moves: ["F'"] })
})

test('a stage has the number of its half turns', () => {
  const moves = [...made('F F', 'scramble'), ...made("x R U2 D' M", 'person')]
  const staged = moves.map((move, i) => ({ ...move, stage: { 4: 'cross', 6: 'rest' }[i] }))
  expect(stageLengths(staged)).toEqual([null, null, null, null, 2, null, 3])
})

test('entered texts keep their brackets and comments in the written algorithm', () => {
  const turns = "F U2 R U R' U' F'"
  const now = table({ history: made(turns, 'person'), at: 7, stickers: after(turns) })
  const before = table({ history: made('F U2', 'person'), at: 2, stickers: after('F U2') })
  const until6 = table({ history: now.history.slice(0, 6), at: 6 })
  expect(enteredAlgorithm('[R, U]', 2, before)).toBeNull()
  const entered = enteredAlgorithm(' [R, U]\n', 2, until6)!
  expect(entered).toEqual({ text: '[R, U]', cube: 1, from: 2, turns: ['R', 'U', "R'", "U'"] })
  expect(writtenAlgorithm(now, [entered])).toBe("F U2 [R, U] F'")
  const commented = { ...entered, text: '[R, U] // commutator' }
  expect(writtenAlgorithm(now, [commented])).toBe("F U2\n[R, U] // commutator\nF'")
  // Equal moves of another cube, or of a solver.
  expect(writtenAlgorithm({ ...now, cube: 2 }, [commented])).toBe("F U2 R U R' U' F'")
  const bySolver = { ...now, history: [...made('F U2', 'person'), ...made("R U R' U' F'", 'solver')] }
  expect(writtenAlgorithm(bySolver, [entered])).toBe("R U R' U' F'")
  // Other moves at this place.
  expect(writtenAlgorithm(before, [entered])).toBe('F U2')
  // Moves of the scramble are not part of the algorithm.
  const scrambled = { ...now, history: [...made("F U2 R U R'", 'scramble'), ...made("U' F'", 'person')] }
  expect(writtenAlgorithm(scrambled, [entered])).toBe("U' F'")
  expect(['// note', '/* R */', '()', "(R U)3'"].map(hasMoves)).toEqual([false, false, false, true])
})

test('the moves of an entered text appear on the same cube, or on the copy that replaces the demonstration', () => {
  const entered = { text: 'R', cube: 1, isReplaced: false, from: 2 }
  const states = [
    { cube: 1, at: 2 },
    { cube: 1, at: 3 },
    { cube: 2, at: 0 },
  ]
  expect(states.map((state) => isAwaited(entered, state))).toEqual([true, false, false])
  const overDemo = { ...entered, isReplaced: true, from: 0 }
  expect([...states, { cube: 2, at: 1 }].map((state) => isAwaited(overDemo, state))).toEqual([
    true,
    true,
    true,
    false,
  ])
})
