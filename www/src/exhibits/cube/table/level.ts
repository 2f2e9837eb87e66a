/** Scrambles that the network in training solves, by their length. */
import type { CubeExhaustiveEvaluation, CubeInfo, CubeRun, CubeTable } from '../../../engine/page/session'
import { columns } from '../evaluation/evaluation'
import { scrambles } from './scrambles'

/** Share of solved states, and accuracy of the predicted turn, from which on a length counts as learned. */
const most = { solved: 0.9, accuracy: 0.5 }

/**
 * Returns the largest number of turns whose scrambles the network that evaluates the cube solves mostly; infinite for a
 * network from a file. 2×2×2: according to the last evaluation or, before the first, the curriculum. 3×3×3: according to
 * the accuracy of the predicted turn. 0 if the network is untrained. `complete`: newest complete evaluation.
 */
export function learnedLength(
  { player }: Pick<CubeTable, 'player'>,
  run: CubeRun | null,
  complete: CubeExhaustiveEvaluation | null,
): number {
  if (player !== 'newest') return Infinity
  if (complete?.player === 'newest') {
    const solved = columns(complete.depths).map((column) => column.solved)
    return leading(solved.slice(1), most.solved)
  }
  if (run && run.accuracy_by_depth.length > 0) return leading(run.accuracy_by_depth, most.accuracy)
  // A level opens when the network solves most scrambles of the level before.
  return Math.max(0, (run?.open_level ?? 0) - 1)
}

/** Returns the number of shares before the first one below `least`; infinite if all reach it. */
function leading(shares: readonly number[], least: number): number {
  const failed = shares.findIndex((share) => share < least)
  return failed < 0 ? Infinity : failed
}

/**
 * Returns the longest available scramble of at most `learned` turns, at least 1; null, a random state, if there is no
 * limit. `below`: distance of a cube that the network did not solve, for a scramble that is easier.
 */
export function scrambleWithin(info: CubeInfo, learned: number, below: number | null = null): number | null {
  const limit = Math.min(learned, below === null ? Infinity : below - 1)
  if (limit === Infinity) return null
  const lengths = scrambles(info).filter((length) => length !== null)
  return lengths.findLast((length) => length <= limit) ?? 1
}
