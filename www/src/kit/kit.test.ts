import { expect, test } from 'vitest'
import { Pointers } from './pointers'

test('two pointers zoom and move, one alone does neither', () => {
  const pointers = new Pointers()
  expect(pointers.move(1, { x: 0, y: 0 })).toBeNull()
  pointers.down(1, { x: 0, y: 0 })
  expect(pointers.move(1, { x: 10, y: 0 })).toBeNull()
  pointers.down(2, { x: 30, y: 0 })
  expect(pointers.move(2, { x: 50, y: 0 })).toEqual({ zoom: 2, middle: { x: 30, y: 0 }, dx: 10, dy: 0 })
  // The zoom is bounded if both fingers are at the same point.
  expect(pointers.move(2, { x: 10, y: 0 })?.zoom).toBe(1 / 40)
  pointers.up(1)
  expect([pointers.count, pointers.move(2, { x: 0, y: 0 })]).toEqual([1, null])
})
