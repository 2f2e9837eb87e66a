import { expect, test } from 'vitest'
import { History } from './history'

test('the recent value of a metric is the mean of its last three values', () => {
  const history = new History()
  const add = (steps: number, wins: number | null) =>
    history.push({
      steps,
      values: [['loss', steps], ...(wins === null ? [] : [['wins', wins] as const])],
    } as never)
  add(1, 0.9)
  add(2, 0.2)
  expect(history.recent()).toEqual({})
  add(3, null)
  expect(history.recent()).toEqual({ loss: 2 })
  add(4, 0.3)
  expect(history.recent().wins).toBeCloseTo(1.4 / 3)
  add(5, 0.4)
  expect(history.recent().wins).toBeCloseTo(0.3)
})
