/** Limits of a search by beam search, which are stated while it runs. */
import type { CubeSolving } from '../../../engine/page/session'

/** Maximum number of moves of a beam search, as `BeamSearchSettings` of the crate `agents` declares it. */
export const maxMoves = 52

/** Time after which the page stops the search of an untrained network, in seconds. */
export const untrainedSeconds = 10

/**
 * Scramble length that a network solves after little training. A beam search by a network that does not solve it finds
 * solutions of few moves only.
 */
export const trainedLength = 6

/** Returns whether a beam search is in progress. */
export const isBeamSearch = (solving: CubeSolving | null): boolean =>
  solving?.status === 'searching' && solving.by.kind === 'beam'
