/** The criterion for a solved experiment. */
import type { ExperimentInfo, MetricRow } from '../engine/page/session'

/** Returns whether a metric row holds the goal of its experiment; null without a goal or without its metric. */
export function holdsGoal({ readings: { solved } }: ExperimentInfo, { values }: MetricRow): boolean | null {
  const value = values.find(([name]) => name === solved?.metric)?.[1]
  return solved === null || value === undefined ? null : value >= solved.from
}
