import { expect, test } from 'vitest'
import { table } from '../../../../../tests/fixtures/game-table'
import type { GameDoubling } from '../../../engine/page/session'
import { boardScore } from './boardScore'
import { start } from './checkers'
import type { PastPosition } from './playedMatch'

const doubling = (some: Partial<GameDoubling>) =>
  ({ length: 7, crawford: false, jacoby: false, cube: 1, owner: null, ...some }) as GameDoubling
const past = {
  score: [4, 2],
  crawford: true,
  cube: null,
  checkers: start,
  seat: 0,
} as unknown as PastPosition

test('the board has the score of the match at the table', () => {
  const at = (some: Partial<GameDoubling>) =>
    boardScore(table(start, { score: [3, 6], doubling: doubling(some) }), null, null, null)
  expect(at({})).toEqual({ points: ['3 of 7', '6 of 7'], crawford: false })
  expect(at({ crawford: true })?.crawford).toBe(true)
  expect(at({ length: 0 })?.points).toEqual(['3 points', '6 points'])
  expect(boardScore(table(start, { score: [3, 6] }), null, null, null)).toBeNull()
})

test('a position of an analyzed match has the score of its game and the length of its match', () => {
  const opened = boardScore(table(start), null, past, { length: 5 })
  expect(opened).toEqual({ points: ['4 of 5', '2 of 5'], crawford: true })
  // An earlier game of the match at the table.
  const earlier = boardScore(table(start, { score: [6, 2], doubling: doubling({}) }), null, past, null)
  expect(earlier?.points).toEqual(['4 of 7', '2 of 7'])
})
