/** Compares the metrics of two sets of runs at the same number of steps. */
import type { ExperimentInfo } from '../engine/page/session'
import type { MetricColumns, Table } from '../lib/csv'
import { number, short, withUnit } from '../lib/format'
import { latex } from '../lib/latex'
import { halfInterval, halfIntervalOfDifference, meanOf } from '../lib/student-t'
import type { Config } from '../state/config'
import { mainMetrics } from '../state/main-metrics'
import type { Solved, TrainedOn } from '../state/saving'
import { pointsOf, sampler } from './band'
import { conditionsDiffer, conditionsText } from './conditions'
import { solvedSummary, timesNote } from './solved'
import { lastCommonStep } from './step-range'

/** Curves and latest metrics of a run. */
export interface RunState {
  curves: MetricColumns
  latest: Readonly<Record<string, number>>
  /** When the run was solved; null if it was not. Absent if unknown. */
  solved?: Solved | null | undefined
  /** All conditions under which the run has trained; absent or null if unknown. */
  trainedOn?: readonly TrainedOn[] | null | undefined
}

/**
 * Returns a metric at a number of steps, from the curve: a run that has trained longer must not be compared by its latest
 * value. The latest value counts at the end of the curve, and a metric that is measured rarely keeps its value until the next one.
 */
function valueAt({ curves: { steps, columns }, latest }: RunState, name: string, step: number) {
  if (step >= (steps.at(-1) ?? 0)) return latest[name]
  const points = pointsOf({ positions: steps, values: columns[name] ?? [] })
  return sampler(points)(step) ?? points.findLast(([at]) => at <= step)?.[1]
}

/** Runs with equal settings. */
export interface ComparedSide {
  /** Settings and seeds in words. */
  name: string
  runs: readonly RunState[]
}

/** The values of a metric in the runs of both sides; a side without values is empty. */
export interface MetricContrast {
  name: string
  label: string
  /** Unit; `share` for a share of 1. */
  unit: string
  own: readonly number[]
  baseline: readonly number[]
  /** Numbers of runs, if the values are of the solved runs only. */
  of?: { own: number; baseline: number }
  /** Number of decimals; by default it depends on the value. */
  digits?: number
}

/** Two sets of runs with their metrics at the same number of steps. */
export interface MetricComparison {
  own: ComparedSide
  baseline: ComparedSide
  step: number
  /** The main metrics; metrics that no run has are left out. */
  metrics: readonly MetricContrast[]
  /** Conditions under which the runs of both sides have trained; null if they do not differ, or if no times are compared. */
  trainedOn: { own: string; baseline: string } | null
}

/**
 * Returns the steps and the training time until the runs of both sides were solved, in the whole runs; none if it is unknown
 * for all runs of a side.
 */
function solvedContrasts(info: ExperimentInfo, own: ComparedSide, baseline: ComparedSide): MetricContrast[] {
  const sides = { own: solvedSummary(info, own.runs), baseline: solvedSummary(info, baseline.runs) }
  const of = { own: sides.own.known, baseline: sides.baseline.known }
  if (of.own === 0 || of.baseline === 0) return []
  const { unit } = info.readings
  const steps = `${unit.slice(0, 1).toUpperCase()}${unit.slice(1)} until solved`
  return [
    { name: 'solved_steps', label: steps, unit: '', digits: 0, key: 'steps' } as const,
    {
      name: 'solved_seconds',
      label: 'Training time until solved',
      unit: 's',
      digits: 1,
      key: 'seconds',
    } as const,
  ].map(({ key, ...metric }) => ({ ...metric, own: sides.own[key], baseline: sides.baseline[key], of }))
}

/** Returns the main metrics of two sets of runs at the last step that all runs have reached, and the time until they were solved. */
export function compareMetrics(
  info: ExperimentInfo,
  config: Config,
  own: ComparedSide,
  baseline: ComparedSide,
): MetricComparison {
  const step = lastCommonStep([...own.runs, ...baseline.runs])
  const metrics = mainMetrics(info, config).flatMap((name) => {
    const metric = info.metrics.find((metric) => metric.name === name)
    const valuesOf = ({ runs }: ComparedSide) => runs.flatMap((run) => valueAt(run, name, step) ?? [])
    const values = { own: valuesOf(own), baseline: valuesOf(baseline) }
    if (!metric || values.own.length + values.baseline.length === 0) return []
    return [{ name, label: metric.label, unit: metric.unit, ...values }]
  })
  const solved = solvedContrasts(info, own, baseline)
  const trainedOn =
    solved.length > 0 && conditionsDiffer([...own.runs, ...baseline.runs])
      ? { own: conditionsText(own.runs), baseline: conditionsText(baseline.runs) }
      : null
  return { own, baseline, step, metrics: [...metrics, ...solved], trainedOn }
}

