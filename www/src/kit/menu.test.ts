import { expect, test } from 'vitest'
import { nextItem } from './menu'

test('arrow keys move between the items of a menu', () => {
  const columns = [1, 2, 2]
  expect(nextItem('ArrowDown', [1, 1], columns)).toEqual([2, 1])
  expect(nextItem('ArrowDown', [2, 1], columns)).toEqual([0, 0])
  expect(nextItem('ArrowUp', [0, 0], columns)).toEqual([2, 0])
  expect(nextItem('ArrowRight', [1, 0], columns)).toEqual([1, 1])
  expect(nextItem('ArrowRight', [1, 1], columns)).toEqual([1, 1])
  expect(nextItem('ArrowLeft', [1, 0], columns)).toEqual([1, 0])
  expect(nextItem('Home', [2, 1], columns)).toEqual([0, 0])
  expect(nextItem('End', [0, 0], columns)).toEqual([2, 0])
  expect(nextItem('a', [0, 0], columns)).toBeNull()
})
