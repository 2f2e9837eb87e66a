/**
 * Parses and formats the fragment of the URL: page, experiment, settings. Invalid links are errors that name the field.
 */
import type { Engine, ExperimentInfo, Speed } from '../engine/page/session'
import type { Theme } from '../lib/color'
import { sentence } from '../lib/problem'
import { familyOfWorld, isWorld, worldCard, worlds, type World } from '../worlds'
import {
  allowed,
  check,
  differences,
  leaves,
  presetConfig,
  read,
  withSettings,
  write,
  type Config,
  type Setting,
} from './config'
import { parsePath, split, type DocumentRoute } from './path'

const largestSeed = Number.MAX_SAFE_INTEGER

export type Route =
  { page: 'landing' } | DocumentRoute | ExhibitRoute | { page: 'lost'; problem: LinkProblem }

/** Returns the article and its section that the path after `learn/` names. */
export function articleOf(entry: string | null): { family: string | null; section: string | null } {
  const [family, section] = split(entry ?? '', '/')
  return { family: family || null, section: section || null }
}

export interface ExhibitRoute {
  page: 'exhibit'
  world: World
  seed: number
  /** Requested engine; `null` lets the page choose. */
  engine: Engine | null
  /** Requested speed limit of training; `null` lets the page choose. */
  speed: Speed | null
  /**
   * Whether the link opens an untrained run that waits for the button “Train” (`paused=1`), also if such a run is stored. With a
   * step of the guide after the first, the link continues the present or stored run, paused.
   */
  paused: boolean
  /** Step of the guide, counted from 1; `null` if the guide is closed. */
  guide: number | null
  /** Projector mode: the picture, the learning curve and the transport in large type (`projector=1`). */
  projector: boolean
  /** Parts of the exhibit that the embedded page shows (`show=picture,curve`); null for all. */
  show: readonly ExhibitPart[] | null
  /** Theme of the embedded page (`theme=light`); null for the theme of the system. */
  theme: Theme | null
  /** Horizontal axis of the charts (`axis=time`); null for the axis that the visitor has chosen. */
  axis: ChartAxisKind | null
  /** Curves of another run as text (`shared-curves.ts`); null for none. */
  curves: string | null
  /** Query of the second run that trains beside this one (`beside=preset:moon;seed:2`); null for none. */
  beside: string | null
  /** ID of the position of a board game that the link opens; null for none. */
  position: string | null
  settings: RawSetting[]
}

/** What the horizontal axis of all charts shows: steps or training time. */
export type ChartAxisKind = 'steps' | 'time'

/** The parts of an exhibit in the embedded page. */
export const exhibitParts = ['picture', 'curve', 'controls', 'export'] as const

export type ExhibitPart = (typeof exhibitParts)[number]

const isPart = (name: string): name is ExhibitPart => exhibitParts.some((part) => part === name)

/** The parts of a link that set how the page shows a run. They are not part of the config. */
export type Presentation = Pick<ExhibitRoute, 'guide' | 'projector'> &
  Partial<Pick<ExhibitRoute, 'show' | 'theme' | 'axis' | 'curves' | 'beside' | 'position'>>

/** The run that an address identifies. */
export type RunRoute = Omit<ExhibitRoute, 'page' | keyof Presentation>

/** A field and its text in the URL; `config` is a complete config as JSON. */
export type RawSetting = readonly [path: string, text: string]

export interface LinkProblem {
  /** The error and the allowed values. */
  message: string
  /** Target of the link that is offered instead. */
  href: string
  /** Label of the link. */
  linkLabel: string
}

export const defaultSeed = 1

