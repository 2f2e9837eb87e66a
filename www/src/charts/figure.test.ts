import { expect, test } from 'vitest'
import experiments from '../protocol/experiments.json'
import { stepUnit } from './axis-unit'
import {
  chartFigure,
  letterWidth,
  linearTicks,
  logarithmicTicks,
  printSize,
  withoutOwnLine,
  type ChartData,
  type Mark,
} from './figure'
import { figureSvg } from './svg'

const chart: ChartData = {
  name: 'loss',
  title: 'Loss <KL> & "entropy"',
  run: 'Default, seed 1',
  note: '',
  unit: 'nats',
  xUnit: stepUnit('epochs'),
  positions: [0, 100, 200, 300],
  series: [{ label: 'Loss', values: [4, 3, null, 1], tone: 'accent', width: 1.75 }],
  floor: null,
  range: null,
  line: { at: 2, label: 'goal, 2' },
  marks: [150],
  visible: null,
}
const runColors = { 'run-1': '#010', 'run-2': '#020', 'run-3': '#030', 'run-4': '#040' }
const colors = { ground: '#fff', ink: '#000', muted: '#666', grid: '#ddd', accent: '#a00', ...runColors }
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
  for (const text of [chart.title, 'Cartpole, Earth, seed 1', 'Epochs', `${chart.title} (nats)`, 'goal, 2'])
    expect(found).toContain(text)
  expect(texts(chartFigure({ ...chart, xUnit: stepUnit('steps') }, '').marks)).toContain('Environment steps')
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
  const log = {
    ...chart,
    floor: 1e-3,
    line: null,
    series: [{ label: '', values, tone: 'accent' as const, width: 1.75 }],
  }
  const { marks } = chartFigure(log, '')
  const [points] = curves(marks)
  expect(points![2]![1]).toBe(points![3]![1])
  expect(points![1]![1] - points![0]![1]).toBeCloseTo((points![2]![1] - points![1]![1]) / 2)
  expect(texts(marks)).toContain('0.1')
})

test('a single value is a dot, and a chart without values has axes', () => {
  const single = {
    ...chart,
    series: [{ label: '', values: [null, 2, null, null], tone: 'accent' as const, width: 1.75 }],
  }
  expect(chartFigure(single, '').marks.filter(({ kind }) => kind === 'dot')).toHaveLength(1)
  const none = chartFigure(
    { ...chart, positions: [], series: [{ label: '', values: [], tone: 'accent', width: 1.75 }] },
    '',
  )
  expect(figureSvg(none, colors)).not.toMatch(/NaN|Infinity/)
})

test('a legend that is too long is continued in the next row, inside the figure; the note is in the description only', () => {
  const label = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ')
  const other = { label, positions: [0, 300], values: [1, 2], tone: 'run-1', width: 1 } as const
  const figure = chartFigure({ ...chart, note: 'Band: range.', series: [...chart.series, other] }, 'Cartpole')
  const rows = figure.marks.flatMap((mark) => (mark.kind === 'text' && mark.at[1] > 376 ? [mark] : []))
  expect(rows.slice(1).map(({ text }) => text)).toSatisfy((parts: string[]) => parts.join(' ') === label)
  expect(rows.length).toBeGreaterThan(3)
  for (const { text } of rows) expect(text.length).toBeLessThan(98)
  expect(rows.at(-1)!.at[1]).toBe(figure.height - 16)
  const tops = rows.map(({ at }) => at[1])
  expect(tops).toEqual(tops.map((_, i) => tops[0]! + 20 * i))
  // The description names all runs.
  expect(figureSvg(figure, colors)).toContain(
    `<desc>Cartpole; Default, seed 1; ${label}; Band: range.</desc>`,
  )
})

test('a figure without legend is as high as that of a single run', () => {
  const other = { label: 'Moon', positions: [0, 300], values: [1, 2], tone: 'run-1', width: 1 } as const
  const two = { ...chart, series: [...chart.series, other] }
  const figure = chartFigure(two, 'Cartpole', undefined, false)
  expect(figure.height).toBe(chartFigure(chart, 'Cartpole').height)
  expect(texts(figure.marks)).not.toContain('Moon')
  expect(figure.description).toContain('Moon')
})

test('the SVG text escapes its texts', () => {
  const svg = figureSvg(chartFigure(chart, 'Cartpole'), colors)
  expect(svg).toContain('<title>Loss &lt;KL&gt; &amp; &quot;entropy&quot;</title>')
  expect(svg).not.toMatch(/NaN|undefined/)
})

