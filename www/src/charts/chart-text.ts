/** Text alternative of a chart: range of steps, last value, range and trend of each series. */
import { number } from '../lib/format'
import type { ChartData, Series } from './figure'
import { commonSteps, wholeRun } from './step-range'

export interface DescribedChart extends Pick<ChartData, 'title' | 'unitOfSteps' | 'steps' | 'visible'> {
  series: readonly Pick<Series, 'label' | 'values' | 'steps'>[]
  /** Labels of the reference lines. */
  lines: readonly string[]
}

/** Share of the displayed points that the trend is computed from. */
const recent = 0.2
/** Least change of the mean, as a share of the range of the values, that is a trend. */
const clear = 0.05

/** Describes the displayed part of a chart. `format` formats a value. */
export function chartText(
  { title, unitOfSteps, steps, series, lines, visible }: DescribedChart,
  format: (value: number) => string,
): string {
  const [first, last] = visible ?? wholeRun(commonSteps([steps, ...series.map((one) => one.steps ?? [])]))
  const described = series.flatMap(({ label, values, steps: own = steps }) => {
    const shown = own.flatMap((step, i) => {
      const value = values[i]
      return step >= first && step <= last && value != null ? [value] : []
    })
    return shown.length > 0 ? [{ label, text: seriesText(shown, format) }] : []
  })
  if (described.length === 0) return `${title}: no values yet.`
  const range = `${number(first, 0)} to ${number(last, 0)} ${unitOfSteps}`
  const texts = described.map(({ label, text }) => (label === title ? text : `${label}: ${text}`))
  const references = lines.length > 0 ? [`Dashed lines: ${lines.join(', ')}.`] : []
  return [`${title}, ${range}.`, ...texts, ...references].join(' ')
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
