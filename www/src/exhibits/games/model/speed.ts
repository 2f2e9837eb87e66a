/** Training speeds to choose from: slower ones leave the machine to other things, and to those who want to look. */
import type { SpeedStop } from '../../frame/speed'

export const speedStops: readonly SpeedStop[] = [
  { speed: 10, name: '10 moves/s' },
  { speed: 30, name: '30 moves/s' },
  { speed: 100, name: '100 moves/s' },
  { speed: 300, name: '300 moves/s' },
  { speed: 1000, name: '1,000 moves/s' },
  { speed: 'max', name: 'full speed' },
]
