import { compact, short } from '../../lib/format'
import type { CurveOptions } from '../shared/family'

export const curves: CurveOptions = {
  looks: { perplexity: { floor: 1 } },
  height: 58,
  format: (v) => (v < 1000 ? short(v) : compact(v)),
}
