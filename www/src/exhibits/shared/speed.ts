/** Training speeds that a user can select. */
import type { Speed, StepEnd } from '../../engine/page/session'
import { nearest } from '../../lib/nearest'

/** Single step of a family's training. */
export interface StepKind {
  /** Name of the step, such as “update”. */
  name: string
  until: StepEnd
}

export interface SpeedStop {
  speed: Speed
  /** Label of the stop. */
  name: string
}

/** Returns slider stops at the given steps per second, and one at full speed. `steps`: the noun for a step. */
export function speedStopsOf(speeds: readonly number[], steps: string): SpeedStop[] {
  const stops = speeds.map((speed) => ({ speed, name: `${speed.toLocaleString('en')} ${steps}/s` }))
  return [...stops, { speed: 'max', name: 'full speed' }]
}

/** Returns the index of the stop nearest to a speed. */
export function stopOf(stops: readonly SpeedStop[], speed: Speed): number {
  if (speed === 'max') return stops.length - 1
  return nearest(
    stops.map((stop) => (stop.speed === 'max' ? Infinity : stop.speed)),
    speed,
  )
}
