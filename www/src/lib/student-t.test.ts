import { expect, test } from 'vitest'
import { centralProbability, criticalValue, halfInterval, halfIntervalOfDifference } from './student-t'

// Two-sided critical values of https://www.itl.nist.gov/div898/handbook/eda/section3/eda3672.htm.
test.each([
  [1, 6.314, 12.706, 63.657],
  [2, 2.92, 4.303, 9.925],
  [3, 2.353, 3.182, 5.841],
  [4, 2.132, 2.776, 4.604],
  [5, 2.015, 2.571, 4.032],
  [8, 1.86, 2.306, 3.355],
  [9, 1.833, 2.262, 3.25],
  [10, 1.812, 2.228, 3.169],
  [30, 1.697, 2.042, 2.75],
  [100, 1.66, 1.984, 2.626],
])('critical values with %i degrees of freedom agree with the table', (freedom, p90, p95, p99) => {
  expect(criticalValue(0.9, freedom)).toBeCloseTo(p90, 3)
  expect(criticalValue(0.95, freedom)).toBeCloseTo(p95, 3)
  expect(criticalValue(0.99, freedom)).toBeCloseTo(p99, 3)
})

test('the probability of 0 is 0, and of large values 1', () => {
  for (const freedom of [1, 2, 3, 6]) {
    expect(centralProbability(0, freedom)).toBe(0)
    expect(centralProbability(1e9, freedom)).toBeCloseTo(1, 6)
  }
})

test('the interval of a mean', () => {
  // Standard deviation 1, standard error 1/√3, 2 degrees of freedom.
  expect(halfInterval([1, 2, 3])).toBeCloseTo(4.303 / Math.sqrt(3), 3)
  expect(halfInterval([5, 5])).toBe(0)
  expect(halfInterval([5])).toBe(Infinity)
})

test('the interval of a difference of means with different variances', () => {
  // Variances 1 and 100, standard error √(1/3 + 100/3), 2.04 degrees of freedom, rounded down to 2.
  expect(halfIntervalOfDifference([1, 2, 3], [10, 20, 30])).toBeCloseTo(4.303 * Math.sqrt(101 / 3), 2)
  expect(halfIntervalOfDifference([5, 5], [1, 1])).toBe(0)
  expect(halfIntervalOfDifference([5], [1, 2])).toBe(Infinity)
})
