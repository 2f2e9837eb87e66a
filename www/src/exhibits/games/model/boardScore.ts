/** Score of the match beside the names on the board. */
import type { GameTable, PlayedMatch } from '../../../engine/page/session'
import { pointsText } from './doubling'
import { shownMatch, type PastPosition } from './playedMatch'

/** Points of the players below and above, such as `3 of 7`, and whether the game is the Crawford game. */
export interface BoardScore {
  points: [string, string]
  crawford: boolean
}

/**
 * Returns the score at the position on the board: a turn of the current game, a position of a match (`past`), or the current position (both
 * null). `match`: the analyzed match that has the position; null without one. Returns null for games without a doubling cube.
 */
export function boardScore(
  table: GameTable,
  turn: number | null,
  past: PastPosition | null,
  match: Pick<PlayedMatch, 'length'> | null,
): BoardScore | null {
  const shown = shownMatch(table, turn, past)
  const length = past && match ? match.length : shown?.doubling.length
  if (length === undefined) return null
  const { score } = past ?? shown ?? table
  const text = (points: number) => (length > 0 ? `${points} of ${length}` : pointsText(points))
  return {
    points: [text(score[0]), text(score[1])],
    crawford: (past ? past.crawford : shown?.doubling.crawford) ?? false,
  }
}