const isShare = ({ unit }: MetricContrast) => unit === 'share'

/** Formats a value of a metric, without its unit. */
const valueText = (metric: MetricContrast, value: number) =>
  isShare(metric)
    ? number(100 * value, 1)
    : metric.digits === undefined
      ? short(value, 8, 4)
      : number(value, metric.digits)

/** Maximum number of decimals of a value beside its interval; more are written as a power of ten. */
const mostDecimals = 6

/** Formats a value with half of its interval, if it is finite, to two significant digits of the interval. */
function intervalText(metric: MetricContrast, value: number, half: number): string {
  if (!Number.isFinite(half)) return valueText(metric, value)
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(half)))
  const isFixed = !isShare(metric) && metric.digits === undefined && decimals <= mostDecimals
  const text = (one: number) => (isFixed ? number(one, decimals) : valueText(metric, one))
  return `${text(value)}\u00a0±\u00a0${text(half)}`
}

/** Returns whether the mean of a side is known: a mean over the solved runs only would be too small. */
const hasMean = ({ of, ...values }: MetricContrast, side: 'own' | 'baseline'): boolean =>
  values[side].length > 0 && (!of || values[side].length === of[side])

/** Returns the mean of a side as text, with half of its 95 % confidence interval if it has several values; a dash if it is unknown. */
export function meanText(metric: MetricContrast, side: 'own' | 'baseline'): string {
  if (!hasMean(metric, side)) return '–'
  const values = metric[side]
  return intervalText(metric, meanOf(values), halfInterval(values)) + (isShare(metric) ? ' %' : '')
}

/** Returns how many of the runs of a side are solved, such as “3 of 4 solved”; empty for other metrics. */
export const solvedText = ({ of, ...values }: MetricContrast, side: 'own' | 'baseline'): string =>
  of ? `${values[side].length} of ${of[side]} solved` : ''

const hasDifference = (metric: MetricContrast): boolean =>
  hasMean(metric, 'own') && hasMean(metric, 'baseline')

/** Returns the difference of the means as text, such as `+12 ± 5`; a dash if there is none. */
export function differenceText(metric: MetricContrast): string {
  const { own, baseline } = metric
  if (!hasDifference(metric)) return '–'
  const difference = meanOf(own) - meanOf(baseline)
  const text = intervalText(metric, difference, halfIntervalOfDifference(own, baseline))
  // Shares differ in percentage points.
  return `${difference > 0 ? '+' : ''}${text}${isShare(metric) ? ' pp' : ''}`
}

/** Returns a comparison as a table of numbers with a row for each metric. Intervals are halves of 95 % confidence intervals. */
export function comparisonTable({ step, own, baseline, metrics }: MetricComparison): Table {
  const column = <T>(value: (metric: MetricContrast) => T) => metrics.map(value)
  const mean = (metric: MetricContrast, side: 'own' | 'baseline') =>
    hasMean(metric, side) ? meanOf(metric[side]) : null
  const interval = (metric: MetricContrast, side: 'own' | 'baseline') =>
    hasMean(metric, side) ? halfInterval(metric[side]) : null
  return {
    metric: column(({ name }) => name),
    unit: column(({ unit }) => unit),
    step: column(() => step),
    runs: column(() => own.name),
    n: column(({ own }) => own.length),
    of: column(({ own, of }) => of?.own ?? own.length),
    mean: column((metric) => mean(metric, 'own')),
    interval_95: column((metric) => interval(metric, 'own')),
    baseline_runs: column(() => baseline.name),
    baseline_n: column(({ baseline }) => baseline.length),
    baseline_of: column(({ baseline, of }) => of?.baseline ?? baseline.length),
    baseline_mean: column((metric) => mean(metric, 'baseline')),
    baseline_interval_95: column((metric) => interval(metric, 'baseline')),
    difference: column((metric) =>
      hasDifference(metric) ? meanOf(metric.own) - meanOf(metric.baseline) : null,
    ),
    difference_interval_95: column((metric) =>
      hasDifference(metric) ? halfIntervalOfDifference(metric.own, metric.baseline) : null,
    ),
  }
}

