import { expect, test } from 'vitest'
import { chartFigure, linearTicks, logarithmicTicks, type ChartData, type Mark } from './figure'
import { figureSvg } from './svg'

const chart: ChartData = {
  name: 'loss',
  title: 'Loss <KL> & "entropy"',
  unit: 'nats',
  unitOfSteps: 'epochs',
  steps: [0, 100, 200, 300],
  series: [{ label: 'Loss', values: [4, 3, null, 1], tone: 'accent' }],
  floor: null,
  range: null,
  line: { at: 2, label: 'goal, 2' },
  marks: [150],
  visible: null,
}
const colors = { ground: '#fff', ink: '#000', muted: '#666', grid: '#ddd', accent: '#a00' }
const texts = (marks: readonly Mark[]) => marks.flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []))
const curves = (marks: readonly Mark[]) =>
  marks.flatMap((mark) => (mark.kind === 'line' && mark.tone === 'accent' ? [mark.points] : []))

test('ticks are round numbers inside the range', () => {
  expect(linearTicks(0, 10, 5)).toEqual([0, 2, 4, 6, 8, 10])
  expect(linearTicks(-0.31, 0.22, 5)).toEqual([-0.3, -0.2, -0.1, 0, 0.1, 0.2])
  expect(linearTicks(0, 1.35e6, 6)).toHaveLength(7)
  expect(linearTicks(3, 3, 5)).toEqual([])
  expect(logarithmicTicks(0.0008, 20)).toEqual([0.001, 0.01, 0.1, 1, 10])
})

test('a figure has a title, the run, units on both axes, and the reference line', () => {
  const { marks } = chartFigure(chart, 'Cartpole, Earth, seed 1')
  const found = texts(marks)
  for (const text of [chart.title, 'Cartpole, Earth, seed 1', 'epochs', `${chart.title} (nats)`, 'goal, 2'])
    expect(found).toContain(text)
})

test('the curve spans the plot, larger values are higher, and missing values are skipped', () => {
  const [points] = curves(chartFigure(chart, '').marks)
  expect(points).toHaveLength(3)
  expect(points![0]![0]).toBe(72)
  expect(points!.at(-1)![0]).toBe(616)
  const heights = points!.map(([, y]) => y)
  expect(heights).toEqual([...heights].sort((a, b) => a - b))
})

test('a figure shows only the displayed steps', () => {
  const [points] = curves(chartFigure({ ...chart, visible: [0, 100] }, '').marks)
  expect(points).toHaveLength(2)
  expect(points!.at(-1)![0]).toBe(616)
})

test('a logarithmic axis clamps values to its minimum', () => {
  const values = [1, 0.1, 0, 1e-9]
  const log = { ...chart, floor: 1e-3, line: null, series: [{ label: '', values, tone: 'accent' as const }] }
  const { marks } = chartFigure(log, '')
  const [points] = curves(marks)
  expect(points![2]![1]).toBe(points![3]![1])
  expect(points![1]![1] - points![0]![1]).toBeCloseTo((points![2]![1] - points![1]![1]) / 2)
  expect(texts(marks)).toContain('0.1')
})

test('a single value is a dot, and a chart without values has axes', () => {
  const single = { ...chart, series: [{ label: '', values: [null, 2, null, null], tone: 'accent' as const }] }
  expect(chartFigure(single, '').marks.filter(({ kind }) => kind === 'dot')).toHaveLength(1)
  const none = chartFigure({ ...chart, steps: [], series: [{ label: '', values: [], tone: 'accent' }] }, '')
  expect(figureSvg(none, colors)).not.toMatch(/NaN|Infinity/)
})

test('the SVG text escapes its texts', () => {
  const svg = figureSvg(chartFigure(chart, 'Cartpole'), colors)
  expect(svg).toContain('<title>Loss &lt;KL&gt; &amp; &quot;entropy&quot;</title>')
  expect(svg).not.toMatch(/NaN|undefined/)
})
