/** Formats the displayed values of an experiment. */
import type { ExperimentInfo, Reading } from '../../engine/page/session'
import type { HelpText } from '../../lib/help'
import { compact, number } from '../../lib/format'
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
    episodes: `Number of ${label === 'Episodes' ? 'episodes (attempts)' : label.toLowerCase()} finished in training.`,
    updates: 'How often training has changed the network: every gradient step changes it a little.',
    speed: `Training speed: ${unit} per second.`,
  }[name]
  return text === undefined ? undefined : { text, term }
}
