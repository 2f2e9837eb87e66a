/** Delays between moves that a user can select. */
import { nearest } from '../../lib/nearest'

export interface DelayStop {
  /** Seconds per move; `null` waits for the user before each move. */
  seconds: number | null
  /** Label of the stop. */
  name: string
}

/** Returns slider stops: step by step, then `seconds`, then no delay. `move`: the noun for a move. */
export function delayStopsOf(seconds: readonly number[], move: string): DelayStop[] {
  const fast = seconds.length - 1
  return [
    { seconds: null, name: 'step by step' },
    ...seconds.map((seconds, i) => ({ seconds, name: i === fast ? 'fast' : `${seconds} s a ${move}` })),
    { seconds: 0, name: 'at once' },
  ]
}

/** Returns the index of the stop nearest to a delay in seconds per move. */
export function nearestDelayStop(stops: readonly DelayStop[], pace: number | null): number {
  if (pace === null) return 0
  return nearest(
    stops.map(({ seconds }) => seconds ?? Infinity),
    pace,
  )
}
