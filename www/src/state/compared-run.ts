/** A run that is compared with the current one: its settings, its curves and its latest metrics. */
import type { Engine, ExperimentInfo } from '../engine/page/session'
import type { MetricColumns } from '../lib/csv'
import { withUnit } from '../lib/format'
import { changeSpans, changeText, isUnused, spanText, type SettingChange } from './changes'
import { differences, get, presetOf, usedFields, withSettings, write, type Config } from './config'
import type { RunObservations } from './observations.svelte'
import { parseRoute, resolve } from './route'
import type { PageState, Solved, TrainedOn } from './saving'

export interface ComparedRun {
  /** Key of the run in the storage, or an id of {@link linkedId}, or {@link besideId}. */
  id: string
  /** Name of the experiment. */
  experiment: string
  /** Title set by the user; may be empty. */
  title: string
  config: Config
  seed: number
  /** Engine on which the run trains now; absent for stored runs. */
  engine?: Engine
  /** Where a run that is not stored comes from, such as “From the link”. */
  origin?: string
  curves: MetricColumns
  /** Latest value of each metric. */
  latest: Readonly<Record<string, number>>
  /** When the run was solved; null if it was not. Absent if unknown, as in links of earlier versions. */
  solved?: Solved | null | undefined
  /** Changes of settings during the run. */
  changes?: readonly SettingChange[] | undefined
  /** All conditions under which the run has trained; absent or null if unknown. */
  trainedOn?: readonly TrainedOn[] | null | undefined
}

type ComparedState = Pick<ComparedRun, 'curves' | 'latest' | 'solved' | 'changes' | 'trainedOn'>

/** Returns what a comparison uses of the page's state of a run. */
export const comparedState = ({
  curves,
  latest,
  solved,
  whole,
  changes,
  trainedOn,
}: Pick<PageState, 'curves' | 'latest' | 'solved' | 'whole' | 'changes' | 'trainedOn'>): ComparedState => ({
  curves,
  latest,
  // A run that was opened from a file may have been solved before.
  solved: solved ?? (whole ? null : undefined),
  changes,
  trainedOn,
})

/** Returns what a comparison uses of the current run. */
export const currentState = ({
  history,
  latest,
  solved,
  whole,
  changes,
  trainedOn,
}: Pick<
  RunObservations,
  'history' | 'latest' | 'solved' | 'whole' | 'changes' | 'trainedOn'
>): ComparedState => comparedState({ curves: history.dump(), latest, solved, whole, changes, trainedOn })

/** Id of a run whose curves came with the link. */
export const linkedId = (index: number): string => `link-${index}`

/** Id of the run that trains beside the current one. */
export const besideId = 'beside'

/** Returns the config and the seed of a run's address; null if it is the address of another experiment, or invalid. */
export function settingsAt(info: ExperimentInfo, address: string): { config: Config; seed: number } | null {
  const route = parseRoute(address)
  if (route.page !== 'exhibit' || route.world !== info.name) return null
  const read = resolve(info, route.settings)
  return read.ok ? { config: read.config, seed: route.seed } : null
}

/** Maximum number of settings in the name of a run. */
const mostNamed = 2

/** The settings of a run with their changes during the run. */
export type RunSettings = Pick<ComparedRun, 'config' | 'changes'>

/** Returns the settings of the trained steps of the current run: without the changes since its last step. */
export function trainedSettings(
  lab: Pick<RunObservations, 'changes' | 'progress'> & Pick<RunSettings, 'config'>,
): RunSettings {
  const { config, changes } = lab
  const unused = changes.filter((change) => isUnused(change, lab.progress.steps))
  return {
    config: withSettings(
      config,
      unused.toReversed().map(({ path, before }) => ({ path, value: before })),
    ),
    changes: changes.filter((change) => !unused.includes(change)),
  }
}

/**
 * Returns the settings of a run in words: its title; or its preset, or the fields that differ from the defaults, at its first
 * step, and the changes during the run, such as “Learning rate 0.0003 → 0.001 at 20.0 k steps”.
 */
export function settingsName(
  info: ExperimentInfo,
  { title, config, changes }: RunSettings & Pick<ComparedRun, 'title'>,
): string {
  if (title) return title
  const spans = changeSpans(changes ?? [], config)
  const changed = new Set(spans.map(({ path }) => path))
  const first = withSettings(
    config,
    spans.toReversed().flatMap(({ path, before }) => (before === undefined ? [] : [{ path, value: before }])),
  )
  const start = startNames(info, first, changed)
  const during = spans.slice(0, mostNamed).map((span) => spanText(info, span))
  const named = [...start.slice(0, mostNamed - during.length), ...during]
  const more = start.length + spans.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Returns the settings at the first step of a run in words. `changed`: fields that are named with their changes. */
function startNames(info: ExperimentInfo, config: Config, changed: ReadonlySet<string>): string[] {
  const settings = differences(info.fields, config, info.defaults)
  if (settings.length === 0 && changed.size > 0) return []
  const preset = presetOf(info, config)
  if (preset !== null) return [info.presets.find(({ name }) => name === preset)!.label]
  return settings
    .filter(({ path }) => !changed.has(path))
    .map(({ path, value }) => changeText(info, path, value))
}

/** Returns settings, seed and engine of a run in words, such as “Moon gravity, seed 3, GPU”. */
export const runName = (
  info: ExperimentInfo,
  { config, changes, seed }: RunSettings & Pick<ComparedRun, 'seed'>,
  engine?: Engine,
): string => `${settingsName(info, { title: '', config, changes })}, seed ${seed}${onEngine(engine)}`

/** Returns the end of a run's name: its engine, if it is known. */
export const onEngine = (engine?: Engine): string => (engine ? `, ${engine.toUpperCase()}` : '')

/** A setting in which two runs differ, with its values as text. */
export interface SettingContrast {
  /** Dotted path of the config field, or `seed`. Two learners may have fields with the same label. */
  path: string
  label: string
  value: string
  baseline: string
}

type Settings = Pick<ComparedRun, 'config' | 'seed'>

/**
 * Returns the settings in which a run differs from a baseline, and the seed if it differs. Settings of a learner that neither
 * of them uses are left out.
 */
export function contrasts({ fields }: ExperimentInfo, run: Settings, baseline: Settings): SettingContrast[] {
  const shown = usedFields(fields, [run.config, baseline.config])
  const changed = differences(shown, run.config, baseline.config).map(({ path, value }) => {
    const { label, unit } = fields.find((field) => field.path === path)!
    const text = (value: unknown) =>
      withUnit((Array.isArray(value) ? value.join(', ') : write(value)) || 'none', unit)
    return { path, label, value: text(value), baseline: text(get(baseline.config, path)) }
  })
  const seeds = { path: 'seed', label: 'Seed', value: String(run.seed), baseline: String(baseline.seed) }
  return run.seed === baseline.seed ? changed : [...changed, seeds]
}
