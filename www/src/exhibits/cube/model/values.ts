/** Displayed move values, bar lengths and arrow weights. */
import { number } from '../../../lib/format'
import type { CubeTable, CubeValue } from '../../../engine/page/session'

/** Minimum value range for scaling: the cost of one move. */
const finest = 0.1

const finite = (values: readonly CubeValue[]): number[] =>
  values.map(({ value }) => value).filter(Number.isFinite)

/**
 * Returns the exact value of a move, undiscounted, in a state at `distance`: minus the cost of this move and of a shortest
 * solution after it. A quarter turn of the 2×2×2 cube changes the parity of the corner permutation, so that each move changes
 * the distance by one: down if the move is optimal, up otherwise.
 */
export const exactValue = (distance: number, optimal: boolean): number =>
  -finest * (optimal ? distance : distance + 2)

/** Cost of a full bar: more than the cost of 14 moves, the largest that an optimal policy has. */
const mostCost = 2

/**
 * Returns bar lengths on an absolute scale, 0 to 1: probabilities, given as logarithms, or costs, which are negative
 * values. The values of an untrained network, near 0, have short bars.
 */
export const bars = (values: readonly CubeValue[], logarithms: boolean): number[] =>
  values.map(({ value }) => {
    if (!Number.isFinite(value)) return 0
    return Math.min(1, logarithms ? Math.exp(value) : Math.max(0, -value / mostCost))
  })

/**
 * Returns arrow weights from 0 (worst) to 1 (best). Values are scaled linearly; log-probabilities are converted to
 * square roots of probabilities, so that less likely moves stay visible.
 */
export function weights(values: readonly CubeValue[], logarithms: boolean): number[] {
  const all = finite(values)
  const best = Math.max(...all)
  const spread = Math.max(finest, best - Math.min(...all))
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
  /** Exact value; null for the 3×3×3 cube, whose distances are not computed, and in the solved state. */
  exact: number | null
  /** Position of the exact value on the scale of the bars, 0 to 1; null if unknown. */
  mark: number | null
}

/**
 * Returns the displayed values of all moves; log-probabilities as percentages. The solved state has no values: it is
 * terminal, so no network is trained on it.
 */
export function moveRows(
  { values, solved, distance }: Pick<CubeTable, 'values' | 'solved' | 'distance'>,
  logarithms: boolean,
): MoveRow[] {
  const shares = bars(values, logarithms)
  return values.map(({ turn, value, best, optimal }, i) => {
    if (solved) return { turn, text: '–', share: 0, best: false, optimal: null, exact: null, mark: null }
    const exact = distance === null || optimal === null ? null : exactValue(distance, optimal)
    const text = logarithms ? `${number(100 * Math.exp(value), 1)} %` : number(value, 2)
    const mark = exact === null ? null : -exact / mostCost
    return { turn, text, share: shares[i]!, best, optimal, exact, mark }
  })
}
