/** A run that is compared with the current one: its settings, its curves and its latest metrics. */
import type { Engine, ExperimentInfo } from '../engine/page/session'
import type { MetricColumns } from '../lib/csv'
import { withUnit } from '../lib/format'
import { changeText } from './changes'
import { differences, get, presetOf, usedFields, write, type Config } from './config'
import { parseRoute, resolve } from './route'

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
}

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

/** Returns the settings of a run in words: its title, its preset, or the fields that differ from the defaults. */
export function settingsName(info: ExperimentInfo, { title, config }: Pick<ComparedRun, 'title' | 'config'>) {
  if (title) return title
  const preset = presetOf(info, config)
  if (preset !== null) return info.presets.find(({ name }) => name === preset)!.label
  const changed = differences(info.fields, config, info.defaults)
  const named = changed.slice(0, mostNamed).map(({ path, value }) => changeText(info, path, value))
  const more = changed.length - named.length
  return named.join(', ') + (more > 0 ? ` and ${more} more` : '')
}

/** Returns settings, seed and engine of a run in words, such as “Moon gravity, seed 3, GPU”. */
export const runName = (info: ExperimentInfo, config: Config, seed: number, engine?: Engine): string =>
  `${settingsName(info, { title: '', config })}, seed ${seed}${onEngine(engine)}`

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
