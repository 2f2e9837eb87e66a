import { describe, expect, test } from 'vitest'
import { History } from '../state/history'
import { isSingle } from './single'
import { stripPoints } from './strip'

const row = (steps: number, value: number, name = 'return_mean') => ({
  steps,
  values: [[name, value]] as [string, number][],
})

test('a single value is distinguished from a line, with any number of empty steps', () => {
  expect(isSingle([null, null, 2.62, null])).toBe(true)
  expect(isSingle([0])).toBe(true)
  expect([[], [null], [1, null, 2]].map(isSingle)).toEqual([false, false, false])
})

describe('history', () => {
  test('short runs are kept as they are', () => {
    const history = new History(8)
    for (let i = 1; i <= 5; i++) history.push(row(i * 10, i))
    expect(history.steps).toEqual([10, 20, 30, 40, 50])
    expect(history.column('return_mean')).toEqual([1, 2, 3, 4, 5])
  })

  test('a run of any length stays within bounds, in order, evenly resolved, and keeps its mean', () => {
    const history = new History(64)
    const length = 64 * 100
    for (let i = 1; i <= length; i++) history.push(row(i, i))
    expect(history.length).toBeLessThanOrEqual(64)
    expect(history.length).toBeGreaterThan(16)
    const gaps = history.steps.slice(1).map((s, i) => s - history.steps[i]!)
    expect(new Set(gaps).size).toBe(1)
    const column = history.column('return_mean') as number[]
    const last = history.steps.at(-1)!
    expect(column.reduce((a, b) => a + b, 0) / column.length).toBeCloseTo((last + 1) / 2)
  })

  test('columns that begin late are empty before, and all are as long as the steps', () => {
    const history = new History(8)
    history.push(row(1, 1))
    history.push(row(2, 5, 'entropy'))
    history.push(row(3, NaN))
    expect(history.column('return_mean')).toEqual([1, null, null])
    expect(history.column('entropy')).toEqual([null, 5, null])
    expect(history.column('unknown')).toEqual([null, null, null])
    for (let i = 4; i < 40; i++) history.push(row(i, i))
    expect(history.column('entropy').length).toBe(history.length)
  })

  test('a run that resumes from an older state repeats some steps', () => {
    const history = new History(8)
    for (let i = 1; i <= 20; i++) history.push(row(i, i))
    const steps = [...history.steps]
    history.rewind(13)
    expect(history.steps).toEqual(steps.filter((s) => s <= 13))
    expect(history.column('return_mean').length).toBe(history.length)
    for (let i = 14; i <= 40; i++) history.push(row(i, i))
    expect(history.steps).toEqual([...history.steps].sort((a, b) => a - b))
    expect(Math.min(...(history.column('return_mean') as number[]))).toBeLessThan(12)
  })

  test('cleared is new', () => {
    const history = new History(4)
    for (let i = 0; i < 9; i++) history.push(row(i, i))
    history.clear()
    history.push(row(1, 2))
    expect([history.steps, history.column('return_mean')]).toEqual([[1], [2]])
  })
})

describe('strip', () => {
  const box = { width: 100, top: 10, bottom: 60, low: 0, high: 500 }

  test('the run fills the width, the range the height', () => {
    expect(stripPoints([50, 75, 100], [0, 250, 500], box)).toEqual([
      { x: 0, y: 60 },
      { x: 50, y: 35 },
      { x: 100, y: 10 },
    ])
  })

  test('stays in the strip whatever comes', () => {
    for (const { y } of stripPoints([1, 2, 3], [-1e9, 1e9, 250], box)) {
      expect(y).toBeLessThanOrEqual(60)
      expect(y).toBeGreaterThanOrEqual(5)
    }
    expect(stripPoints([], [], box)).toEqual([])
    expect(stripPoints([8], [500], box)).toEqual([{ x: 100, y: 10 }])
    expect(stripPoints([1], [null], box)).toEqual([])
  })
})
