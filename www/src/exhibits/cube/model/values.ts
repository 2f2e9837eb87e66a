/** Displayed move values, bar lengths and arrow weights. */
import { number } from '../../../lib/format'
import type { CubeTable, CubeValue } from '../../../engine/page/session'

/** Cost of one turn, which is also the minimum value range for scaling. */
const turnCost = 0.1

const finite = (values: readonly CubeValue[]): number[] =>
  values.map(({ value }) => value).filter(Number.isFinite)

/** Returns the number of turns to the solved cube that a value stands for: a value is minus the cost of these turns. */
export const turnsToGo = (value: number): number => Math.max(0, -value / turnCost)

/**
 * Returns the exact number of turns to the solved cube if a move is made in a state at `distance`: this move and a shortest
 * solution after it. A quarter turn of the 2×2×2 cube changes the parity of the corner permutation, so that each move changes
 * the distance by one: down if the move is optimal, up otherwise.
 */
export const exactTurns = (distance: number, optimal: boolean): number => (optimal ? distance : distance + 2)

/** Turns of a full bar: more than 14 turns, the largest distance. */
const mostTurns = 20

/**
 * Returns bar lengths on an absolute scale, 0 to 1: probabilities, given as logarithms, or turns to the solved cube.
 */
export const bars = (values: readonly CubeValue[], logarithms: boolean): number[] =>
  values.map(({ value }) => {
    if (!Number.isFinite(value)) return 0
    return Math.min(1, logarithms ? Math.exp(value) : turnsToGo(value) / mostTurns)
  })

/**
 * Returns arrow weights from 0 (worst) to 1 (best). Values are scaled linearly; log-probabilities are converted to
 * square roots of probabilities, so that less likely moves stay visible.
 */
export function weights(values: readonly CubeValue[], logarithms: boolean): number[] {
  const all = finite(values)
  const best = Math.max(...all)
  const spread = Math.max(turnCost, best - Math.min(...all))
  return values.map(({ value }) => {
    if (!Number.isFinite(value)) return 0
    return logarithms ? Math.sqrt(Math.exp(value - best)) : 1 - (best - value) / spread
  })
}

/** Displayed value of a move. */
export interface MoveRow extends Pick<CubeValue, 'turn' | 'best' | 'optimal'> {
  text: string
  /** Bar length, 0 to 1. */
  share: number
  /** Exact number of turns; null for the 3×3×3 cube, whose distances are not computed, and without values. */
  exact: number | null
  /** Position of the exact number on the scale of the bars, 0 to 1; null if unknown. */
  mark: number | null
}

/**
 * Returns the displayed values of all moves: log-probabilities as percentages, others as turns to the solved cube. The
 * solved state has no values: it is terminal, so no network is trained on it. `isRated`: whether the values have a meaning.
 */
export function moveRows(
  { values, solved, distance }: Pick<CubeTable, 'values' | 'solved' | 'distance'>,
  logarithms: boolean,
  isRated: boolean,
): MoveRow[] {
  const shares = bars(values, logarithms)
  return values.map(({ turn, value, best, optimal }, i) => {
    if (solved || !isRated)
      return { turn, text: '–', share: 0, best: false, optimal: null, exact: null, mark: null }
    const exact = distance === null || optimal === null ? null : exactTurns(distance, optimal)
    const text = logarithms ? `${number(100 * Math.exp(value), 1)} %` : number(turnsToGo(value), 1)
    const mark = exact === null ? null : exact / mostTurns
    return { turn, text, share: shares[i]!, best, optimal, exact, mark }
  })
}