export function parseRoute(hash: string): Route {
  const path = parsePath(hash)
  if (path.page === 'unknown') return { page: 'lost', problem: unknownWorld(path.name) }
  if (path.page !== 'exhibit') return path
  const { world: name, query } = path

  let seed = defaultSeed
  let engine: Engine | null = null
  let speed: Speed | null = null
  let paused = false
  let guide: number | null = null
  let projector = false
  let show: readonly ExhibitPart[] | null = null
  let theme: Theme | null = null
  let axis: ChartAxisKind | null = null
  let curves: string | null = null
  let beside: string | null = null
  let position: string | null = null
  const settings: RawSetting[] = []
  const known = new Set<string>()
  for (const [key, value] of new URLSearchParams(query)) {
    if (known.has(key))
      return { page: 'lost', problem: badField(name, key, value, 'may occur only once in a link') }
    known.add(key)
    if (key === 'seed') {
      const read = readSeed(value)
      if (read === null)
        return { page: 'lost', problem: badField(name, 'seed', value, `must be ${seedAllowed}`) }
      seed = read
    } else if (key === 'engine') {
      if (value !== 'cpu' && value !== 'gpu')
        return { page: 'lost', problem: badField(name, 'engine', value, 'must be cpu or gpu') }
      engine = value
    } else if (key === 'speed') {
      speed = value === 'max' ? value : Number(value)
      if (speed !== 'max' && !(speed > 0 && speed < Infinity))
        return { page: 'lost', problem: badField(name, key, value, 'must be max or a number above 0') }
    } else if (key === 'paused') {
      paused = value === '1'
      if (!/^[01]$/.test(value))
        return { page: 'lost', problem: badField(name, key, value, 'must be 0 or 1') }
    } else if (key === 'guide') {
      guide = Number(value)
      if (!/^[1-9]\d?$/.test(value))
        return { page: 'lost', problem: badField(name, key, value, 'must be a step from 1 to 99') }
    } else if (key === 'projector') {
      projector = value === '1'
      if (!/^[01]$/.test(value))
        return { page: 'lost', problem: badField(name, key, value, 'must be 0 or 1') }
    } else if (key === 'show') {
      show = value.split(',').filter(isPart)
      if (show.length !== value.split(',').length) {
        const why = `must name parts, separated by commas: ${exhibitParts.join(', ')}`
        return { page: 'lost', problem: badField(name, key, value, why) }
      }
    } else if (key === 'theme') {
      if (value !== 'dark' && value !== 'light')
        return { page: 'lost', problem: badField(name, key, value, 'must be dark or light') }
      theme = value
    } else if (key === 'axis') {
      if (value !== 'steps' && value !== 'time')
        return { page: 'lost', problem: badField(name, key, value, 'must be steps or time') }
      axis = value
    } else if (key === 'curves') curves = value
    else if (key === 'beside') {
      beside = readNested(value)
      if (beside === null) {
        const why = 'must be settings separated by semicolons, such as preset:moon;seed:2'
        return { page: 'lost', problem: badField(name, key, value, why) }
      }
    } else if (key === 'position' && familyOfWorld(name) === 'games') {
      // A plus sign of a position ID that is not escaped is read as a space.
      position = value.trim().replaceAll(' ', '+')
      if (position === '') return { page: 'lost', problem: badPosition(name, value, null) }
    } else settings.push([key, value])
  }
  // A link without a run opens the first settings of the environment.
  if (settings.length === 0 && !known.has('seed'))
    settings.push(...new URLSearchParams(worldCard(name).start))
  const presentation = { guide, projector, show, theme, axis, curves, beside, position }
  return { page: 'exhibit', world: name, seed, engine, speed, paused, ...presentation, settings }
}

export const seedAllowed = `a whole number from 0 to ${largestSeed}`

/** Parses a seed; null if invalid. */
export function readSeed(text: string): number | null {
  const seed = Number(text)
  return /^\d+$/.test(text.trim()) && Number.isSafeInteger(seed) ? seed : null
}

