/** The goals at which experiments count as solved. */
import { isControl, type ExperimentInfo, type MetricRow } from '../engine/page/session'

/** The metric that says how well a learner does, and from where on it is solved; null where there is always more to learn. */
function goalOf(info: ExperimentInfo): { metric: string; from: number } | null {
  if (isControl(info)) return { metric: 'return_mean', from: info.world.solved }
  // A perfect epoch may be luck.
  if (info.world.kind === 'logic_ca') return { metric: 'settled', from: 1 }
  return info.world.kind === 'cube' && info.world.exam ? { metric: 'solved', from: 0.999 } : null
}

/** Whether a row of measurements reaches the goal of its experiment. */
export function reaches(info: ExperimentInfo, { values }: MetricRow): boolean {
  const goal = goalOf(info)
  const value = values.find(([name]) => name === goal?.metric)?.[1]
  return goal !== null && value !== undefined && value >= goal.from
}
