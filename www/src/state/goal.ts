/** The criterion for a solved experiment. */
import type { ExperimentInfo, MetricRow } from '../engine/page/session'

/** Returns whether a metric row reaches the goal of its experiment; never for experiments without a goal. */
export function reachesGoal({ readings: { solved } }: ExperimentInfo, { values }: MetricRow): boolean {
  const value = values.find(([name]) => name === solved?.metric)?.[1]
  return solved !== null && value !== undefined && value >= solved.from
}