/** Returns the config of an exhibit's URL. */
export function resolve(
  info: ExperimentInfo,
  settings: readonly RawSetting[],
): { ok: true; config: Config } | { ok: false; problem: LinkProblem } {
  const bad = (path: string, text: string, why: string) => ({
    ok: false as const,
    problem: badField(info.name, path, text, why),
  })
  const found: Setting[] = []
  let config: Config = info.defaults
  for (const [path, text] of settings) {
    if (path === 'preset') {
      const preset = info.presets.find((p) => p.name === text || p.former === text)
      if (!preset) return bad('preset', text, `must be one of ${info.presets.map((p) => p.name).join(', ')}`)
      config = presetConfig(info, preset)
      continue
    }
    if (path === 'config') {
      const given = parseObject(text)
      if (given === null) return bad('config', text, 'must be a JSON object')
      for (const leaf of leaves(given)) {
        const field = fieldAt(info, leaf.path)
        if (!field) return bad(leaf.path, write(leaf.value), unknownField(info, leaf.path))
        const value = typeof leaf.value === 'string' ? currentValue(info, field.path, leaf.value) : leaf.value
        const checked = check(field, value)
        if (!checked.ok) return bad(field.path, write(leaf.value), `must be ${allowed(field)}`)
        found.push({ path: field.path, value })
      }
      continue
    }
    const field = fieldAt(info, path)
    if (!field) return bad(path, text, unknownField(info, path))
    const checked = read(field, currentValue(info, field.path, text))
    if (!checked.ok) return bad(field.path, text, `must be ${allowed(field)}`)
    found.push({ path: field.path, value: checked.value })
  }
  return { ok: true, config: withSettings(config, found) }
}

/** Returns the field at a path, or at a former path of a renamed field. */
function fieldAt(info: ExperimentInfo, path: string) {
  const today = info.renamed_fields.find(({ former }) => former === path)?.path ?? path
  return info.fields.find((field) => field.path === today)
}

/** Returns the current value of a choice field, given its current or former value. */
function currentValue(info: ExperimentInfo, path: string, value: string): string {
  const renamed = info.renamed_values.find((known) => known.path === path && known.former === value)
  return renamed?.value ?? value
}

/**
 * Returns the URL fragment of an experiment: seed, fields that differ from the defaults, and engine unless it is the
 * CPU.
 */
export function exhibitHash(
  info: ExperimentInfo,
  config: Config,
  seed: number,
  engine: Engine = 'cpu',
): string {
  const query = new URLSearchParams({ seed: String(seed) })
  if (engine !== 'cpu') query.append('engine', engine)
  for (const { path, value } of differences(info.fields, config, info.defaults)) {
    query.append(path, write(value))
  }
  return fragment(info.name, query)
}

function fragment(name: string, query: URLSearchParams): string {
  // Commas and colons need no escaping after the `#` and stay readable.
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? `#/${name}` : `#/${name}?${text}`
}

/** The parts of a shared link that are not part of the config. The link omits absent parts. */
export interface Shared {
  engine?: Engine
  /** Speed limit of training; the link omits `max`. */
  speed?: Speed
}

/**
 * Returns the URL fragment of an experiment with the fewest settings: the differences from the defaults or from a preset; among
 * equal numbers, the shortest fragment. Addresses of stored runs use {@link exhibitHash}, which is unique for a config.
 */
export function shortHash(
  info: ExperimentInfo,
  config: Config,
  seed: number,
  { engine = 'cpu', speed = 'max' }: Shared = {},
): string {
  const bases = [
    { preset: null, base: info.defaults },
    ...info.presets.map((preset) => ({ preset: preset.name, base: presetConfig(info, preset) })),
  ]
  const links = bases.map(({ preset, base }) => {
    const query = new URLSearchParams()
    if (preset !== null) query.append('preset', preset)
    if (seed !== defaultSeed) query.append('seed', String(seed))
    if (engine !== 'cpu') query.append('engine', engine)
    const settings = differences(info.fields, config, base)
    for (const { path, value } of settings) query.append(path, write(value))
    // A link without a run opens the first settings of the environment, which are not the defaults.
    const isBare = preset === null && settings.length === 0 && seed === defaultSeed
    if (isBare && isWorld(info.name) && worldCard(info.name).start) query.append('seed', String(seed))
    if (speed !== 'max') query.append('speed', String(speed))
    return { link: fragment(info.name, query), settings: settings.length }
  })
  links.sort((a, b) => a.settings - b.settings || a.link.length - b.link.length)
  return links[0]!.link
}

