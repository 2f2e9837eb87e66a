/**
 * Learning curves of a run as text for a link: JSON, compressed with DEFLATE (RFC 1951), in base64url (RFC 4648). Each
 * curve has at most 100 points, stored as differences of integers from 0 to 4095 that span its range.
 */
import type { MetricColumns } from '../lib/csv'
import { History, type HistoryData } from './history'

export interface SharedCurves extends MetricColumns {
  /** URL fragment of experiment, config and seed. */
  address: string
  /** Latest value of each metric. */
  latest: Readonly<Record<string, number>>
}

/** Maximum number of points of a curve. */
const mostPoints = 100

/** Maximum length of the text, in characters; e-mail programs and messengers cut longer links. */
export const mostCharacters = 4_000

/** Largest integer of a curve. */
const levels = 4095

/** Version of the format. */
const version = 1

interface PackedCurve {
  /** Values of the integers 0 and `levels`. */
  range: [low: number, high: number]
  latest: number
  /** Difference of each integer from the preceding one; null for a step without value. */
  changes: (number | null)[]
}

interface Packed {
  version: number
  address: string
  /** Difference of each number of steps from the preceding one. */
  steps: number[]
  curves: Record<string, PackedCurve>
}

/**
 * Returns curves as text of at most `most` characters. `names`: the metrics, the most important first; the last ones are
 * omitted if the text would be too long.
 */
export async function encodeCurves(
  address: string,
  history: HistoryData,
  latest: Readonly<Record<string, number>>,
  names: readonly string[],
  most = mostCharacters,
): Promise<{ text: string; omitted: readonly string[] }> {
  const thinned = new History(mostPoints)
  thinned.load(history)
  const { steps } = thinned
  const curves = names.flatMap((name) => {
    const curve = pack(thinned.column(name), latest[name])
    return curve ? [[name, curve] as const] : []
  })
  for (let count = curves.length; count > 0; count--) {
    const packed: Packed = {
      version,
      address,
      steps: steps.map((step, i) => step - (steps[i - 1] ?? 0)),
      curves: Object.fromEntries(curves.slice(0, count)),
    }
    const text = toBase64Url(
      await transformed(
        new TextEncoder().encode(JSON.stringify(packed)),
        new CompressionStream('deflate-raw'),
      ),
    )
    if (text.length <= most) return { text, omitted: curves.slice(count).map(([name]) => name) }
  }
  throw new Error('This run has no curve that fits into a link.')
}

/** Parses the text of curves. Throws an error that names the defect. */
export async function decodeCurves(text: string): Promise<SharedCurves> {
  if (text.length > 2 * mostCharacters) throw defect('the data is too long')
  const json = await transformed(fromBase64Url(text), new DecompressionStream('deflate-raw'))
    .then((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as unknown)
    .catch(() => {
      throw defect('the data is incomplete or damaged')
    })
  if (isObject(json) && typeof json.version === 'number' && json.version !== version)
    throw defect(`this page reads format ${version}, not ${json.version}`)
  if (!isPacked(json)) throw defect('the data is not in the expected form')
  const columns: Record<string, (number | null)[]> = {}
  const latest: Record<string, number> = {}
  for (const [name, curve] of Object.entries(json.curves)) {
    columns[name] = unpack(curve)
    latest[name] = curve.latest
  }
  let step = 0
  return { address: json.address, steps: json.steps.map((change) => (step += change)), columns, latest }
}

const defect = (what: string) => ({
  message: `The curves in this link cannot be read: ${what}.`,
  hint: 'Copy the whole link again. The experiment itself is not affected.',
})

const rounded = (value: number) => Number(value.toPrecision(6))

/** Returns a curve as integers; null without values. */
function pack(values: readonly (number | null)[], latest: number | undefined): PackedCurve | null {
  const known = values.filter((value) => value !== null && Number.isFinite(value)) as number[]
  if (known.length === 0) return null
  const [low, high] = [Math.min(...known), Math.max(...known)]
  let last = 0
  const changes = values.map((value) => {
    if (value === null || !Number.isFinite(value)) return null
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

function isPacked(json: unknown): json is Packed {
  if (!isObject(json) || typeof json.address !== 'string' || !isObject(json.curves)) return false
  const { steps, curves } = json
  const isStep = (step: unknown) => Number.isSafeInteger(step) && (step as number) >= 0
  if (!Array.isArray(steps) || steps.length > mostPoints || !steps.every(isStep)) return false
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
