import { expect, test } from 'vitest'
import { elapsed, History } from '../state/history'
import { bandOf } from './band'
import { runAxis } from './run-axis'
import { wholeRun } from './step-range'

test('over steps, the rows are at their steps', () => {
  const { positions, valuesAt, positionOf } = runAxis('steps', [8, 16], [])
  expect([positions, valuesAt([1, 2]), positionOf(12)]).toEqual([[8, 16], [1, 2], 12])
})

test('over time, the rows are at their training times, after 0 s without values', () => {
  const { positions, valuesAt, positionOf } = runAxis('time', [10, 20, 40], [5, 6, 9])
  expect(positions).toEqual([0, 5, 6, 9])
  expect(valuesAt([1, null, 3])).toEqual([null, 1, null, 3])
  // A start that takes longer than the distance of the rows is part of the axis.
  expect(wholeRun(positions)).toEqual([0, 9])
  expect([0, 5, 20, 30].map(positionOf)).toEqual([0, 2.5, 6, 7.5])
  expect(positionOf(41)).toBeNull()
})

test('the rows of one report, which have its time, are between the preceding report and this one', () => {
  expect(runAxis('time', [10, 20, 30, 60, 70], [4, 4, 8, 8, 9]).positions).toEqual([0, 2, 4, 5, 8, 9])
  // Two reports that were received at nearly the same time.
  expect(runAxis('time', [10, 20, 30], [4, 7.99, 8]).positions).toEqual([0, 4, 6, 8])
  // A row before the clock has started, and an earlier time after a resumed state.
  expect(runAxis('time', [10, 20, 30], [0, 4, 3]).positions).toEqual([0, 2, 3])
})

test('rows without a time are left out, such as those that an older version stored', () => {
  const { positions, valuesAt } = runAxis('time', [10, 20, 30], [null, 6, 9])
  expect([positions, valuesAt([1, 2, 3])]).toEqual([
    [0, 6, 9],
    [null, 2, 3],
  ])
  const without = runAxis('time', [10, 20], [])
  expect([without.positions, without.valuesAt([1, 2]), without.positionOf(10)]).toEqual([[], [], null])
})

test('the positions of a long history ascend, as the library of the charts requires', () => {
  const history = new History()
  // Three rows a report.
  for (let row = 1; row <= 5000; row++)
    history.push({ steps: 8 * row, updates: row, values: [[elapsed, 0.25 * Math.ceil(row / 3)]] } as never)
  const { positions } = runAxis('time', history.steps, history.column(elapsed))
  expect(positions).toHaveLength(history.length + 1)
  expect(positions.every((position, i) => i === 0 || position > positions[i - 1]!)).toBe(true)
  expect(positions.at(-1)).toBe(0.25 * Math.ceil(5000 / 3))
})

test('a band over time is between the values that the runs have at the same time', () => {
  const curve = (elapsed: number[]) => {
    const { positions, valuesAt } = runAxis('time', [100, 200], elapsed)
    return { positions, values: valuesAt([0, 8]) }
  }
  // The second run has the same values at the same steps, in half of the time.
  const { positions, low, high, mean } = bandOf([curve([2, 6]), curve([1, 3])])
  expect(positions).toEqual([2, 3])
  expect(low).toEqual([0, 2])
  expect(high).toEqual([4, 8])
  expect(mean).toEqual([2, 5])
})
