/** Selectable training speeds in epochs per second. */
import type { Speed } from '../../engine/page/session'
import type { Config } from '../../state/config'
import type { SpeedStop, StepKind } from '../shared/speed'
import { number, text } from './fields'

const rates: readonly number[] = [0.5, 1, 2, 5, 10, 25, 50]

/** Stops of the training speed control. */
export const speedStops: readonly SpeedStop[] = [
  ...rates.map((rate) => ({ speed: rate, name: `${rate} ${rate === 1 ? 'epoch' : 'epochs'}/s` })),
  { speed: 'max', name: 'maximum' },
]

/** Whether a board is so small that training at full speed ends before a visitor sees the pattern appear. */
export const isSmall = (config: Config): boolean =>
  text(config, 'target') !== 'life' &&
  number(config, 'width') * number(config, 'height') * number(config, 'steps') <= 1000

/** Speed limits at the start of a new run: the pattern of a small board appears within ten seconds. */
export const openingSpeeds = (config: Config): readonly Speed[] => (isSmall(config) ? [25, 50, 'max'] : [])

/** A single step of training. */
export const trainingStep: StepKind = { name: 'epoch', until: 'update' }
