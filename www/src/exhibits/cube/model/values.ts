/** The network's values of its moves as weights for drawing. */
import type { CubeValue } from '../../../engine/page/session'

/** Values that differ by less than this, which is what a move costs, are not told apart by much. */
const finest = 0.1

const finite = (values: readonly CubeValue[]): number[] =>
  values.map(({ value }) => value).filter(Number.isFinite)

/** How long a value's bar is, 0 to 1 for the best; probabilities, which come as logarithms, are in proportion. */
export function bars(values: readonly CubeValue[], logarithms: boolean): number[] {
  if (!logarithms) return weights(values, false)
  const best = Math.max(...finite(values))
  return values.map(({ value }) => (Number.isFinite(value) ? Math.exp(value - best) : 0))
}

/**
 * How strongly a value's arrow is drawn. From 0 for the least to 1 for the best. Values that are sums of rewards are spread evenly; logarithms of probabilities are
 * taken as probabilities, and those as roots, or all but the likeliest would be nothing.
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