/** Returns the mean of a side with its interval, and the number of solved runs if the mean is over these. */
function sideText(metric: MetricContrast, side: 'own' | 'baseline'): string {
  const solved = solvedText(metric, side)
  return meanText(metric, side) + (solved && ` (${solved})`)
}

/** Returns the rows of a comparison as text, the header first. */
function textRows({ own, baseline, metrics, trainedOn }: MetricComparison): string[][] {
  const heading = ({ name, runs }: ComparedSide) => `${name} (n = ${runs.length})`
  return [
    ['Metric', heading(own), `${heading(baseline)}, baseline`, 'Difference'],
    ...metrics.map((metric) => [
      isShare(metric) ? metric.label : withUnit(metric.label, metric.unit && `(${metric.unit})`),
      sideText(metric, 'own'),
      sideText(metric, 'baseline'),
      differenceText(metric),
    ]),
    ...(trainedOn ? [['Trained on', trainedOn.own, trainedOn.baseline, '']] : []),
  ]
}

/** How the steps and the training time until solved are computed. */
const solvedNote = 'Until solved: over the whole runs; no mean and no difference if a run is not solved.'

/** Returns how the steps and the training time until solved are computed, if they are compared; empty otherwise. */
export const solvedNotes = (metrics: readonly MetricContrast[]): string =>
  metrics.some(({ of }) => of)
    ? `${solvedNote}${metrics.some(({ name, own, baseline }) => name === 'solved_seconds' && own.length + baseline.length > 0) ? ` ${timesNote}` : ''}`
    : ''

/** Returns how the numbers of a comparison are computed, as sentences. */
function caption({ step, own, baseline, metrics }: MetricComparison, title: string, unit: string): string {
  const notes = solvedNotes(metrics)
  const solved = notes && ` ${notes}`
  const counts = [own, baseline].map(({ runs }) => runs.length)
  const at = `${title} after ${withUnit(number(step, 0), unit)}`
  if (Math.max(...counts) === 1) return `${at}.${solved}`
  const difference = Math.min(...counts) > 1 ? '; of the difference: Welch’s t-test' : ''
  return `${at}: means over n seeds. ±: half of the 95\u00a0% confidence interval (Student’s t-distribution${difference}).${solved}`
}

/** Returns a comparison as a table in Markdown. `unit`: unit of the steps. */
export function comparisonMarkdown(comparison: MetricComparison, title: string, unit: string): string {
  const [header, ...rows] = textRows(comparison)
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const lines = [header!, ['---', '---:', '---:', '---:'], ...rows].map(line)
  return `${caption(comparison, title, unit)}\n\n${lines.join('\n')}\n`
}

/** Returns a comparison as a table in LaTeX, which needs the package `booktabs`. `unit`: unit of the steps. */
export function comparisonLatex(comparison: MetricComparison, title: string, unit: string): string {
  const [header, ...rows] = textRows(comparison)
  const line = (cells: readonly string[]) => `    ${cells.map(typeset).join(' & ')} \\\\`
  const lines = [
    '% \\usepackage{booktabs}',
    '\\begin{table}',
    '  \\centering',
    `  \\caption{${typeset(caption(comparison, title, unit))}}`,
    '  \\begin{tabular}{lrrr}',
    '    \\toprule',
    line(header!),
    '    \\midrule',
    ...rows.map(line),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
  ]
  return `${lines.join('\n')}\n`
}

const symbols: Readonly<Record<string, string>> = {
  '\u00a0': '~',
  '−': '$-$',
  '±': '$\\pm$',
  '–': '--',
  '’': "'",
  '²': '$^2$',
  '°': '$^\\circ$',
}

/** Returns a text for LaTeX, with the symbols of numbers and units as commands. */
const typeset = (text: string): string =>
  latex(text)
    .replace(/(?<=\d)e−(\d+)/g, (_, power) => `$\\times 10^{-${power}}$`)
    .replace(/[\u00a0−±–’²°]/g, (symbol) => symbols[symbol]!)
