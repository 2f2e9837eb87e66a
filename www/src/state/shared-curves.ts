/**
 * Learning curves of compared runs as text for a link: JSON, compressed with DEFLATE (RFC 1951), in base64url (RFC 4648). Each
 * curve has at most 100 points, stored as differences of integers from 0 to 4095 that span its range. Version 1 of the format
 * has a single run.
 */
import type { MetricColumns } from '../lib/csv'
import type { SettingChange } from './changes'
import { History, type HistoryData } from './history'
import type { Solved, TrainedOn } from './saving'

export interface SharedRun extends MetricColumns {
  /** URL fragment of experiment, config and seed. */
  address: string
  /** Title set by the user; may be empty. */
  title: string
  /** Latest value of each metric. */
  latest: Readonly<Record<string, number>>
  /** When the run was solved; null if it was not, absent if unknown. */
  solved?: Solved | null | undefined
  /** Changes of settings during the run. */
  changes?: readonly SettingChange[] | undefined
  /** All conditions under which the run has trained; absent or null if unknown. */
  trainedOn?: readonly TrainedOn[] | null | undefined
  /** Styles of the line; absent in links of earlier versions. */
  styles?: RunStyles | null | undefined
}

/** Indices of the styles of a run's own line and of the line of its group; −1 for the run of the sender. */
export type RunStyles = readonly [own: number, group: number]

export interface SharedComparison {
  runs: readonly SharedRun[]
  /** Index of the run that the others are compared with; null for none. */
  baseline: number | null
  /** Whether the bands of equal settings are 95 % confidence intervals, and not ranges. */
  interval: boolean
}

/** Maximum number of points of a curve, and the numbers that are tried if the text would be too long. */
const pointCounts = [100, 50, 25, 12]
const mostPoints = pointCounts[0]!

/** Maximum number of changes of settings of a run. */
const mostChanges = 16

/** Maximum number of conditions under which a run has trained. */
const mostConditions = 8

/** Maximum number of runs. */
const mostRuns = 64

/** Maximum length of the text, in characters; e-mail programs and messengers cut longer links. */
export const mostCharacters = 4_000

/** Largest integer of a curve. */
const levels = 4095

/** Version of the format that is written. */
const version = 2

interface PackedCurve {
  /** Values of the integers 0 and `levels`. */
  range: [low: number, high: number]
  latest: number
  /** Difference of each integer from the preceding one; null for a step without value. */
  changes: (number | null)[]
}

interface PackedRun {
  address: string
  /** Absent if the run has none, and in version 1. */
  title?: string
  /** Difference of each number of steps from the preceding one. */
  steps: number[]
  curves: Record<string, PackedCurve>
  /** Steps and seconds until the run was solved; null if it was not. Absent if unknown, and in earlier links. */
  solved?: readonly [steps: number, seconds: number] | null
  /** The newest changes of settings; absent without changes, and in earlier links. */
  changes?: PackedChange[]
  /** Absent in earlier links. */
  styles?: RunStyles
  /** Absent if unknown, and in earlier links. */
  trainedOn?: PackedConditions[]
}

type PackedConditions = [engine: 'cpu' | 'gpu', threads: number, isBeside: 0 | 1]

/** The value before the change is absent if unknown. */
type PackedChange = [steps: number, path: string, before?: unknown]

interface Packed {
  version: typeof version
  runs: PackedRun[]
  baseline: number | null
  /** Absent in the first links of version 2. */
  interval?: boolean
}

/**
 * Returns runs as text of at most `most` characters. `names`: the metrics, the most important first. If the text would be too
 * long, the last metrics are omitted; if one metric is too long, the curves have fewer points.
 */
