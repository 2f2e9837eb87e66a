/** Lengths of solutions in both turn metrics. */
import { writeTurns } from './reconstruction'
import { readTurn } from './turns'

const read = (turns: readonly string[]) => turns.flatMap((turn) => readTurn(turn) ?? [])

/** Returns the number of moves in the quarter-turn metric: a half turn is two moves. */
export const quarterTurns = (turns: readonly string[]): number =>
  read(turns).reduce((sum, { quarters }) => sum + (quarters === 2 ? 2 : 1), 0)

/** Returns the number of moves in the half-turn metric: two equal quarter turns in a row are one half turn. */
export const halfTurns = (turns: readonly string[]): number =>
  turns.length === 0 ? 0 : writeTurns(read(turns)).split(' ').length
