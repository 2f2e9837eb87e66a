/** Layout of a heat map as a figure for papers and slides: title, axes with units, cells, color scale. */
import { pixels, ramp, type Oklch } from '../lib/color'
import {
  axisTitle,
  footHeight,
  heading,
  letterWidth,
  plotHeight,
  plotLeft,
  plotTop,
  rule,
  screenSize,
  small,
  wrapped,
  type Figure,
  type Mark,
  type Pixels,
} from './figure'
import type { Point } from './line-label'

export interface HeatMap {
  title: string
  /** Number of cells per side. */
  size: number
  /** Values, `[y · size + x]`; row 0 has the lowest y. */
  values: Float32Array
  x: HeatMapAxis
  y: HeatMapAxis
  scale: ColorScale
  /** Note below the map; may be empty. */
  note: string
}

interface HeatMapAxis {
  /** Name and unit. */
  label: string
  /** Labels of evenly spaced ticks, the first at the lower end of the axis, the last at the upper end. */
  ticks: readonly string[]
}

interface ColorScale {
  /** Values at the ends of the scale. */
  range: readonly [low: number, high: number]
  /** Labels of these values. */
  ends: readonly [low: string, high: string]
  /** Colors from low to high values, evenly spaced, on white paper. */
  stops: readonly Oklch[]
}

/** Number of colors of a scale. */
const colorCount = 256

/** Width of a map on a screen. */
const screenWidth = 390
/** Height of a map divided by its width. */
const ratio = 270 / screenWidth
/** Left and right edge of the color scale, from the right edge of the map. */
const bar = { left: 20, right: 36 }
const noteRow = 20

/** Lays out a heat map. `source`: experiment and run, printed below the title. */
export function heatMapFigure(map: HeatMap, source: string, size = screenSize): Figure {
  const { title, size: side, values, x, y, scale, note } = map
  const [low, high] = scale.range
  const colors = pixels(ramp(scale.stops, colorCount))
  const cells = new Uint32Array(side * side)
  fillWords(cells, values, side, colors, low, high)
  const scaleWidth = bar.right + 8 + letterWidth * Math.max(...scale.ends.map((end) => end.length)) + 24
  const width = size.points === null ? Math.round(plotLeft + screenWidth + scaleWidth) : size.width
  const [left, right, top] = [plotLeft, width - scaleWidth, plotTop(size)]
  const plot = { left, right, top, bottom: top + plotHeight(ratio * (right - left), top, y.label) }
  const marks: Mark[] = [
    ...heading(title, source, size),
    ...picture(plot, { columns: side, rows: side, words: cells }),
    ...picture(
      { ...plot, left: right + bar.left, right: right + bar.right },
      { columns: 1, rows: colorCount, words: colors.toReversed() },
    ),
    small([right + bar.right + 8, plot.top + 9], scale.ends[1], 'start'),
    small([right + bar.right + 8, plot.bottom], scale.ends[0], 'start'),
    axisTitle([(plot.left + plot.right) / 2, plot.bottom + 44], x.label),
    axisTitle([20, (plot.top + plot.bottom) / 2], y.label, true),
  ]
  for (const [i, label] of x.ticks.entries()) {
    const at = between(plot.left, plot.right, i, x.ticks)
    marks.push(
      rule([at, plot.bottom], [at, plot.bottom + 5], 'muted'),
      small([at, plot.bottom + 20], label, 'middle'),
    )
  }
  for (const [i, label] of y.ticks.entries()) {
    const at = between(plot.bottom, plot.top, i, y.ticks)
    marks.push(
      rule([plot.left - 5, at], [plot.left, at], 'muted'),
      small([plot.left - 9, at + 4], label, 'end'),
    )
  }
  const foot = plot.bottom + footHeight
  const rows = wrapped(note, (width - left) / letterWidth)
  for (const [i, row] of rows.entries()) marks.push(small([left, foot + 10 + noteRow * i], row, 'start'))
  return {
    width,
    height: foot + (rows.length === 0 ? 0 : noteRow * rows.length + 6),
    points: size.points,
    title,
    description: [source, note].filter(Boolean).join('; '),
    marks,
  }
}

/** Returns the position of tick `i` on an axis. */
const between = (from: number, to: number, i: number, ticks: readonly string[]) =>
  from + ((to - from) * i) / (ticks.length - 1)

/** Returns an image with a frame. */
function picture(
  { left, right, top, bottom }: Record<'left' | 'right' | 'top' | 'bottom', number>,
  image: Pixels,
): Mark[] {
  const at: Point = [left, top]
  const points: Point[] = [at, [right, top], [right, bottom], [left, bottom], at]
  return [
    { kind: 'image', at, width: right - left, height: bottom - top, pixels: image },
    { kind: 'line', points, tone: 'muted', width: 1 },
  ]
}

/** Writes the pixels of a map, top row first. */
export function fillWords(
  words: Uint32Array,
  values: Float32Array,
  size: number,
  colors: Uint32Array,
  low: number,
  high: number,
): void {
  const scale = (colors.length - 1) / (high - low)
  for (let row = 0; row < size; row++) {
    const from = (size - 1 - row) * size
    for (let column = 0; column < size; column++) {
      const at = Math.round((values[from + column]! - low) * scale)
      words[row * size + column] = colors[at > 0 ? Math.min(at, colors.length - 1) : 0]!
    }
  }
}
