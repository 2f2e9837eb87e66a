import { expect, test } from 'vitest'
import { solved } from '../model/stickers'
import type { Size } from '../model/turns'
import { blank, cells, colorOfKey, counts, isComplete, missing, painted, remaining, step } from './net'

const sizes: Size[] = [2, 3]

test.each(sizes)('size %i: stickers of the net do not overlap', (size) => {
  const all = cells(size)
  expect(all).toHaveLength(6 * size * size)
  expect(new Set(all.map(({ column, row }) => `${column} ${row}`)).size).toBe(all.length)
  expect(all.map(({ sticker }) => sticker)).toEqual(all.map((_, i) => i))
  expect(all.filter(({ center }) => center)).toHaveLength(size === 3 ? 6 : 0)
  // Adjacent stickers of the net are adjacent on the cube: the last row of U above the first row of F.
  const up = all.find((cell) => cell.face === 'U' && cell.row === size - 1)!
  const front = all.find((cell) => cell.face === 'F')!
  expect([front.column, front.row]).toEqual([up.column, up.row + 1])
})

test.each(sizes)('size %i: painted stickers are counted', (size) => {
  const empty = blank(size)
  expect(missing(empty)).toBe(size === 3 ? 48 : 24)
  expect(missing(solved(size))).toBe(0)
  const one = painted(empty, 1, 'L')
  expect(missing(one)).toBe(missing(empty) - 1)
  const count = counts(one).find(({ color }) => color === 'L')!
  expect([count.count, count.needed]).toEqual([size === 3 ? 2 : 1, size * size])
  expect(counts(solved(size)).every(({ count, needed }) => count === needed)).toBe(true)
})

test('colors that are missing or too many are listed, with what remains to do', () => {
  expect(remaining(blank(2))).toBe(
    'Missing: 4 white, 4 red, 4 green, 4 yellow, 4 orange, 4 blue. To do: paint 24.',
  )
  expect(remaining(solved(3))).toBe('Each color has 9 stickers. To do: use this cube.')
  const flipped = [...solved(3)]
  ;[flipped[7], flipped[19]] = ['F', 'U']
  expect(remaining(flipped.join(''))).toBe('Each color has 9 stickers. To do: correct the stickers.')
  // Too many blue stickers, too few white and red ones.
  const wrong = painted(painted(solved(2), 0, 'B'), 4, 'B')
  expect(remaining(wrong)).toBe('Too many: 2 blue. Missing: 1 white, 1 red. To do: repaint 2.')
  expect(remaining(`-${wrong.slice(1)}`)).toBe(
    'Too many: 1 blue. Missing: 1 white, 1 red. To do: repaint 1, paint 1.',
  )
  expect([solved(2), wrong, blank(3)].map(isComplete)).toEqual([true, false, false])
})

test('colors are typed by their initials', () => {
  expect([...'wRgYob'].map(colorOfKey).join('')).toBe('URFDLB')
  for (const key of ['x', 'Enter', '', ' ']) expect(colorOfKey(key)).toBeNull()
})

test('arrow keys move across the net and its gaps', () => {
  const all = cells(2)
  expect(step(all, 0, 1, 0)).toBe(1)
  // There is nothing above the upper row of U.
  expect(step(all, 0, 0, -1)).toBe(0)
  // Below its lower row is F.
  expect(all[step(all, 2, 0, 1)]!.face).toBe('F')
  expect(all[step(all, 16, 1, 0)]!.face).toBe('L')
})
