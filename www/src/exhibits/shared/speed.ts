/** Training speeds to choose from: slower ones leave the machine to other things, and to those who want to look. */
import type { Speed } from '../../engine/page/session'
import { nearest } from '../../lib/nearest'

export interface SpeedStop {
  speed: Speed
  /** What it is called. */
  name: string
}

/** Stops at so many steps a second, and one at full speed. `steps` is what they are called. */
export function speedStopsOf(speeds: readonly number[], steps: string): SpeedStop[] {
  const stops = speeds.map((speed) => ({ speed, name: `${speed.toLocaleString('en')} ${steps}/s` }))
  return [...stops, { speed: 'max', name: 'full speed' }]
}

/** The stop nearest to a speed, by its place among `stops`. */
export function stopOf(stops: readonly SpeedStop[], speed: Speed): number {
  if (speed === 'max') return stops.length - 1
  return nearest(
    stops.map((stop) => (stop.speed === 'max' ? Infinity : stop.speed)),
    speed,
  )
}
