/** Lengths of solutions in both turn metrics. */
import { mergedTurns } from './reconstruction'
import { readTurn } from './turns'

const read = (turns: readonly string[]) => turns.flatMap((turn) => readTurn(turn) ?? [])

/** Returns the number of moves in the quarter-turn metric: a half turn is two moves. */
export const quarterTurns = (turns: readonly string[]): number =>
  read(turns).reduce((sum, { quarters }) => sum + (quarters === 2 ? 2 : 1), 0)

/** Returns the number of moves in the half-turn metric: two equal quarter turns in a row are one half turn. */
export const halfTurns = (turns: readonly string[]): number => mergedTurns(read(turns)).length

/** Writes a number of quarter turns, such as "11 quarter turns". */
export const quarterTurnsText = (count: number): string =>
  `${count.toLocaleString('en')}\u00a0quarter ${count === 1 ? 'turn' : 'turns'}`

/** Writes the length of a solution in both metrics, such as "11 quarter turns (9 HTM)". */
export const lengthText = (turns: readonly string[]): string =>
  `${quarterTurnsText(quarterTurns(turns))} (${halfTurns(turns).toLocaleString('en')}\u00a0HTM)`
