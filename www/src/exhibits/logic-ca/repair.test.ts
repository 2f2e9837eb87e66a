import { expect, test } from 'vitest'
import type { Board } from './draw/board'
import { emptyShare, litCell, matchingShare, Repair, repeatedShare, wrongCells } from './repair'

const board = (channels: number, ...data: number[]): Board => ({
  width: 2,
  height: data.length / (2 * channels),
  channels,
  data: Uint8Array.from(data),
})

test('wrong cells are counted on boards of the same size', () => {
  expect(wrongCells(board(1, 0, 255, 255, 0), board(1, 0, 255, 0, 255))).toBe(2)
  expect(wrongCells(board(1, 0, 255), board(1, 0, 255, 0, 255))).toBeNull()
  expect(wrongCells(null, board(1, 0, 255))).toBeNull()
  // A cell with several wrong channels counts once.
  expect(wrongCells(board(3, 255, 255, 0, 0, 0, 0), board(3, 0, 0, 0, 0, 0, 0))).toBe(1)
})

test('the share of matching cells is unknown for boards of different sizes', () => {
  expect(matchingShare(board(1, 0, 255, 255, 0), board(1, 0, 255, 255, 255))).toBe(0.75)
  expect(matchingShare(board(1, 0, 255), board(1, 0, 255, 0, 255))).toBeNull()
})

test('a larger board is compared with the repeated target at the best shift', () => {
  const target = board(1, 255, 0, 0, 255)
  expect(repeatedShare(board(1, 255, 0, 0, 255, 255, 0, 0, 255), target, 2)).toBe(1)
  // The pattern begins one row later.
  expect(repeatedShare(board(1, 0, 255, 255, 0, 0, 255, 255, 0), target, 2)).toBe(1)
  expect(repeatedShare(board(1, 255, 0, 0, 255, 255, 0, 0, 0), target, 2)).toBe(0.875)
  expect(repeatedShare(board(1, 0, 0, 0, 0), target, 2)).toBe(0.5)
  expect(repeatedShare(board(1, 0, 0, 0, 0), target, 4)).toBeNull()
  expect(repeatedShare(null, target, 2)).toBeNull()
})

test('an empty board agrees with the dark cells of the target', () => {
  expect(emptyShare(board(1, 0, 255, 0, 0))).toBe(0.75)
  expect(emptyShare(null)).toBeNull()
})

test('a repair ends when a damaged board is as the target again', () => {
  const repair = new Repair()
  // The first frame may be older than the damage.
  repair.update(10, 0)
  expect(repair.done).toBe(false)
  repair.update(11, 12)
  repair.update(14, 3)
  expect([repair.done, repair.worst, repair.wrong, repair.steps]).toEqual([false, 12, 3, 4])
  repair.update(15, 0)
  repair.update(20, 1)
  expect([repair.done, repair.worst, repair.wrong, repair.steps]).toEqual([true, 12, 0, 5])
})

test('the lit cell is the set cell of the target that is nearest to the middle', () => {
  expect(litCell(board(1, 255, 0, 0, 0, 0, 255))).toEqual([1, 2])
  expect(litCell(board(1, 0, 0, 0, 0))).toEqual([1, 1])
})
