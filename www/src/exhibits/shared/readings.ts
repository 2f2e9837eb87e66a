/** The measurements of a run as its experiment declares them. */
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import { compact, number } from '../../lib/format'
import { get, type Config } from '../../state/config'
import type { Observed } from '../../state/observed.svelte'

/** The observations of a run that figures show. */
export type Figured = Pick<Observed, 'progress' | 'latest' | 'stepsPerSecond'>

/** The number of a figure; undefined while it is unknown, and for those that an exhibit reads itself. */
function valueOf({ source, name }: Reading, run: Figured): number | undefined {
  if (source === 'metric') return run.latest[name]
  if (source === 'exhibit') return undefined
  if (name === 'speed') return run.stepsPerSecond > 0 ? run.stepsPerSecond : undefined
  return run.progress[name as 'steps' | 'updates' | 'episodes']
}

/** A figure as text; null where it is left out. */
export function textOf(figure: Reading, { metrics }: ExperimentInfo, run: Figured): string | null {
  const value = valueOf(figure, run)
  if (figure.optional && !value) return null
  if (value === undefined) return '–'
  const metric = figure.source === 'metric' ? metrics.find(({ name }) => name === figure.name) : undefined
  return metric?.unit === 'share' ? `${number(100 * value, 0)} %` : compact(value)
}

/** What a figure means, in a sentence: its own, or that of its metric. */
export function helpOf({ source, name, help }: Reading, { metrics }: ExperimentInfo): string | undefined {
  return help || (source === 'metric' ? metrics.find((metric) => metric.name === name)?.help : undefined)
}

/** The metrics of the small charts for a config. */
export function smallCurves({ readings }: ExperimentInfo, config: Config): readonly string[] {
  const holds = readings.small.find(({ when }) => !when || get(config, when.path) === when.value)
  return holds?.metrics ?? []
}
