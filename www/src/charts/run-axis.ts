/** Horizontal axis of charts: maps the rows of a run to steps or to training time. */
import type { ChartAxisKind } from '../state/route'
import { sampler } from './band'

export type AxisKind = ChartAxisKind

type Values = readonly (number | null)[]

/** Minimum distance of two reports in seconds: closer reports were sent earlier, while the page was busy. */
const leastInterval = 0.05

/** Positions of a run on the horizontal axis. */
export interface RunAxis {
  /** Positions of the rows, ascending: steps, or seconds of training; empty if the run has no training times. */
  positions: readonly number[]
  /** Returns the values of a column at these positions. */
  valuesAt(column: Values): Values
  /** Returns the position of a number of steps; null if it is unknown. */
  positionOf(steps: number): number | null
}

/**
 * Returns the axis of a run. `elapsed`: training time of each row in seconds; null if unknown. Over time, rows without a time are
 * left out, and the first position is 0 s, without values. Rows of one report have the same time; their positions are
 * interpolated between the times of this report and of the preceding one.
 */
export function runAxis(kind: AxisKind, steps: readonly number[], elapsed: Values): RunAxis {
  if (kind === 'steps')
    return { positions: steps, valuesAt: (column) => column, positionOf: (position) => position }
  const isTimed = (time: number | null | undefined): time is number => time != null && time > 0
  const rows = steps.flatMap((_, row) => (isTimed(elapsed[row]) ? [row] : []))
  if (rows.length === 0) return { positions: [], valuesAt: () => [], positionOf: () => null }
  const reports: [steps: number, time: number][] = []
  for (const row of rows.toReversed()) {
    const time = elapsed[row]!
    if (time <= (reports.at(-1)?.[1] ?? Infinity) - leastInterval) reports.push([steps[row]!, time])
  }
  const points = [[0, 0] as const, ...reports.reverse()]
  const timeAt = sampler(points)
  return {
    positions: [0, ...rows.map((row) => timeAt(steps[row]!)!)],
    valuesAt: (column) => [null, ...rows.map((row) => column[row] ?? null)],
    positionOf: (position) => sampler(points)(position),
  }
}
