/** Training speeds to choose from, in epochs. */
import type { SpeedStop } from '../shared/speed'

const rates: readonly number[] = [0.5, 1, 2, 5, 10, 25, 50]

/** A session takes them as epochs per second. */
export const speedStops: readonly SpeedStop[] = [
  ...rates.map((rate) => ({ speed: rate, name: `${rate} ${rate === 1 ? 'epoch' : 'epochs'}/s` })),
  { speed: 'max', name: 'as fast as it goes' },
]
