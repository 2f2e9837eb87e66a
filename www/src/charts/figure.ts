/**
 * Layout of a chart as a figure for papers and slides: title, axes with units, series. The marks are drawn as SVG
 * (`svg.ts`) or on a canvas (`paint.ts`).
 */
import { short } from '../lib/format'
import type { AxisUnit } from './axis-unit'
import { lineLabelPlace, type Point } from './line-label'
import { isSingle } from './single'
import { tickLabels, type StepRange } from './step-range'

/** A curve of a chart. */
export interface Series {
  label: string
  /** One value for each position; null if there is none. */
  values: readonly (number | null)[]
  tone: CurveTone
  width: number
  /** Positions of the values on the x axis, if they are not the positions of the chart. */
  positions?: readonly number[]
  /** Lengths of dashes and gaps, in pixels; by default the line is solid. */
  dash?: readonly number[]
  /** Area around the curve. */
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] }
}

/** The data of a chart. */
export interface ChartData {
  /** Name of the first metric, part of the file name. */
  name: string
  title: string
  /** Name of the run, in the legend if there are other runs. */
  run: string
  /** Note for the caption, such as the meaning of the bands; may be empty. */
  note: string
  /** Unit of the values; empty if they have none. */
  unit: string
  /** Unit of the x axis. */
  xUnit: AxisUnit
  /** Positions of the values on the x axis: steps, or seconds of training. */
  positions: readonly number[]
  series: readonly Series[]
  /** Minimum of a logarithmic y axis, to which smaller values are clamped; null for a linear axis. */
  floor: number | null
  /** Values that the y range includes if the whole run is visible. */
  range: readonly [number, number] | null
  /** Horizontal reference line with its label. */
  line: { at: number; label: string } | null
  /** Positions with a dotted vertical line, at which a setting was changed. */
  marks: readonly number[]
  /** The displayed range of the x axis; null for the whole run. */
  visible: StepRange | null
}

/** Returns a chart without the line of the current run, whose group has a band. */
export const withoutOwnLine = (chart: ChartData): ChartData => ({
  ...chart,
  positions: [],
  series: chart.series.filter(({ positions }) => positions),
})

/** Colors of the curves of other runs. */
export const runTones = ['run-1', 'run-2', 'run-3', 'run-4'] as const

/** Role of a curve, which determines its color. */
export type CurveTone = 'ink' | 'accent' | (typeof runTones)[number]

/** Role of a mark, which determines its color. */
export type Tone = CurveTone | 'muted' | 'grid'

export type Colors = Readonly<Record<Tone | 'ground', string>>

export type Mark =
  | {
      kind: 'line'
      points: readonly Point[]
      tone: Tone
      width: number
      dash?: readonly number[] | undefined
    }
  | { kind: 'dot'; at: Point; radius: number; tone: Tone }
  /** A translucent area. */
  | { kind: 'area'; points: readonly Point[]; tone: Tone }
  /** An image of few pixels, each a rectangle with sharp edges. `at`: its top left corner. */
  | { kind: 'image'; at: Point; width: number; height: number; pixels: Pixels }
  | {
      kind: 'text'
      at: Point
      text: string
      tone: Tone
      size: number
      align: 'start' | 'middle' | 'end'
      bold?: boolean
      /** Whether the text runs upward. */
      upward?: boolean
    }
  /** A rectangle in the background color, below a text. `at`: its top left corner. */
  | { kind: 'ground'; at: Point; width: number; height: number }

/** Colors as little-endian RGBA words, top row first. */
export interface Pixels {
  columns: number
  rows: number
  words: Uint32Array
}

/** Width of a figure and of its text. */
export interface FigureSize {
  /** Width in units, in which marks are positioned. */
  width: number
  /** Length of a unit in points (1/72 inch) in print; null for a CSS pixel. */
  points: number | null
}

/** Size of a figure on a screen, with a title. */
export const screenSize: FigureSize = { width: 640, points: null }

/** Length of a unit in print, in points: small text has 8 pt. */
const printUnit = 8 / 12

/** Returns the size of a figure in a paper, which has a caption instead of a title. */
export const printSize = (inches: number): FigureSize => ({
  width: (72 * inches) / printUnit,
  points: printUnit,
})

export interface Figure {
  width: number
  height: number
  /** Length of a unit in points; null for a CSS pixel. */
  points: number | null
  title: string
  /** Description of the drawn runs: source, legend and note. */
  description: string
  marks: readonly Mark[]
}

/**
 * Font of the figures. Programs that convert SVG to PDF embed a font that they find, and many read the first name only. Linux
 * replaces Arial by Liberation Sans, whose letters have the same widths.
 */
export const figureFont = "Arial, 'Liberation Sans', Helvetica, sans-serif"

/** Opacity of a translucent area. */
export const areaOpacity = 0.16

/** Height of a row of the legend. */
const legendRow = 20
/** Mean width of a letter of small text, an estimate for {@link figureFont} at 12 pixels. */
export const letterWidth = 5.6
/** Mean width of a letter of the title of an axis. */
const titleLetterWidth = 6.3
/** Position of the left edge of a plot. */
export const plotLeft = 72
/** Height of the label of a reference line with its background. */
const lineLabelHeight = 17
/** Largest height of a plot. */
const mostHeight = 252
/** Distance of the lower edges of a figure and of its plot. */
export const footHeight = 58

