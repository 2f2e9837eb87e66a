import { speedStopsOf, type StepKind } from '../shared/speed'

export const speedStops = speedStopsOf([1000, 3000, 10_000, 30_000], 'tokens')

/** A single step of training. */
export const trainingStep: StepKind = { name: 'gradient step', until: 'update' }
