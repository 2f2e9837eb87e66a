/** Comparisons of runs in this browser, stored by experiment. */
import type { BandKind } from '../../charts/band'
import { store, stored } from '../../lib/storage'

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

const key = (experiment: string) => `comparison-${experiment}`

const isKey = (value: unknown): value is string => typeof value === 'string'

/** Returns the stored comparison of an experiment; null if there is none or if it is invalid. */
export function storedComparison(experiment: string): StoredComparison | null {
  try {
    const read: unknown = JSON.parse(stored(key(experiment)) ?? 'null')
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

/** Stores the comparison of an experiment. Without storage, it lasts until the page is closed. */
export function storeComparison(experiment: string, comparison: StoredComparison): void {
  store(key(experiment), JSON.stringify(comparison))
}