export async function encodeComparison(
  { runs, baseline, interval }: SharedComparison,
  names: readonly string[],
  most = mostCharacters,
): Promise<{ text: string; omitted: readonly string[] }> {
  const known = names.filter((name) => runs.some(({ columns }) => columns[name]?.some(isKnown)))
  for (const points of pointCounts) {
    const packed = runs.map((run) => packRun(run, known, points))
    for (let count = known.length; count > 0; count--) {
      const kept = new Set(known.slice(0, count))
      const some = packed.map((run) => ({
        ...run,
        curves: Object.fromEntries(Object.entries(run.curves).filter(([name]) => kept.has(name))),
      }))
      const text = await encoded({ version, runs: some, baseline, interval })
      if (text.length <= most) return { text, omitted: known.slice(count) }
    }
  }
  throw new Error('These runs have no curve that fits into a link.')
}

const encoded = async (packed: Packed) =>
  toBase64Url(
    await transformed(new TextEncoder().encode(JSON.stringify(packed)), new CompressionStream('deflate-raw')),
  )

/** Parses the text of runs. Throws an error that names the defect. */
export async function decodeComparison(text: string): Promise<SharedComparison> {
  if (text.length > 2 * mostCharacters) throw defect('the data is too long')
  const json = await transformed(fromBase64Url(text), new DecompressionStream('deflate-raw'))
    .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as unknown)
    .catch(() => {
      throw defect('the data is incomplete or damaged')
    })
  if (isObject(json) && typeof json.version === 'number' && ![1, version].includes(json.version))
    throw defect(`this page reads the formats 1 and ${version}, not ${json.version}`)
  const {
    runs,
    baseline = null,
    interval = false,
  } = isObject(json) && json.version === 1 ? { runs: [json] } : ((json ?? {}) as Partial<Packed>)
  const isComparison = Array.isArray(runs) && runs.length > 0 && runs.length <= mostRuns
  const isBaseline = baseline === null || (Number.isInteger(baseline) && runs?.[baseline] !== undefined)
  if (!isComparison || !runs.every(isPackedRun) || !isBaseline || typeof interval !== 'boolean')
    throw defect('the data is not in the expected form')
  return { runs: runs.map(unpackRun), baseline, interval }
}

const defect = (what: string) => ({
  message: `The curves in this link cannot be read: ${what}.`,
  hint: 'Copy the whole link again. The experiment itself is not affected.',
})

const isKnown = (value: number | null): value is number => value !== null && Number.isFinite(value)

const rounded = (value: number) => Number(value.toPrecision(6))

/** Returns a run with curves of at most `points` points. */
function packRun(
  { address, title, latest, solved, changes = [], styles, trainedOn, ...curves }: SharedRun,
  names: readonly string[],
  points: number,
) {
  const known = names.filter((name) => curves.columns[name])
  const columns = Object.fromEntries(known.map((name) => [name, [...curves.columns[name]!]]))
  const thinned = thin({ steps: [...curves.steps], columns }, points)
  const { steps } = thinned
  return {
    address,
    ...(title && { title }),
    ...(solved !== undefined && { solved: solved && ([solved.steps, rounded(solved.seconds)] as const) }),
    ...(styles && { styles }),
    ...(trainedOn && { trainedOn: trainedOn.slice(0, mostConditions).map(packConditions) }),
    ...(changes.length > 0 && { changes: changes.slice(-mostChanges).map(packChange) }),
    steps: steps.map((step, i) => step - (steps[i - 1] ?? 0)),
    curves: Object.fromEntries(
      names.flatMap((name) => {
        const curve = pack(thinned.column(name), latest[name])
        return curve ? [[name, curve] as const] : []
      }),
    ),
  }
}

const packChange = ({ steps, path, before }: SettingChange): PackedChange =>
  before === undefined ? [steps, path] : [steps, path, before]

const packConditions = ({ engine, threads, isBeside }: TrainedOn): PackedConditions => [
  engine,
  threads,
  isBeside ? 1 : 0,
]

/** Returns a history with the highest resolution that has at most `points` points. */
function thin(curves: HistoryData, points: number): History {
  for (let resolution = points; ; resolution /= 1.25) {
    const thinned = new History(resolution)
    thinned.load(curves)
    if (thinned.length <= points) return thinned
  }
}

