import { expect, test } from 'vitest'
import type { CubeActor, CubeTable } from '../../../engine/page/session'
import { reconstruction, twizzleUrl, writeTurns } from './reconstruction'
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
