import { expect, test } from 'vitest'
import type { CubeActor, CubeTable } from '../../../engine/page/session'
import { listedMoves, reconstruction, twizzleUrl, writeTurns } from './reconstruction'
import { solved, turned } from './stickers'
import { readTurn, type Turn } from './turns'

const read = (turns: string): Turn[] => turns.split(' ').map((turn) => readTurn(turn)!)
const after = (turns: string, first = solved(3)) => read(turns).reduce(turned, first)
const made = (turns: string, by: CubeActor) => turns.split(' ').map((turn) => ({ turn, by }))
const table = (change: Partial<CubeTable>): CubeTable =>
  ({ stickers: solved(3), history: [], at: 0, solving: null, ...change }) as CubeTable
const text = ({ setup, algorithm }: ReturnType<typeof reconstruction>) => [
  setup && writeTurns(setup),
  writeTurns(algorithm),
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
  const url = new URL(twizzleUrl(2, read("R U'"), read('F F R2')))
  expect(url.origin + url.pathname).toBe('https://alpha.twizzle.net/edit/')
  expect(Object.fromEntries(url.searchParams)).toEqual({ 'setup-alg': "R U'", alg: 'F2 R2', puzzle: '2x2x2' })
  expect(writeTurns(read("R R R U U' R2 R2 D' D'"))).toBe("R2 R U U' R2 R2 D2")
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
