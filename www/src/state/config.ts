/** Configs: nested JSON, whose fields are addressed by dotted paths as in the native program. */
import type { ExperimentInfo, FieldInfo, PresetInfo } from '../engine/page/session'

export type Config = Record<string, unknown>

/** A field with a value other than its default. */
export interface Setting {
  path: string
  value: unknown
}

export type Checked = { ok: true; value: unknown } | { ok: false; problem: string }

export function get(config: Config, path: string): unknown {
  let at: unknown = config
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Config)[key]
  }
  return at
}

/** Returns a copy with one field set; the copy shares the other values. */
export function set(config: Config, path: string, value: unknown): Config {
  const [key, ...rest] = path.split('.') as [string, ...string[]]
  if (rest.length === 0) return { ...config, [key]: value }
  const inner = config[key]
  const below = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as Config) : {}
  return { ...config, [key]: set(below, rest.join('.'), value) }
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the fields of `config` that differ from `base`, in registry order. Absent fields do not differ. */
export function differences(fields: readonly FieldInfo[], config: Config, base: Config): Setting[] {
  return fields.flatMap(({ path }) => {
    const value = get(config, path)
    return value === undefined || same(value, get(base, path)) ? [] : [{ path, value }]
  })
}

/** Returns the fields that at least one of the configs uses: all except the fields of learners that none of them selects. */
export function usedFields(fields: readonly FieldInfo[], configs: readonly Config[]): FieldInfo[] {
  // If there are several learners, each has a section named after it.
  const learner = fields.find(({ path }) => path === 'learner')?.kind
  const selected = configs.map((config) => get(config, 'learner'))
  const others = learner?.type === 'choice' ? learner.options.filter((one) => !selected.includes(one)) : []
  return fields.filter(({ path }) => !others.includes(path.split('.')[0]!))
}

/** Returns the settings that differ from the defaults as text, such as `world.gravity = 20, learner = dqn`; empty for none. */
export const settingsText = ({ fields, defaults }: ExperimentInfo, config: Config): string =>
  differences(fields, config, defaults)
    .map(({ path, value }) => `${path} = ${write(value)}`)
    .join(', ')

export function withSettings(config: Config, settings: readonly Setting[]): Config {
  return settings.reduce((made, { path, value }) => set(made, path, value), config)
}

/** Returns the whole config of a preset: its values, and the defaults of all other fields. */
export function presetConfig({ defaults }: ExperimentInfo, { config }: PresetInfo): Config {
  return withSettings(defaults, leaves(config))
}

/** Returns the name of the preset that equals a config, or null for custom settings. */
export function presetOf(info: ExperimentInfo, config: Config): string | null {
  const { fields, presets } = info
  const equal = presets.find((preset) => differences(fields, config, presetConfig(info, preset)).length === 0)
  return equal?.name ?? null
}

/** Returns the leaves of nested JSON with their dotted paths. */
export function leaves(config: Config, prefix = ''): Setting[] {
  return Object.entries(config).flatMap(([key, value]) => {
    const path = prefix + key
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? leaves(value as Config, `${path}.`)
      : [{ path, value }]
  })
}

/** Describes the values that a field accepts. */
export function allowed(field: FieldInfo): string {
  const kind = field.kind
  const unit = field.unit === '' ? '' : ` ${field.unit}`
  switch (kind.type) {
    case 'number':
      return `a number from ${kind.low} to ${kind.high}${unit}`
    case 'integer':
      return `a whole number from ${kind.low} to ${kind.high}${unit}`
    case 'flag':
      return 'true or false'
    case 'choice':
      return kind.options.join(', ').replace(/, ([^,]*)$/, ' or $1')
    case 'integers':
      return `${kind.shortest} to ${kind.longest} whole numbers from ${kind.low} to ${kind.high}, such as 64, 64`
    case 'text':
      return `text of at most ${kind.longest} characters`
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Checks a value against the range of its field. */
export function check(field: FieldInfo, value: unknown): Checked {
  const kind = field.kind
  const within = (v: unknown, low: number, high: number) => isNumber(v) && v >= low && v <= high
  const fits = (() => {
    switch (kind.type) {
      case 'number':
        return within(value, kind.low, kind.high)
      case 'integer':
        return Number.isInteger(value) && within(value, kind.low, kind.high)
      case 'flag':
        return typeof value === 'boolean'
      case 'choice':
        return kind.options.includes(value as string)
      case 'integers':
        return (
          Array.isArray(value) &&
          value.length >= kind.shortest &&
          value.length <= kind.longest &&
          value.every((v) => Number.isInteger(v) && within(v, kind.low, kind.high))
        )
      case 'text':
        return typeof value === 'string' && value.length <= kind.longest
    }
  })()
  return fits ? { ok: true, value } : { ok: false, problem: `Must be ${allowed(field)}.` }
}

/** Parses user input or link text as the value of a field. */
export function read(field: FieldInfo, text: string): Checked {
  const trimmed = text.trim()
  const parse = (word: string) => (word.trim() === '' ? NaN : Number(word.trim().replace(/^−/, '-')))
  switch (field.kind.type) {
    case 'number':
    case 'integer':
      return check(field, parse(trimmed))
    case 'flag':
      return check(field, trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed)
    case 'choice':
    case 'text':
      return check(field, trimmed)
    case 'integers': {
      const list = trimmed.replace(/^\[|\]$/g, '')
      return check(field, list.trim() === '' ? [] : list.split(',').map(parse))
    }
  }
}

/** Formats a value; the inverse of {@link read}. */
export function write(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}
