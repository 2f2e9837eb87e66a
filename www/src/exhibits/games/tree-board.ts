/** Board of a decision in the search tree, and after the moves of a branch. */
import type { GameTable } from '../../engine/page/session'
import { before, dropped } from './connect-four/cells'
import type { PlacedNode } from './model/tree'

/**
 * Returns the board of a decision, as in the thumbnails, after the moves of a line, and their number; null if the
 * position is unknown. The moves of backgammon are not applied.
 */
export function boardAfter(
  table: GameTable,
  turn: number,
  line: readonly PlacedNode[],
): { board: Uint8Array; moves: number } | null {
  const { board, history } = table
  if (board.kind === 'backgammon')
    return turn === history.length ? { board: Uint8Array.from(board.checkers.flat()), moves: 0 } : null
  if (turn > history.length) return null
  const now = before(table, board.cells, turn)
  const cells = line.reduce((all, { node, mover }) => dropped(all, Number(node.text) - 1, mover ?? 0), now)
  return { board: Uint8Array.from(cells), moves: line.length }
}
