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

test('finds the first point of a metric that a test accepts', () => {
  const history = new History()
  const values = [19.9, null, 41, 100, 38]
  for (const [i, value] of values.entries())
    history.push({ steps: 10 * (i + 1), values: value === null ? [] : [['return', value]] } as never)
  const above = (least: number, from = 0) =>
    history.find('return', ({ steps, value }) => steps > from && value >= least)
  expect(above(39.8)).toEqual({ steps: 30, value: 41 })
  expect(above(39.8, 30)).toEqual({ steps: 40, value: 100 })
  expect([above(101), history.find('loss', () => true)]).toEqual([undefined, undefined])
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
