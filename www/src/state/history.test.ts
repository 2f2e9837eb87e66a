import { expect, test } from 'vitest'
import { elapsed, History } from './history'

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

test('a point of several rows has the means of their metrics, and the steps and the training time of the last row', () => {
  const history = new History(2)
  for (const [steps, seconds, loss] of [
    [10, 1, 4],
    [12, 2, 3],
    [13, 3, 1],
  ] as const)
    history.push({
      steps,
      values: [
        [elapsed, seconds],
        ['loss', loss],
      ],
    } as never)
  expect(history.dump()).toEqual({ steps: [10, 13], columns: { elapsed: [1, 3], loss: [4, 2] } })
})