test('the curve of another run has its own steps, its dashes and a row of the legend; its band is an area', () => {
  const other = {
    label: 'Moon gravity, 3 seeds',
    positions: [0, 600],
    values: [6, 0],
    tone: 'run-2',
    width: 1.25,
    dash: [6, 3],
    band: { low: [5, -2], high: [8, 2] },
  } as const
  const figure = chartFigure({ ...chart, series: [...chart.series, other] }, '')
  expect(figure.height).toBeGreaterThan(chartFigure(chart, '').height)
  // The legend names this run too, with its solid line.
  expect(texts(figure.marks).slice(-2)).toEqual([chart.run, other.label])
  expect(texts(chartFigure(chart, '').marks)).not.toContain(chart.run)
  const own = figure.marks.findLast((mark) => mark.kind === 'line' && mark.tone === 'accent')
  expect(own).toMatchObject({
    points: [
      [72, 380],
      [100, 380],
    ],
    width: 1.75,
  })
  expect(own).not.toHaveProperty('dash', expect.anything())
  const lines = figure.marks.filter((mark) => mark.kind === 'line' && mark.tone === 'run-2')
  expect(lines).toMatchObject([{ dash: [6, 3] }, { dash: [6, 3] }])
  const [area, sample] = figure.marks.flatMap((mark) => (mark.kind === 'area' ? [mark.points] : []))
  expect(area!.map(([x]) => x)).toEqual([72, 616, 616, 72])
  // The sample in the legend is around the sample of the line, 20 pixels below that of this run.
  expect(sample).toEqual([
    [72, 394],
    [100, 394],
    [100, 406],
    [72, 406],
  ])
  // The axis ends at the last step of the longest run.
  expect(curves(figure.marks)[0]!.at(-1)![0]).toBe((72 + 616) / 2)
  expect(figureSvg(figure, colors)).toMatch(/<polygon [^>]*fill="#020"/)
})

test('a figure without the line of this run has the lines of the bands only, and their steps', () => {
  const band = { low: [5, -2], high: [8, 2] }
  const other = { label: 'Seeds 1 to 3', positions: [0, 600], values: [6, 0], band } as const
  const both = { ...chart, series: [...chart.series, { ...other, tone: 'run-2' as const, width: 1 }] }
  const figure = chartFigure(withoutOwnLine(both), '')
  expect(texts(figure.marks).at(-1)).toBe(other.label)
  expect(texts(figure.marks)).not.toContain(chart.run)
  expect(figure.marks.some((mark) => mark.kind === 'line' && mark.tone === 'accent')).toBe(false)
})

test('the label of the reference line is on a background, where the fewest curves cross it', () => {
  const labelOf = (values: readonly number[]) => {
    const marks = chartFigure({ ...chart, series: [{ ...chart.series[0]!, values }] }, '').marks
    const i = marks.findIndex((mark) => mark.kind === 'text' && mark.text === 'goal, 2')
    const [ground, text] = [marks[i - 1]!, marks[i]!]
    if (ground.kind !== 'ground' || text.kind !== 'text') throw new Error('no background')
    return { left: ground.at[0] }
  }
  // The curve ends above the line, or below it, and there it would cross the label.
  const rising = labelOf([0, 3, 4, 4])
  const falling = labelOf([4, 4, 3, 1.9])
  expect(rising.left).toBeGreaterThan(500)
  expect(falling.left).toBeLessThan(rising.left)
  const svg = figureSvg(chartFigure(chart, ''), colors)
  expect(svg).toMatch(/<rect [^>]*fill="#fff"\/>\n<text [^>]*fill="#666">goal, 2<\/text>/)
})

test('a figure for print has its width in points, small text of 8 points, no title, and all texts inside', () => {
  const band = { low: [3, 2], high: [5, 4] }
  const others = {
    label: 'Moon gravity, seeds 1 to 3, mean and range',
    values: [4, 3],
    positions: [0, 300],
    band,
  }
  const series = [...chart.series, { ...others, tone: 'run-1' as const, width: 1.25 }]
  for (const inches of [3.3, 6.9]) {
    const size = printSize(inches)
    for (const { label, unit } of experiments.flatMap(({ metrics }) => metrics)) {
      const { width, height, marks } = chartFigure({ ...chart, title: label, unit, series }, 'CartPole', size)
      expect(texts(marks)).not.toContain('CartPole')
      const curves = marks.flatMap((mark) => (mark.kind === 'line' ? mark.points : []))
      expect(Math.max(...curves.map(([x]) => x))).toBeLessThan(width)
      for (const mark of marks) {
        if (mark.kind !== 'text') continue
        expect(mark.size * size.points!).toBeGreaterThanOrEqual(8)
        const room = (letterWidth / 12) * mark.size * mark.text.length
        const [at, end] = mark.upward ? [height - mark.at[1], height] : [mark.at[0], width]
        const start = { start: at, middle: at - room / 2, end: at - room }[mark.align]
        expect(start, mark.text).toBeGreaterThanOrEqual(0)
        expect(start + room, mark.text).toBeLessThanOrEqual(end)
      }
    }
    const svg = figureSvg(chartFigure(chart, '', size), colors)
    expect(svg).toContain(`width="${(72 * inches).toFixed(1)}pt"`)
    expect(svg).toContain(`viewBox="0 0 ${(108 * inches).toFixed(1)} `)
  }
})
