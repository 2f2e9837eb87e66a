/** Comparisons of runs in this browser, stored by experiment, and of links with curves in this tab. */
import type { BandKind } from '../../charts/band'
import { digest } from '../../lib/files'
import { store, stored, type StorageArea } from '../../lib/storage'

export interface StoredComparison {
  /** Keys of the stored runs that the charts draw, in the order of their selection. */
  runs: readonly string[]
  /** Key of a run of the baseline; null for none. */
  baseline: string | null
  /** Whether runs that differ in the seed only are drawn as a band. */
  combined: boolean
  /** What the bands show. */
  band: BandKind
  /** Number of steps at which runs stop; null for none. */
  stop: number | null
}

/** The comparison of an experiment of which nothing is stored. */
export const emptyComparison: StoredComparison = {
  ...{ runs: [], baseline: null, combined: true, band: 'interval', stop: null },
}

/** Name and storage area of the comparison of an experiment. `curves`: text of the curves in a link; null without. */
const placeOf = (experiment: string, curves: string | null): [name: string, area: StorageArea] =>
  curves === null
    ? [`comparison-${experiment}`, 'localStorage']
    : [`comparison-${experiment}-${digest(curves)}`, 'sessionStorage']

const isKey = (value: unknown): value is string => typeof value === 'string'

/**
 * Returns the stored comparison of an experiment; null if there is none or if it is invalid. `curves`: text of the curves in a
 * link, which has a comparison of its own.
 */
export function storedComparison(experiment: string, curves: string | null = null): StoredComparison | null {
  try {
    const read: unknown = JSON.parse(stored(...placeOf(experiment, curves)) ?? 'null')
    if (typeof read !== 'object' || read === null) return null
    const { runs, baseline, combined, band, stop } = read as Record<keyof StoredComparison, unknown>
    return {
      runs: Array.isArray(runs) ? runs.filter(isKey) : [],
      baseline: isKey(baseline) ? baseline : null,
      combined: combined !== false,
      band: band === 'range' ? 'range' : 'interval',
      stop: Number.isSafeInteger(stop) && (stop as number) > 0 ? (stop as number) : null,
    }
  } catch {
    return null
  }
}

/** Stores the differences between two comparisons. Changes by another tab stay stored. */
export function storeChanges(
  experiment: string,
  curves: string | null,
  before: StoredComparison,
  after: StoredComparison,
): void {
  const found = storedComparison(experiment, curves) ?? before
  const isChanged = ([key, value]: [string, unknown]) => value !== before[key as keyof StoredComparison]
  const changes = Object.fromEntries(Object.entries(after).filter(isChanged))
  const added = after.runs.filter((id) => !before.runs.includes(id))
  const removed = before.runs.filter((id) => !after.runs.includes(id))
  const runs = [...new Set([...found.runs, ...added])].filter((id) => !removed.includes(id))
  const [name, area] = placeOf(experiment, curves)
  store(name, JSON.stringify({ ...found, ...changes, runs }), area)
}
