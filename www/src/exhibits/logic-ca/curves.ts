import { number } from '../../lib/format'
import type { CurveOptions } from '../shared/family'
import { percent } from './figures'

export const curves: CurveOptions = {
  looks: {
    hard_accuracy: { label: 'Accuracy', range: [0.5, 1], format: (v) => `${percent(v)} %` },
    hard_loss: { floor: 0.01 },
    decidedness: { label: 'Confidence', range: [0, 1], format: (v) => number(v, 3) },
  },
}
