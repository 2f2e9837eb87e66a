/** Selectable training speeds in epochs per second. */
import type { SpeedStop, StepKind } from '../shared/speed'

const rates: readonly number[] = [0.5, 1, 2, 5, 10, 25, 50]

/** Stops of the training speed control. */
export const speedStops: readonly SpeedStop[] = [
  ...rates.map((rate) => ({ speed: rate, name: `${rate} ${rate === 1 ? 'epoch' : 'epochs'}/s` })),
  { speed: 'max', name: 'maximum' },
]

/** A single step of training. */
export const trainingStep: StepKind = { name: 'epoch', until: 'update' }
