import { speedStopsOf, type StepKind } from '../../shared/speed'

export const speedStops = speedStopsOf([10, 30, 100, 300, 1000], 'moves')

/** A single step of training: a move in each game of self-play. */
export const trainingStep: StepKind = { name: 'round of moves', until: 'steps' }
