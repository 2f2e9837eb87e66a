/** Training speeds, as multiples of simulated real time. */
import { number } from '../../lib/format'
import type { SpeedStop, StepKind } from '../shared/speed'

const factors: readonly number[] = [0.1, 0.25, 0.5, 1, 4, 16, 64, 256]

/** Returns the speeds in steps per second of each environment, the unit of a session. */
export function speedStops(stepSeconds: number): SpeedStop[] {
  const stops = factors.map((factor) => ({ speed: factor / stepSeconds, name: speedName(factor) }))
  return [...stops, { speed: 'max', name: 'as fast as it goes' }]
}

/** Returns the speed limits that a new run passes through, beginning with real time. */
export const openingSpeeds = (stepSeconds: number) =>
  speedStops(stepSeconds)
    .slice(factors.indexOf(1))
    .map(({ speed }) => speed)

/** A single step of training: episodes of all environments, then gradient steps. */
export const trainingStep: StepKind = { name: 'update', until: 'update' }

function speedName(factor: number): string {
  if (factor === 1) return 'real time'
  return factor < 1 ? `${number(factor, factor === 0.25 ? 2 : 1)}× slow motion` : `${factor}× real time`
}
