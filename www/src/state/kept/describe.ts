/** A run in words: its title, progress and result; and its learning curve. */
import type { History } from '../history'
import { ago, compact, number } from '../../lib/format'
import type { ExperimentInfo } from '../../engine/page/session'
import { worlds } from '../../worlds'
import type { About, Run } from './store'

/** Points of a small curve. */
const points = 40

/** The result of a run in words; empty where nothing was measured yet. */
export function resultOf(info: ExperimentInfo, latest: Record<string, number>): string {
  const metric = resultMetric(info, (name) => latest[name] !== undefined)
  if (!metric) return ''
  const value = latest[metric.name]!
  const text =
    metric.unit === 'share' ? `${number(100 * value, 1)} %` : number(value, Math.abs(value) < 10 ? 2 : 0)
  const label = metric.label.slice(0, 1).toLowerCase() + metric.label.slice(1)
  return `${label}${label.includes(',') ? ':' : ''} ${text}`
}

/** The course of the same metric, from its lowest value, 0, to its highest, 1; empty where there is none. */
export function curveOf(info: ExperimentInfo, history: History): number[] {
  const metric = resultMetric(info, (name) => history.column(name).some((value) => value !== null))
  const values = metric ? history.column(metric.name).filter((value) => value !== null) : []
  if (values.length < 2) return []
  const count = Math.min(points, values.length)
  const chosen = Array.from(
    { length: count },
    (_, i) => values[Math.round((i * (values.length - 1)) / (count - 1))]!,
  )
  const low = Math.min(...chosen)
  const high = Math.max(...chosen)
  return chosen.map((value) => Number((high > low ? (value - low) / (high - low) : 0.5).toFixed(3)))
}

/** The metric that says how well a learner does. */
function resultMetric({ readings, metrics }: ExperimentInfo, measured: (name: string) => boolean) {
  const name = readings.results.find(measured)
  return metrics.find((metric) => metric.name === name)
}

/** The title of a run: the one that a person gave it, or one made of its experiment and settings. */
export function titleOf(
  { title, experiment, preset }: About,
  experiments: readonly ExperimentInfo[],
): string {
  const info = experiments.find(({ name }) => name === experiment)
  if (title || !info) return title || experiment
  const label = info.presets.find(({ name }) => name === preset)?.label
  return `${cardOf(experiment)?.title ?? info.title}, ${label ?? 'own settings'}`
}

/** The progress of a run, such as “1.20 M steps”. */
export function progressOf({ steps, experiment }: About, experiments: readonly ExperimentInfo[]): string {
  const info = experiments.find(({ name }) => name === experiment)
  return `${compact(steps)} ${info?.readings.unit ?? 'steps'}`
}

/** A run in a message, such as “Cartpole, Moon after 1.20 M steps”. */
export const sentence = (about: About, experiments: readonly ExperimentInfo[]): string =>
  `${titleOf(about, experiments)} after ${progressOf(about, experiments)}`

const cardOf = (experiment: string) => worlds.find(({ name }) => name === experiment)

/** The hue of a run's exhibit, degrees in OKLCH. */
export const hueOf = ({ experiment }: About): number => (cardOf(experiment) ?? worlds[0]).hue

/** Details that distinguish runs with equal settings: “mean return 500, seed 1, 5 minutes ago”. */
export const detailsOf = (run: Run): string =>
  [run.result, `seed ${run.seed}`, ago(run.when)].filter(Boolean).join(', ')