/** Returns the fragment of an exhibit with this presentation in place of its own. */
export function withPresentation(
  hash: string,
  {
    guide,
    projector,
    show = null,
    theme = null,
    axis = null,
    curves = null,
    beside = null,
    position = null,
  }: Presentation,
): string {
  const [path, query] = split(hash, '?')
  const parts = query
    .split('&')
    .filter((part) => part !== '' && !/^(guide|projector|show|theme|axis|curves|beside|position)=/.test(part))
  if (guide !== null) parts.push(`guide=${guide}`)
  if (projector) parts.push('projector=1')
  if (show !== null) parts.push(`show=${show.join(',')}`)
  if (theme !== null) parts.push(`theme=${theme}`)
  if (axis !== null) parts.push(`axis=${axis}`)
  if (curves !== null) parts.push(`curves=${encodeURIComponent(curves)}`)
  if (beside !== null) parts.push(`beside=${writeNested(beside)}`)
  if (position !== null) parts.push(`position=${writePosition(position)}`)
  return parts.length ? `${path}?${parts.join('&')}` : path
}

/** Returns the fragment that opens a board game at a position. */
export const positionHash = (world: string, id: string): string =>
  withPresentation(`#/${world}`, { guide: null, projector: false, position: id })

/** Returns the ID of a position as a value of a query. Colons need no escaping. */
const writePosition = (id: string): string => encodeURIComponent(id).replaceAll('%3A', ':')

/** Returns the problem of a link to a position. `why`: reason and remedy of the game; null for an empty ID. */
export function badPosition(world: string, id: string, why: string | null): LinkProblem {
  const { title } = worldCard(world as World)
  const found = id.trim() === '' ? 'an empty position' : `the position “${shown(id)}”, which is not valid`
  return {
    message: `This link opens ${found}. ${sentence(why ?? `${world === 'backgammon' ? 'A position ID or an XGID follows' : 'Columns from 1 to 7 follow'} “position=”`)}`,
    href: `#/${world}`,
    linkLabel: `Open ${title} without the position`,
  }
}

/** Returns the query of a fragment; empty if there is none. */
export const queryOf = (hash: string): string => split(hash, '?')[1]

/** Returns a query as one value of another query: `preset=moon&seed=2` as `preset:moon;seed:2`. */
function writeNested(query: string): string {
  const value = query
    .split('&')
    .map((part) => part.replace('=', ':'))
    .join(';')
  return encodeURIComponent(value).replace(/%(?:2C|3A|3B)/g, decodeURIComponent)
}

/** Returns the query of a nested value; null if it is malformed. */
function readNested(value: string): string | null {
  const parts = value === '' ? [] : value.split(';')
  return parts.every((part) => /^[^:=]+:/.test(part))
    ? parts.map((part) => part.replace(':', '=')).join('&')
    : null
}

function parseObject(text: string): Config | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : null
  } catch {
    return null
  }
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

function badField(world: string, path: string, text: string, why: string): LinkProblem {
  const title = worlds.find((w) => w.name === world)?.title ?? world
  return {
    message: `This link sets ${shown(path)} to “${shown(text)}”, but ${shown(path)} ${why}.`,
    href: `#/${world}`,
    linkLabel: `Open ${title} with its defaults`,
  }
}

function unknownField(info: ExperimentInfo, path: string): string {
  const last = path.split('.').at(-1)
  const near = info.fields.find((f) => f.path.split('.').at(-1) === last) ?? nearest(info, path)
  return `is not a field of ${info.name}${near ? ` (the nearest one is ${near.path})` : ''}`
}

function nearest(info: ExperimentInfo, path: string) {
  const ranked = info.fields.map((field) => ({ field, far: distance(field.path, path) }))
  ranked.sort((a, b) => a.far - b.far)
  return ranked[0] && ranked[0].far <= 4 ? ranked[0].field : undefined
}

/** Returns the Levenshtein distance of two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    row = next
  }
  return row[b.length]!
}

function unknownWorld(name: string): LinkProblem {
  const open = worlds.map((world) => world.name).join(', ')
  return {
    message: `Unknown environment “${shown(name)}”. Available: ${open}.`,
    href: '#/',
    linkLabel: 'Home',
  }
}

/** Returns a link whose run waits for the button “Train”. */
export const withPause = (link: string): string => `${link}${link.includes('?') ? '&' : '?'}paused=1`
