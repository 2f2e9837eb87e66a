/** Text alternative of a chart: displayed range, last value, range and trend of each series. */
import type { ChartData, Series } from './figure'
import { commonSteps, wholeRun } from './step-range'

export interface DescribedChart extends Pick<ChartData, 'title' | 'xUnit' | 'positions' | 'visible'> {
  series: readonly Pick<Series, 'label' | 'values' | 'positions'>[]
  /** Labels of the reference lines. */
  lines: readonly string[]
}

/** Share of the displayed points that the trend is computed from. */
const recent = 0.2
/** Least change of the mean, as a share of the range of the values, that is a trend. */
const clear = 0.05

/** Describes the displayed part of a chart. `format` formats a value. */
export function chartText(
  { title, xUnit, positions, series, lines, visible }: DescribedChart,
  format: (value: number) => string,
): string {
  const [first, last] =
    visible ?? wholeRun(commonSteps([positions, ...series.map((one) => one.positions ?? [])]))
  const described = series.flatMap(({ label, values, positions: own = positions }) => {
    const shown = own.flatMap((position, i) => {
      const value = values[i]
      return position >= first && position <= last && value != null ? [value] : []
    })
    return shown.length > 0 ? [{ label, text: seriesText(shown, format) }] : []
  })
  if (described.length === 0) return `${title}: no values yet.`
  const texts = described.map(({ label, text }) => (label === title ? text : `${label}: ${text}`))
  const references = lines.length > 0 ? [`Dashed lines: ${lines.join(', ')}.`] : []
  return [`${title}, ${xUnit.range(first, last)}.`, ...texts, ...references].join(' ')
}

function seriesText(values: readonly number[], format: (value: number) => string): string {
  const last = format(values.at(-1)!)
  if (values.length === 1) return `Only value ${last}.`
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (low === high) return `Constant at ${last}.`
  const trend = trendOf(values, high - low)
  return `Last value ${last}, lowest ${format(low)}, highest ${format(high)}${trend && `, ${trend}`}.`
}

/** Returns the trend of the most recent values in words; empty if they are too few. */
function trendOf(values: readonly number[], range: number): string {
  const half = Math.floor((recent * values.length) / 2)
  if (half === 0) return ''
  const mean = (part: readonly number[]) => part.reduce((sum, value) => sum + value, 0) / part.length
  const change = mean(values.slice(-half)) - mean(values.slice(-2 * half, -half))
  if (Math.abs(change) < clear * range) return 'nearly constant at the end'
  return change > 0 ? 'rising at the end' : 'falling at the end'
}
