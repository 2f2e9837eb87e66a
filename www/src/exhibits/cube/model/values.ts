/** The network's values of its moves as weights for drawing. */
import type { CubeValue } from '../../../engine/page/session'

/** Values that differ by less than this, which is what a move costs, are not told apart by much. */
const finest = 0.1

/**
 * From 0 for the least to 1 for the best. Values that are sums of rewards are spread evenly; logarithms of probabilities are
 * taken as probabilities, and those as roots, or all but the likeliest would be nothing.
 */
export function weights(values: readonly CubeValue[], logarithms: boolean): number[] {
  const all = values.map(({ value }) => value).filter(Number.isFinite)
  const best = Math.max(...all)
  const spread = Math.max(finest, best - Math.min(...all))
  return values.map(({ value }) => {
    if (!Number.isFinite(value)) return 0
    return logarithms ? Math.sqrt(Math.exp(value - best)) : 1 - (best - value) / spread
  })
}
