import { expect, test } from 'vitest'
import { stepUnit, timeUnit } from './axis-unit'
import { chartText } from './chart-text'
import { chartFigure, linearTicks } from './figure'

const ticks = (last: number) => linearTicks(0, last, 4, timeUnit.increments)

test('labels of training time are in the largest unit in which all ticks are whole numbers', () => {
  expect(timeUnit.labels(ticks(2))).toEqual(['0\u00a0s', '0.5\u00a0s', '1\u00a0s', '1.5\u00a0s', '2\u00a0s'])
  expect(timeUnit.labels(ticks(130))).toEqual([
    '0\u00a0s',
    '30\u00a0s',
    '60\u00a0s',
    '90\u00a0s',
    '120\u00a0s',
  ])
  expect(timeUnit.labels(ticks(500))).toEqual([
    '0\u00a0min',
    '2\u00a0min',
    '4\u00a0min',
    '6\u00a0min',
    '8\u00a0min',
  ])
  expect(timeUnit.labels(ticks(20_000)).at(-1)).toBe('5\u00a0h')
  expect(timeUnit.labels([0])).toEqual(['0\u00a0s'])
  expect(timeUnit.labels([])).toEqual([])
  expect(timeUnit.titledLabels(ticks(0.07))).toEqual(['0', '0.02', '0.04', '0.06'])
})

test('labels of steps have the unit at step 0', () => {
  expect(stepUnit('epochs').labels([0, 50_000])).toEqual(['0 epochs', '50k'])
  expect(stepUnit('epochs').titledLabels([0, 50_000])).toEqual(['0', '50k'])
})

test('a figure and the text of a chart name the axis that is shown', () => {
  const series = [{ label: 'Loss', values: [null, 4, 3], tone: 'accent' as const, width: 1 }]
  const chart = {
    ...{ name: 'loss', title: 'Loss', run: '', note: '', unit: '', xUnit: timeUnit, series },
    ...{ positions: [0, 120, 300], floor: null, range: null, line: null, marks: [150], visible: null },
  }
  const { marks } = chartFigure(chart, '')
  const texts = marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
  expect(texts).toContain('Training time (min)')
  expect(texts).toEqual(expect.arrayContaining(['0', '1', '2', '3', '4', '5']))
  // The curve begins at 120 of 300 s.
  const curve = marks.find((mark) => mark.kind === 'line' && mark.tone === 'accent')
  expect(curve).toMatchObject({
    points: [
      [72 + 0.4 * (616 - 72), expect.any(Number)],
      [616, expect.any(Number)],
    ],
  })
  expect(chartText({ ...chart, lines: [] }, String)).toMatch(
    /^Loss, 0\.0\u00a0s to 5\u00a0min 00\u00a0s of training\./,
  )
})
