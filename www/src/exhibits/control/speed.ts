/** Training speeds to choose from, in multiples of the world's own time. */
import { number } from '../../lib/format'
import type { Speed } from '../../session'

export const speedStops: readonly (number | 'max')[] = [0.1, 0.25, 0.5, 1, 4, 16, 64, 256, 'max']

/** As the session takes it: steps per second of each environment. */
export function toSpeed(stop: number | 'max', stepSeconds: number): Speed {
  return stop === 'max' ? 'max' : stop / stepSeconds
}

export function stopOf(speed: Speed, stepSeconds: number): number {
  if (speed === 'max') return speedStops.length - 1
  const factor = speed * stepSeconds
  let best = 0
  for (const [i, stop] of speedStops.entries()) {
    const there = speedStops[best]!
    if (stop !== 'max' && there !== 'max' && Math.abs(stop - factor) < Math.abs(there - factor)) best = i
  }
  return best
}

export function speedName(stop: number | 'max'): string {
  if (stop === 'max') return 'as fast as it goes'
  if (stop === 1) return 'real time'
  return stop < 1 ? `${number(stop, stop === 0.25 ? 2 : 1)}× slow motion` : `${stop}× real time`
}
