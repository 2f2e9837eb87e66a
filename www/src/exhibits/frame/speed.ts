/** Training speeds to choose from. */
import type { Speed } from '../../engine/page/session'

export interface SpeedStop {
  speed: Speed
  /** What it is called. */
  name: string
}

/** The stop nearest to a speed, by its place among `stops`. */
export function stopOf(stops: readonly SpeedStop[], speed: Speed): number {
  if (speed === 'max') return stops.length - 1
  const far = stops.map((stop) => (stop.speed === 'max' ? Infinity : Math.abs(stop.speed - speed)))
  return far.indexOf(Math.min(...far))
}
