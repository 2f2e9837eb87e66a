import { expect, test } from 'vitest'
import { boardTable, boardText } from './board-data'

const bits = { width: 2, height: 2, channels: 1, data: Uint8Array.of(255, 0, 0, 0) }
const colored = { width: 1, height: 2, channels: 3, data: Uint8Array.of(255, 0, 0, 255, 0, 51) }

test('boards are one table with a column for each board and color', () => {
  expect(boardTable({ soft: bits, target: null })).toEqual({
    row: [1, 1, 2, 2],
    column: [1, 2, 1, 2],
    soft: [1, 0, 0, 0],
  })
  expect(boardTable({ target: colored })).toEqual({
    row: [1, 2],
    column: [1, 1],
    'target red': [1, 1],
    'target green': [0, 0],
    'target blue': [0, 0.2],
  })
  expect(boardTable({ soft: null })).toBeNull()
})

test('the text of a board says how many cells are on', () => {
  expect(boardText('Target', bits)).toBe('Target: 2 × 2 cells, 25 % on.')
  expect(boardText('Target', colored)).toBe('Target: 1 × 2 cells, red 100 %, green 0 %, blue 10 %.')
  expect(boardText('Target', null)).toBe('Target: no board yet.')
})
