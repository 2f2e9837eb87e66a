/** Row of a doubling decision in the list of turns: the double, or the decision not to double, and the reply. */
import type { AnalyzedAction, DoublingReport } from '../../../engine/page/session'
import { other, type Seat } from './checkers'
import type { AnalyzedTurn } from './matchAnalysis'

/** Doubling decision before the roll of a turn. */
export interface DoublingRow {
  /** Player on roll. */
  seat: Seat
  /** Description of the double, or of the decision not to double. */
  text: string
  /** Reply of the opponent to a double; null without a double. */
  reply: 'Takes' | 'Passes' | null
}

/** Decision of one player in a {@link DoublingRow}. */
export interface DoublingHalf {
  /** Player who decides. */
  seat: Seat
  text: string
  /** The decision as rated by the analysis of the match. */
  action: AnalyzedAction | undefined
  /** Equity loss by the search during the game. */
  searched: number | undefined
}

/** Returns the decisions of both players. `costs`: losses of no double, double, take and pass by the search. */
export function doublingHalves(
  { seat, text, reply }: DoublingRow,
  analyzed: AnalyzedTurn | undefined,
  costs: DoublingReport['costs'] | undefined,
): DoublingHalf[] {
  const half = (of: Seat, text: string, kind: AnalyzedAction['action'], cost: number): DoublingHalf => ({
    ...{ seat: of, text, searched: costs?.[cost] },
    action: analyzed?.doubling.find(({ action }) => action === kind),
  })
  if (reply === null) return [half(seat, text, 'no double', 0)]
  const by = other(seat)
  const answer = reply === 'Takes' ? half(by, reply, 'take', 2) : half(by, reply, 'pass', 3)
  return [half(seat, text, 'double', 1), answer]
}
