/** Training speeds to choose from: slower ones leave the machine to other things, and to those who want to look. */
import type { SpeedStop } from '../../frame/speed'

export const speedStops: readonly SpeedStop[] = [
  { speed: 1_000, name: '1,000 samples/s' },
  { speed: 3_000, name: '3,000 samples/s' },
  { speed: 10_000, name: '10,000 samples/s' },
  { speed: 30_000, name: '30,000 samples/s' },
  { speed: 100_000, name: '100,000 samples/s' },
  { speed: 'max', name: 'full speed' },
]
