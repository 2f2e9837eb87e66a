import { expect, test } from 'vitest'
import { difference, figure, largestDifference, median, rounded, short, table } from './results.mjs'

test('the median of an even number of values is the mean of the two in the middle', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 3, 2])).toBe(2.5)
})

test('a difference is relative to the largest element, and infinite for other lengths and for NaN', () => {
  expect(difference([1, -4], [1, -3])).toBe(0.25)
  expect(difference([0, 0], [0, 0])).toBe(0)
  expect(difference([0, 0], [0, 1])).toBe(Infinity)
  expect(difference([1], [1, 2])).toBe(Infinity)
  expect(difference([1], [NaN])).toBe(Infinity)
})

test('the array with the largest difference is named, and a missing array differs infinitely', () => {
  const of = (data) => ({ data })
  const expected = { outputs: { a: of([1]), b: of([2]) }, gradients: { w: of([1]) } }
  const found = { outputs: { a: of([1]), b: of([1]) }, gradients: { w: of([1]) } }
  expect(largestDifference(expected, found)).toEqual({ name: 'outputs/b', value: 0.5 })
  expect(largestDifference(expected, expected)).toEqual({ name: '', value: 0 })
  expect(largestDifference(expected, { outputs: expected.outputs })).toEqual({
    name: 'gradients/w',
    value: Infinity,
  })
})

test('a figure has the fastest repetitions, and the median ratio of the paired rounds', () => {
  const workload = { name: 'browser/a', unit: 'states/s', work: 64 }
  const rounds = (...means) => means.map((mean) => ({ mean, fastest: 2 * mean }))
  // The machine was slower in the last round, for both.
  const result = figure(workload, 2, 'rival 1.0', rounds(10, 12, 6), rounds(5, 8, 2))
  expect(result).toEqual({
    name: 'browser/a',
    value: 1536,
    unit: 'states/s',
    threads: 2,
    rival: { name: 'rival 1.0', value: 1024 },
    pairedRatio: 2,
  })
  expect(table([result]).split('\n')[1].split(/ {2,}/)).toEqual([
    'browser/a',
    '2',
    '1.54K states/s',
    'rival 1.0',
    '1.02K',
    '1.50×',
    '2.00×',
  ])
})

test('numbers are shortened to three digits', () => {
  expect([0.1234, 45.67, 999, 123_456, 2_345_678].map(short)).toEqual([
    '0.123',
    '45.7',
    '999',
    '123K',
    '2.35M',
  ])
})

test('saved figures have four significant digits', () => {
  const figure = { name: 'a', unit: 's', threads: 1, value: 1.23456, pairedRatio: 2.34567 }
  const rival = { name: 'b', value: 123_456 }
  expect(rounded({ ...figure, rival })).toEqual({
    ...figure,
    value: 1.235,
    pairedRatio: 2.346,
    rival: { name: 'b', value: 123_500 },
  })
})
