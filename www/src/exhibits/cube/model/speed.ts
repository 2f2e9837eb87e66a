import { speedStopsOf, type StepKind } from '../../shared/speed'

export const speedStops = speedStopsOf([1000, 3000, 10_000, 30_000, 100_000], 'samples')

/** A single step of training: new samples, then gradient steps. */
export const trainingStep: StepKind = { name: 'iteration', until: 'update' }
