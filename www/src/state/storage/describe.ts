/** Text descriptions of a run: title, progress and result; and its learning curve. */
import { settingsAt, settingsName } from '../compared-run'
import type { History } from '../history'
import { ago, compact, number } from '../../lib/format'
import type { ExperimentInfo } from '../../engine/page/session'
import { worlds } from '../../worlds'
import type { RunDescription, Run } from './store'

/** Number of points of the thumbnail curve. */
const points = 40

/** Returns the result of a run as text; empty if nothing was measured. */
export function resultOf(info: ExperimentInfo, latest: Record<string, number>): string {
  const metric = resultMetric(info, (name) => latest[name] !== undefined)
  if (!metric) return ''
  const value = latest[metric.name]!
  const text =
    metric.unit === 'share' ? `${number(100 * value, 1)} %` : number(value, Math.abs(value) < 10 ? 2 : 0)
  const label = metric.label.slice(0, 1).toLowerCase() + metric.label.slice(1)
  return `${label}${label.includes(',') ? ':' : ''} ${text}`
}

/** Returns the curve of the result metric, scaled to 0..1; empty if there is none. */
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

/** Returns the result metric of an experiment. */
function resultMetric({ readings, metrics }: ExperimentInfo, measured: (name: string) => boolean) {
  const name = readings.results.find(measured)
  return metrics.find((metric) => metric.name === name)
}

/** Returns the name of a run among the runs of its experiment: the title set by the user, or its settings in words. */
export function nameOf({ title, address, changes }: RunDescription, info: ExperimentInfo): string {
  const settings = settingsAt(info, address)
  return settings ? settingsName(info, { ...settings, title, changes }) : title || 'unknown settings'
}

/** Returns the title of a run: the one set by the user, or one made of its experiment and settings. */
export function titleOf(run: RunDescription, experiments: readonly ExperimentInfo[]): string {
  const { title, experiment } = run
  const info = experiments.find(({ name }) => name === experiment)
  return title || (info ? `${cardOf(experiment)?.title ?? info.title}, ${nameOf(run, info)}` : experiment)
}

/** Returns the name of a run for newcomers: without its settings, unless they are a preset besides the first one. */
export function plainTitleOf(
  { title, experiment, preset, changes = [] }: RunDescription,
  experiments: readonly ExperimentInfo[],
): string {
  const info = experiments.find(({ name }) => name === experiment)
  const name = cardOf(experiment)?.title ?? info?.title ?? experiment
  if (title) return title
  const index = info?.presets.findIndex((known) => known.name === preset) ?? -1
  if (index < 0 || changes.length > 0) return `${name}, own settings`
  return index === 0 ? name : `${name}, ${info!.presets[index]!.label}`
}

/** Returns whether a run is the visitor's own: one that not only guides have used. */
export const isOwn = ({ steps, guideSteps }: RunDescription): boolean =>
  typeof guideSteps !== 'number' || steps > guideSteps

/** Returns the progress of a run, such as “1.20 M steps”. */
export function progressOf(
  { steps, experiment }: RunDescription,
  experiments: readonly ExperimentInfo[],
): string {
  const info = experiments.find(({ name }) => name === experiment)
  return `${compact(steps)} ${info?.readings.unit ?? 'steps'}`
}

/** Returns the description of a run in messages, such as “CartPole, Moon after 1.20 M steps”. */
export const sentence = (about: RunDescription, experiments: readonly ExperimentInfo[]): string =>
  `${titleOf(about, experiments)} after ${progressOf(about, experiments)}`

const cardOf = (experiment: string) => worlds.find(({ name }) => name === experiment)

/** Returns the hue of a run's exhibit, degrees in OKLCH. */
export const hueOf = ({ experiment }: RunDescription): number => (cardOf(experiment) ?? worlds[0]!).hue

/** Returns details that distinguish runs with equal settings: “mean return 500, seed 1, 5 minutes ago”. */
export const detailsOf = (run: Run): string =>
  [run.result, `seed ${run.seed}`, ago(run.when)].filter(Boolean).join(', ')
