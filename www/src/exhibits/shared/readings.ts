/** Formats the displayed values of an experiment, and selects its charts. */
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import { pointsOf, sampler } from '../../charts/band'
import type { MetricColumns } from '../../lib/csv'
import type { HelpText } from '../../lib/help'
import { compact, number, short } from '../../lib/format'
import { halfIntervalOfDifference, meanOf } from '../../lib/student-t'
import { get, type Config } from '../../state/config'
import { helpOfMetric } from '../../state/help'
import type { RunObservations } from '../../state/observations.svelte'

/** The part of a run's state that provides displayed values. */
export type Figured = Pick<RunObservations, 'progress' | 'latest' | 'stepsPerSecond'>

/** Returns a displayed value, or undefined if the value is unknown or computed by the exhibit. */
function valueOf({ source, name }: Reading, run: Figured): number | undefined {
  if (source === 'metric') return run.latest[name]
  if (source === 'exhibit') return undefined
  // The last recorded speed while training is paused.
  if (name === 'speed') return run.stepsPerSecond > 0 ? run.stepsPerSecond : run.latest.steps_per_second
  return run.progress[name as 'steps' | 'updates' | 'episodes']
}

/** Returns a displayed value as text, or null if it is omitted. */
export function textOf(figure: Reading, { metrics }: ExperimentInfo, run: Figured): string | null {
  const value = valueOf(figure, run)
  if (figure.optional && !value) return null
  if (value === undefined) return '–'
  const metric = figure.source === 'metric' ? metrics.find(({ name }) => name === figure.name) : undefined
  return metric?.unit === 'share' ? `${number(100 * value, 0)} %` : compact(value)
}

/** Explains a displayed value; by default, as its metric or counter is explained. */
export function helpOf({ source, name, help, label }: Reading, info: ExperimentInfo): HelpText | undefined {
  const term = `${info.world.kind}/${name}`
  if (help) return { text: help, term }
  if (source !== 'progress') return helpOfMetric(info, name)
  const { unit } = info.readings
  const text = {
    steps: `How much the learner has practiced: number of ${unit} of training, over all threads and environments.`,
    episodes: `Number of ${label === 'Episodes' ? 'attempts (episodes)' : label.toLowerCase()} finished in training.`,
    updates: 'How often training has changed the network: every gradient step changes it a little.',
    speed: `Training speed: ${unit} per second.`,
  }[name]
  return text === undefined ? undefined : { text, term }
}

/** Returns the metrics of the small charts for a config. */
export function smallCurves({ readings }: ExperimentInfo, config: Config): readonly string[] {
  const holds = readings.small.find(({ when }) => !when || get(config, when.path) === when.value)
  return holds?.metrics ?? []
}

/** Returns the metrics that summarize a run: its results, and the metrics of its charts. */
export function mainMetrics(info: ExperimentInfo, config: Config): readonly string[] {
  const { results, large } = info.readings
  return [...new Set([...results, ...large, ...smallCurves(info, config)])]
}

/** Curves and latest metrics of a run. */
export interface RunState {
  curves: MetricColumns
  latest: Readonly<Record<string, number>>
}

/** Returns the largest number of steps that all runs have reached in their curves. */
export const commonStep = (runs: readonly RunState[]): number =>
  Math.min(...runs.map(({ curves }) => curves.steps.at(-1) ?? 0))

/**
 * Returns a metric at a number of steps, from the curve: a run that has trained longer must not be compared by its latest
 * value. The latest value counts at the end of the curve, and a metric that is measured rarely keeps its value until the next one.
 */
function valueAt({ curves: { steps, columns }, latest }: RunState, name: string, step: number) {
  if (step >= (steps.at(-1) ?? 0)) return latest[name]
  const points = pointsOf({ steps, values: columns[name] ?? [] })
  return sampler(points)(step) ?? points.findLast(([at]) => at <= step)?.[1]
}

/** A metric of a run and of a baseline as text: means over the runs of each side. */
export interface MetricContrast {
  name: string
  label: string
  own: string
  baseline: string
  /** The difference, with half of its 95 % confidence interval if both sides have several runs. */
  difference: string
}

/**
 * Returns the main metrics of two sets of runs, each with equal settings, at the same number of steps. Metrics that no run has are
 * left out.
 */
export function comparedMetrics(
  info: ExperimentInfo,
  config: Config,
  own: readonly RunState[],
  baseline: readonly RunState[],
): MetricContrast[] {
  const step = commonStep([...own, ...baseline])
  return mainMetrics(info, config).flatMap((name) => {
    const metric = info.metrics.find((metric) => metric.name === name)
    const [a, b] = [own, baseline].map((runs) => runs.flatMap((run) => valueAt(run, name, step) ?? [])) as [
      number[],
      number[],
    ]
    if (!metric || a.length + b.length === 0) return []
    const isShare = metric.unit === 'share'
    const text = (value: number) => (isShare ? number(100 * value, 1) : short(value, 8, 4))
    const meanText = (values: readonly number[]) =>
      values.length === 0 ? '–' : text(meanOf(values)) + (isShare ? ' %' : '')
    return [
      {
        ...{ name, label: metric.label, own: meanText(a), baseline: meanText(b) },
        // Shares differ in percentage points.
        difference: differenceText(a, b, text) + (isShare && a.length > 0 && b.length > 0 ? ' pp' : ''),
      },
    ]
  })
}

/** Returns the difference of two means as text, such as `+12 ± 5`; a dash if a side has no values. */
function differenceText(a: readonly number[], b: readonly number[], text: (value: number) => string): string {
  if (a.length === 0 || b.length === 0) return '–'
  const difference = meanOf(a) - meanOf(b)
  const half = halfIntervalOfDifference(a, b)
  const interval = Number.isFinite(half) ? `\u00a0±\u00a0${text(half)}` : ''
  return `${difference > 0 ? '+' : ''}${text(difference)}${interval}`
}
