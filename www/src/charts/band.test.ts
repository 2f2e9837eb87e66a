import { expect, test } from 'vitest'
import { bandOf } from './band'

test('a band is minimum, mean and maximum, interpolated between the steps of each curve', () => {
  const band = bandOf([
    { positions: [0, 10, 20], values: [0, 10, 20] },
    { positions: [0, 20], values: [10, 50] },
  ])
  expect(band).toEqual({ positions: [0, 10, 20], mean: [5, 20, 35], low: [0, 10, 20], high: [10, 30, 50] })
})

test('a curve counts only within its range, and missing values are skipped', () => {
  const band = bandOf([
    { positions: [0, 10, 20, 30], values: [null, 10, NaN, 30] },
    { positions: [20, 40], values: [0, 8] },
  ])
  expect(band.positions).toEqual([10, 20, 30, 40])
  expect(band.low).toEqual([10, 0, 4, 8])
  expect(band.high).toEqual([10, 20, 30, 8])
})

test('curves without values make an empty band', () => {
  expect(bandOf([{ positions: [1], values: [null] }]).positions).toEqual([])
  expect(bandOf([]).positions).toEqual([])
})

test('an interval is that of the mean, and is cut at the bounds of the metric', () => {
  const curves = [0.1, 0.5, 0.9].map((value) => ({ positions: [0, 10], values: [value, 0.5] }))
  const half = (4.303 * 0.4) / Math.sqrt(3)
  const { mean, low, high } = bandOf(curves, 'interval')
  expect(mean[0]).toBeCloseTo(0.5)
  expect([low[0], high[0]]).toEqual([expect.closeTo(0.5 - half, 3), expect.closeTo(0.5 + half, 3)])
  expect([low[1], high[1]]).toEqual([0.5, 0.5])
  const bounded = bandOf(curves, 'interval', [0, 1])
  expect([bounded.low[0], bounded.high[0]]).toEqual([0, 1])
  expect(bandOf(curves, 'interval', [null, 1]).low[0]).toBeCloseTo(0.5 - half, 3)
})

test('at a step of a single curve, an interval has no width', () => {
  const { low, high } = bandOf(
    [
      { positions: [0, 10], values: [1, 2] },
      { positions: [10], values: [4] },
    ],
    'interval',
  )
  expect([low[0], high[0]]).toEqual([1, 1])
  expect(high[1]! - low[1]!).toBeGreaterThan(2)
})
