/** Changes of settings during a run, which are marked on its curves. */
import type { ExperimentInfo } from '../engine/page/session'
import { compact, short, withUnit } from '../lib/format'
import { get, type Config } from './config'

export interface SettingChange {
  /** Number of steps of the run at the change. */
  steps: number
  /** Dotted path of the config field. */
  path: string
  /** The field and its new value, such as “Gravity 3”. */
  text: string
  /** The value before the change; absent in runs that an earlier version of the page has stored. */
  before?: unknown
}

/** Maximum number of changes of a run; the oldest are dropped. */
const most = 64

/**
 * Fraction of the run. Changes of the same field within this fraction count as one change, as while a slider is
 * dragged.
 */
const together = 0.02

/** Returns the changes with a further one. */
export function withChange(changes: readonly SettingChange[], change: SettingChange): SettingChange[] {
  const last = changes.at(-1)
  const same = last?.path === change.path && change.steps - last.steps <= together * change.steps
  return [
    ...(same ? changes.slice(0, -1) : changes),
    same ? { ...change, steps: last.steps, before: last.before } : change,
  ].slice(-most)
}

/** Returns a field and its value as text. */
export function changeText({ fields }: ExperimentInfo, path: string, value: unknown): string {
  const field = fields.find((field) => field.path === path)
  const simple = typeof value === 'number' || (typeof value === 'string' && value.length <= 24)
  return `${field?.label ?? path}${simple ? ` ${value}` : ''}`
}

/** A change of a setting during a run, with the values before and after it. */
export interface ChangeSpan extends SettingChange {
  after: unknown
}

/** Returns the changes with their new values. `config`: the last settings. Changes to an equal value are left out. */
export const changeSpans = (changes: readonly SettingChange[], config: Config): ChangeSpan[] =>
  changes
    .map((change, i) => {
      const next = changes.slice(i + 1).find(({ path }) => path === change.path)
      return { ...change, after: next ? next.before : get(config, change.path) }
    })
    .filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))

/** Returns a change in words, such as “Learning rate 0.0003 → 0.001 at 20.0 k steps”. */
export function spanText({ fields, readings }: ExperimentInfo, change: ChangeSpan): string {
  const { path, before, after, steps } = change
  const { label, unit } = fields.find((field) => field.path === path) ?? { label: path, unit: '' }
  const text = (value: unknown) =>
    typeof value === 'number' ? short(value) : typeof value === 'string' && value.length <= 24 ? value : null
  const [from, to] = [text(before), text(after)]
  const values =
    from !== null && to !== null
      ? ` ${from} → ${withUnit(to, unit)}`
      : to !== null
        ? ` ${withUnit(to, unit)} from`
        : ' changed'
  const at = `${compact(steps)} ${readings.unit}`
  return `${label}${values}${from === null && to !== null ? ` ${at}` : ` at ${at}`}`
}

/** Returns whether no step of a run with `steps` steps has used a change, so that the change can be undone. */
export const isUnused = (change: SettingChange, steps: number): boolean =>
  change.steps >= steps && change.before !== undefined

/** Returns whether a change concerns the environment, so that results before the change are no longer valid. */
export const changesWorld = ({ path }: SettingChange): boolean => path.startsWith('world.')
