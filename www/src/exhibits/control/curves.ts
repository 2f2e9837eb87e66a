import type { CurveOptions } from '../shared/family'

export const curves: CurveOptions = { units: true }
