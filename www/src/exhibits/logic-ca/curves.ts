import { number, short } from '../../lib/format'
import type { CurveOptions } from '../shared/family'
import { percent } from './figures'

export const curves: CurveOptions = {
  looks: {
    hard_accuracy: { label: 'Accuracy', range: [0.4, 1], format: (v) => `${percent(v)} %` },
    hard_loss: { floor: 0.01 },
    decidedness: { label: 'Confidence', range: [0, 1], format: (v) => number(v, 3) },
  },
}

/** Returns the reference line of the accuracy. `empty`: accuracy of an empty board, or null while unknown. */
export const noSkill = (empty: number | null) =>
  empty === null ? null : { at: empty, label: `no skill, ${short(Number((100 * empty).toPrecision(3)))} %` }