/** Returns the position of the upper edge of a plot. */
export const plotTop = ({ points }: FigureSize): number => (points === null ? 70 : 14)

/** Returns the height of a plot, which is at least the height for the title of its axis beside it. */
export const plotHeight = (ideal: number, top: number, title: string): number =>
  Math.round(Math.max(ideal, titleLetterWidth * title.length - 2 * top + 8))

/**
 * Returns about `count` ticks in [low, high]. `increments`: distances to select from; null for 1, 2 and 5 times the powers of ten.
 */
export function linearTicks(
  low: number,
  high: number,
  count: number,
  increments: readonly number[] | null = null,
): number[] {
  if (!(high > low)) return []
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const steps = increments ?? [1, 2, 5, 10].map((factor) => factor * power)
  const distance = (step: number) => Math.abs(Math.log(step / rough))
  const step = steps.reduce((best, step) => (distance(step) < distance(best) ? step : best))
  const first = Math.ceil(low / step - 1e-9)
  const last = Math.floor(high / step + 1e-9)
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Returns the powers of ten in [low, high]. */
export function logarithmicTicks(low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9)
  const last = Math.floor(Math.log10(high) + 1e-9)
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i))
}

/** Returns the range of the y axis: the range of the values in the displayed range, with a margin. */
function valueRange({ floor, range, visible }: ChartData, values: readonly number[]): [number, number] {
  if (floor !== null) {
    const from = visible ? Math.min(...values, Infinity) : floor
    const low = Number.isFinite(from) ? from : floor
    return [low / 1.3, Math.max(low * 10, Math.max(...values, floor) * 1.3)]
  }
  const shown = [...values, ...(visible ? [] : (range ?? []))]
  let [low, high] = shown.length ? [Math.min(...shown), Math.max(...shown)] : [0, 1]
  if (low === high) [low, high] = [low - 0.5, high + 0.5]
  const margin = (high - low) * 0.06
  return [low - margin, high + margin]
}

/** Returns a straight thin line. */
export const rule = (from: Point, to: Point, tone: Tone, dash?: readonly number[]): Mark => ({
  kind: 'line',
  points: [from, to],
  tone,
  width: 1,
  dash,
})

/** Returns small text. */
export const small = (at: Point, text: string, align: 'start' | 'middle' | 'end') =>
  ({ kind: 'text', at, text, tone: 'muted', size: 12, align }) as const

/** Returns the title of an axis. `upward`: whether the text runs upward. */
export const axisTitle = (at: Point, text: string, upward = false) =>
  ({ kind: 'text', at, text, tone: 'ink', size: 13, align: 'middle', upward }) as const

/** Returns the title of a figure and, below, its source: experiment and runs. Print has none. */
export const heading = (title: string, source: string, { points }: FigureSize): Mark[] =>
  points === null
    ? [
        { kind: 'text', at: [plotLeft, 26], text: title, tone: 'ink', size: 16, align: 'start', bold: true },
        small([plotLeft, 46], source, 'start'),
      ]
    : []

