/** Paces to choose from: how long each move is shown before the next one. */
import { nearest } from '../../lib/nearest'

export interface PaceStop {
  /** `null` waits for a person before each move. */
  seconds: number | null
  /** What it is called. */
  name: string
}

/** Stops of so many seconds, the last of them fast, between step by step and at once. `move` is what a move is called. */
export function paceStopsOf(seconds: readonly number[], move: string): PaceStop[] {
  const fast = seconds.length - 1
  return [
    { seconds: null, name: 'step by step' },
    ...seconds.map((seconds, i) => ({ seconds, name: i === fast ? 'fast' : `${seconds} s a ${move}` })),
    { seconds: 0, name: 'at once' },
  ]
}

/** The stop nearest to a pace in seconds, by its place among `stops`. */
export function paceStopOf(stops: readonly PaceStop[], pace: number | null): number {
  if (pace === null) return 0
  return nearest(
    stops.map(({ seconds }) => seconds ?? Infinity),
    pace,
  )
}
