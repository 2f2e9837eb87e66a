import { expect, test } from 'vitest'
import { bandOf } from './band'

test('a band is minimum, mean and maximum, interpolated between the steps of each curve', () => {
  const band = bandOf([
    { steps: [0, 10, 20], values: [0, 10, 20] },
    { steps: [0, 20], values: [10, 50] },
  ])
  expect(band).toEqual({ steps: [0, 10, 20], mean: [5, 20, 35], low: [0, 10, 20], high: [10, 30, 50] })
})

test('a curve counts only within its range, and missing values are skipped', () => {
  const band = bandOf([
    { steps: [0, 10, 20, 30], values: [null, 10, NaN, 30] },
    { steps: [20, 40], values: [0, 8] },
  ])
  expect(band.steps).toEqual([10, 20, 30, 40])
  expect(band.low).toEqual([10, 0, 4, 8])
  expect(band.high).toEqual([10, 20, 30, 8])
})

test('curves without values make an empty band', () => {
  expect(bandOf([{ steps: [1], values: [null] }]).steps).toEqual([])
  expect(bandOf([]).steps).toEqual([])
})
