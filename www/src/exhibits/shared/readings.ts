/** Formats the displayed values of an experiment, and selects its charts. */
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import type { HelpText } from '../../lib/help'
import { compact, number } from '../../lib/format'
import { get, type Config } from '../../state/config'
import { helpOfMetric } from '../../state/help'
import type { RunObservations } from '../../state/observations.svelte'

/** The part of a run's state that provides displayed values. */
export type Figured = Pick<RunObservations, 'progress' | 'latest' | 'stepsPerSecond'>

/** Returns a displayed value, or undefined if the value is unknown or computed by the exhibit. */
function valueOf({ source, name }: Reading, run: Figured): number | undefined {
  if (source === 'metric') return run.latest[name]
  if (source === 'exhibit') return undefined
  if (name === 'speed') return run.stepsPerSecond > 0 ? run.stepsPerSecond : undefined
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
    steps: `Number of ${unit} of training, over all threads and environments.`,
    episodes: `Number of ${label.toLowerCase()} finished in training.`,
    updates: 'Number of gradient steps.',
    speed: `Training throughput: ${unit} per second.`,
  }[name]
  return text === undefined ? undefined : { text, term }
}

/** Returns the metrics of the small charts for a config. */
export function smallCurves({ readings }: ExperimentInfo, config: Config): readonly string[] {
  const holds = readings.small.find(({ when }) => !when || get(config, when.path) === when.value)
  return holds?.metrics ?? []
}
