import { expect, test } from 'vitest'
import { stepUnit } from './axis-unit'
import { chartText, type DescribedChart } from './chart-text'

const chart: DescribedChart = {
  title: 'Mean return',
  xUnit: stepUnit('steps'),
  positions: [1000, 2000],
  series: [{ label: 'Mean return', values: [20, 40] }],
  lines: [],
  visible: null,
}
const format = (value: number) => value.toFixed(0)
const textOf = (change: Partial<DescribedChart>) => chartText({ ...chart, ...change }, format)
/** A curve of 20 values. */
const curve = (value: (i: number) => number): Partial<DescribedChart> => ({
  positions: Array.from({ length: 20 }, (_, i) => 1000 * (i + 1)),
  series: [{ label: 'Mean return', values: Array.from({ length: 20 }, (_, i) => value(i)) }],
})

test('the text has the range of steps, the last value and the range of the values', () => {
  expect(textOf({})).toBe('Mean return, 0 to 2,000 steps. Last value 40, lowest 20, highest 40.')
})

test('without values the text says so', () => {
  expect(textOf({ positions: [], series: [] })).toBe('Mean return: no values yet.')
  expect(textOf({ series: [{ label: 'Mean return', values: [null, null] }] })).toBe(
    'Mean return: no values yet.',
  )
})

test('a single value has no range', () => {
  expect(textOf({ series: [{ label: 'Mean return', values: [null, 7] }] })).toMatch(/Only value 7\.$/)
  expect(textOf({ series: [{ label: 'Mean return', values: [7, 7] }] })).toMatch(/Constant at 7\.$/)
})

test('the trend is that of the last values', () => {
  expect(textOf(curve((i) => i))).toMatch(/, rising at the end\.$/)
  expect(textOf(curve((i) => (i < 15 ? 2 * i : 30 - i)))).toMatch(/, falling at the end\.$/)
  expect(textOf(curve((i) => Math.min(i, 10)))).toMatch(/, nearly constant at the end\.$/)
})

test('only the displayed steps are described', () => {
  expect(textOf({ ...curve((i) => i), visible: [2000, 4000] })).toMatch(
    /2,000 to 4,000 steps\. Last value 3, lowest 1, highest 3\.$/,
  )
})

test('other series and reference lines have their labels', () => {
  const moon = { label: 'Moon gravity, seed 2', values: [10, 30], positions: [1000, 3000] }
  expect(textOf({ series: [...chart.series, moon], lines: ['solved'] })).toBe(
    'Mean return, 0 to 3,000 steps. Last value 40, lowest 20, highest 40. Moon gravity, seed 2: Last value 30, lowest 10, highest 30. Dashed lines: solved.',
  )
})
