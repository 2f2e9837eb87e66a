import { expect, test } from 'vitest'
import { bandOf } from './band'

test('a band is minimum, mean and maximum, interpolated between the steps of each curve', () => {
  const band = bandOf([
    { positions: [0, 10, 20], values: [0, 10, 20] },
    { positions: [0, 20], values: [10, 50] },
  ])
  expect(band).toMatchObject({
    positions: [0, 10, 20],
    mean: [5, 20, 35],
    low: [0, 10, 20],
    high: [10, 30, 50],
  })
})

test('a band is where all curves have values, and missing values are skipped', () => {
  const band = bandOf([
    { positions: [0, 10, 20, 30], values: [null, 10, NaN, 30] },
    { positions: [20, 40], values: [0, 8] },
    { positions: [0, 50], values: [null, null] },
  ])
  expect(band).toMatchObject({ positions: [20, 30], low: [0, 4], high: [20, 30], count: 2 })
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
