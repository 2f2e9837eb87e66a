/** Limits of a search by beam search, which are stated while it runs. */
import type { CubeRun, CubeSolving, CubeTable } from '../../../engine/page/session'

/** Maximum number of moves of a beam search, as `BeamSearchSettings` of the crate `agents` declares it. */
export const maxMoves = 52

/** Time after which the page stops the search of an untrained network, in seconds. */
export const untrainedSeconds = 10

/** Length of the scrambles that a trained network undoes move by move, and the accuracy at which it does. */
const trained = { moves: 6, accuracy: 0.5 }

/**
 * Returns whether the network that evaluates the cube has hardly been trained: it does not predict the last turn of short
 * scrambles. A beam search by such a network finds solutions of few moves only.
 */
export function isUntrained({ player }: Pick<CubeTable, 'player'>, run: CubeRun | null): boolean {
  if (player !== 'newest') return false
  const accuracies = run?.accuracy_by_depth.slice(0, trained.moves) ?? []
  return accuracies.length < trained.moves || accuracies.some((accuracy) => accuracy < trained.accuracy)
}

/** Returns whether a beam search is in progress. */
export const isBeamSearch = (solving: CubeSolving | null): boolean =>
  solving?.status === 'searching' && solving.by.kind === 'beam'