function unpackRun(run: PackedRun): SharedRun {
  const { address, title = '', steps, curves, solved, changes, styles, trainedOn } = run
  let step = 0
  const entries = Object.entries(curves)
  return {
    address,
    title,
    ...(solved !== undefined && { solved: solved && { steps: solved[0], seconds: solved[1] } }),
    ...(styles && { styles }),
    ...(trainedOn && {
      trainedOn: trainedOn.map(([engine, threads, beside]) => ({ engine, threads, isBeside: beside === 1 })),
    }),
    ...(changes && { changes: changes.map(([steps, path, before]) => ({ steps, path, text: '', before })) }),
    steps: steps.map((change) => (step += change)),
    columns: Object.fromEntries(entries.map(([name, curve]) => [name, unpack(curve)])),
    latest: Object.fromEntries(entries.map(([name, { latest }]) => [name, latest])),
  }
}

/** Returns a curve as integers; null without values. */
function pack(values: readonly (number | null)[], latest: number | undefined): PackedCurve | null {
  const known = values.filter(isKnown)
  if (known.length === 0) return null
  const [low, high] = [Math.min(...known), Math.max(...known)]
  let last = 0
  const changes = values.map((value) => {
    if (!isKnown(value)) return null
    const level = high > low ? Math.round((levels * (value - low)) / (high - low)) : 0
    const change = level - last
    last = level
    return change
  })
  const range: [number, number] = [rounded(low), rounded(high)]
  return { range, latest: rounded(Number.isFinite(latest) ? latest! : known.at(-1)!), changes }
}

function unpack({ range: [low, high], changes }: PackedCurve): (number | null)[] {
  let level = 0
  return changes.map((change) => {
    if (change === null) return null
    level += change
    return low + ((high - low) * level) / levels
  })
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isPackedRun(run: unknown): run is PackedRun {
  if (!isObject(run) || typeof run.address !== 'string' || !isObject(run.curves)) return false
  const { title, steps, curves } = run
  if (title !== undefined && typeof title !== 'string') return false
  const isStep = (step: unknown) => Number.isSafeInteger(step) && (step as number) >= 0
  if (!Array.isArray(steps) || steps.length > mostPoints || !steps.every(isStep)) return false
  const { solved = null, changes = [], styles = [0, 0], trainedOn = [] } = run
  const isStyle = (style: unknown) => Number.isInteger(style) && (style as number) >= -1
  if (!Array.isArray(styles) || styles.length !== 2 || !styles.every(isStyle)) return false
  const isSolved = Array.isArray(solved) && solved.length === 2 && solved.every(Number.isFinite)
  if (solved !== null && !isSolved) return false
  const isChange = (change: unknown) =>
    Array.isArray(change) && isStep(change[0]) && typeof change[1] === 'string'
  if (!Array.isArray(changes) || changes.length > mostChanges || !changes.every(isChange)) return false
  const isCondition = (on: unknown) => Array.isArray(on) && ['cpu', 'gpu'].includes(on[0]) && isStep(on[1])
  if (!Array.isArray(trainedOn) || trainedOn.length > mostConditions || !trainedOn.every(isCondition))
    return false
  return Object.values(curves).every((curve) => isPackedCurve(curve, steps.length))
}

function isPackedCurve(curve: unknown, length: number): boolean {
  if (!isObject(curve)) return false
  const { range, latest, changes } = curve
  return (
    Array.isArray(range) &&
    range.length === 2 &&
    [...(range as unknown[]), latest].every(Number.isFinite) &&
    Array.isArray(changes) &&
    changes.length === length &&
    changes.every((change) => change === null || Number.isInteger(change))
  )
}

/** Returns the bytes after a compression or decompression. */
async function transformed(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const read = new Blob([bytes]).stream().pipeThrough(stream)
  return new Uint8Array(await new Response(read).arrayBuffer())
}

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch {
    throw defect('it contains characters that no link has')
  }
}
