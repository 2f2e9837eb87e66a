import type { CurveOptions } from '../shared/family'

/** Runs are also compared by their results against the reference players. */
export const curves: CurveOptions = {
  isResult: (metric) => metric.startsWith('points_'),
}
