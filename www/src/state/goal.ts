/** When an experiment counts as solved. */
import type { ExperimentInfo, MetricRow } from '../engine/page/session'

/** Whether a row of measurements reaches the goal of its experiment; never where there is always more to learn. */
export function reaches({ readings: { solved } }: ExperimentInfo, { values }: MetricRow): boolean {
  const value = values.find(([name]) => name === solved?.metric)?.[1]
  return solved !== null && value !== undefined && value >= solved.from
}
