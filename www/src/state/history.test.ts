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

test('a metric has its first value and the steps of its last value', () => {
  const history = new History()
  expect([history.first('wins'), history.lastSteps('wins')]).toEqual([undefined, undefined])
  for (const [steps, name, value] of [
    [1, 'loss', 5],
    [2, 'wins', 0.4],
    [3, 'wins', 0.6],
    [4, 'loss', 3],
  ] as const)
    history.push({ steps, values: [[name, value]] } as never)
  expect([history.first('wins'), history.lastSteps('wins')]).toEqual([0.4, 3])
  expect([history.first('loss'), history.lastSteps('loss')]).toEqual([5, 4])
})