/** Lays out a chart. `source`: experiment and runs, printed below the title. `hasLegend`: whether the lines of several runs are named. */
export function chartFigure(chart: ChartData, source: string, size = screenSize, hasLegend = true): Figure {
  const { title, unit, xUnit, positions, floor, line, visible } = chart
  const all = [positions, ...chart.series.map((series) => series.positions ?? [])].filter(
    ({ length }) => length > 0,
  )
  const [first, last] =
    visible ??
    (all.length
      ? [Math.min(...all.map((one) => one[0]!)), Math.max(...all.map((one) => one.at(-1)!))]
      : [0, 1])
  const span = last > first ? last - first : 1
  const inRange = (position: number) => position >= first && position <= last
  const clamp = (value: number) => (floor === null ? value : Math.max(floor, value))
  const pointsOf = (positions: readonly number[], values: Series['values']) =>
    positions.flatMap((position, i) => {
      const value = values[i]
      return value != null && Number.isFinite(value) && inRange(position)
        ? [[position, clamp(value)] as const]
        : []
    })
  const series = chart.series.map(({ values, band, ...rest }) => ({
    ...rest,
    points: pointsOf(rest.positions ?? positions, values),
    edges:
      band && ([band.low, band.high] as const).map((edge) => pointsOf(rest.positions ?? positions, edge)),
  }))
  const [low, high] = valueRange(
    chart,
    series.flatMap(({ points, edges = [] }) => [points, ...edges].flat().map(([, value]) => value)),
  )
  const own = series.filter(({ positions }) => !positions)
  const [left, right] = [plotLeft, size.width - 24]
  // Labels of two series in the same plot are above it.
  const top = plotTop(size) + (size.points !== null && own.length > 1 ? legendRow * own.length : 0)
  const valueTitle = unit === '' ? title : `${title} (${unit})`
  const plot = {
    ...{ left, right, top },
    bottom: top + plotHeight(Math.min(mostHeight, 0.75 * (right - left)), top, valueTitle),
  }
  const scaled = (value: number) => (floor === null ? value : Math.log10(value))
  const x = (position: number) => plot.left + ((position - first) / span) * (plot.right - plot.left)
  const y = (value: number) =>
    plot.bottom - ((scaled(value) - scaled(low)) / (scaled(high) - scaled(low))) * (plot.bottom - plot.top)

  const marks = heading(title, source, size)
  const tickCount = (length: number, distance: number) => Math.max(3, Math.round(length / distance))
  const valueTicks =
    floor === null
      ? linearTicks(low, high, tickCount(plot.bottom - plot.top, 50))
      : logarithmicTicks(low, high)
  const valueLabels = tickLabels(valueTicks, (t, digits) => short(Number(t.toPrecision(6)), 6, digits))
  for (const [i, tick] of valueTicks.entries()) {
    const at = y(tick)
    marks.push(
      rule([plot.left, at], [plot.right, at], 'grid'),
      small([plot.left - 8, at + 4], valueLabels[i]!, 'end'),
    )
  }
  const xTicks = linearTicks(first, first + span, tickCount(right - left, 90), xUnit.increments)
  const xLabels = xUnit.titledLabels(xTicks)
  for (const [i, tick] of xTicks.entries())
    marks.push(
      rule([x(tick), plot.bottom], [x(tick), plot.bottom + 5], 'muted'),
      small([x(tick), plot.bottom + 20], xLabels[i]!, 'middle'),
    )
  marks.push(
    rule([plot.left, plot.bottom], [plot.right, plot.bottom], 'muted'),
    axisTitle([(plot.left + plot.right) / 2, plot.bottom + 44], xUnit.title(xTicks)),
    axisTitle([20, (plot.top + plot.bottom) / 2], valueTitle, true),
  )
  for (const position of chart.marks.filter(inRange))
    marks.push(rule([x(position), plot.top], [x(position), plot.bottom], 'muted', [1.5, 3]))
  if (line && line.at >= low && line.at <= high) {
    const at = y(line.at)
    marks.push(rule([plot.left, at], [plot.right, at], 'muted', [4, 4]))
  }
  const place = ([at, value]: readonly [at: number, value: number]): Point => [x(at), y(value)]
  // The first series is drawn last, on top of the others.
  for (const { points, edges, tone, width, dash } of series.toReversed()) {
    if (edges) {
      const [lower, upper] = edges as [typeof points, typeof points]
      marks.push({ kind: 'area', points: [...lower, ...upper.toReversed()].map(place), tone })
    }
    const places = points.map(place)
    // A line needs two points; a single point is drawn as a dot.
    if (isSingle(points.map(([, value]) => value)))
      marks.push({ kind: 'dot', at: places[0]!, radius: 3, tone })
    else if (places.length > 0) marks.push({ kind: 'line', points: places, tone, width, dash })
  }
  if (line && line.at >= low && line.at <= high) {
    const size = { width: letterWidth * line.label.length + 8, height: lineLabelHeight }
    const curves = series.flatMap(({ points, edges = [] }) => [points, ...edges].map((one) => one.map(place)))
    const { left: x, top } = lineLabelPlace(plot, y(line.at), size, curves)
    marks.push(
      { kind: 'ground', at: [x, top], ...size },
      small([x + 4, top + size.height - 5], line.label, 'start'),
    )
  }
  if (own.length > 1)
    for (const [i, { label, tone }] of own.entries())
      marks.push({
        kind: 'text',
        at: [plot.right, (size.points === null ? 26 : 14) + legendRow * i],
        text: label,
        tone,
        size: 13,
        align: 'end',
      })
  // The legend of the runs is below the axis.
  const others = series.filter(({ positions }) => positions)
  const legend =
    others.length > 0 ? [...own.slice(0, 1).map((line) => ({ ...line, label: chart.run })), ...others] : []
  let bottom = plot.bottom + footHeight
  const below = (x: number, text: string): void => {
    for (const row of wrapped(text, (plot.right - x) / letterWidth)) {
      marks.push(small([x, bottom + 4], row, 'start'))
      bottom += legendRow
    }
  }
  for (const { label, tone, width, dash, edges } of hasLegend ? legend : []) {
    const [left, right] = [plot.left, plot.left + 28]
    const row = (height: number): Point[] => [
      [left, bottom + height],
      [right, bottom + height],
    ]
    if (edges) marks.push({ kind: 'area', points: [...row(-6), ...row(6).toReversed()], tone })
    marks.push({ kind: 'line', points: row(0), tone, width, dash })
    below(plot.left + 38, label)
  }
  const description = [source, ...legend.map(({ label }) => label), chart.note].filter(Boolean).join('; ')
  return { ...size, height: bottom, title, description, marks }
}

/** Returns a text in rows of at most `most` characters, split at spaces. An empty text has no rows. */
export function wrapped(text: string, most: number): string[] {
  const rows: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const last = rows.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= most) rows[rows.length - 1] = `${last} ${word}`
    else rows.push(word)
  }
  return rows
}
