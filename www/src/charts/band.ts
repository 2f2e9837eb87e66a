/** Curves of several runs with equal settings, combined into a mean curve and a band from minimum to maximum. */

export interface Curve {
  steps: readonly number[]
  values: readonly (number | null)[]
}

export interface Band {
  steps: number[]
  mean: number[]
  low: number[]
  high: number[]
}

/**
 * Combines curves. At each step of any curve, mean, minimum and maximum are over the curves whose range contains the step;
 * between the steps of a curve, its values are interpolated linearly.
 */
export function bandOf(curves: readonly Curve[]): Band {
  const known = curves.map(pointsOf)
  const steps = [...new Set(known.flatMap((points) => points.map(([step]) => step)))].sort((a, b) => a - b)
  const samplers = known.map(sampler)
  const band: Band = { steps, mean: [], low: [], high: [] }
  for (const step of steps) {
    const values = samplers.map((at) => at(step)).filter((value) => value !== null)
    band.mean.push(values.reduce((sum, value) => sum + value, 0) / values.length)
    band.low.push(Math.min(...values))
    band.high.push(Math.max(...values))
  }
  return band
}

type Point = readonly [step: number, value: number]

/** Returns the points of a curve that have a value. */
export const pointsOf = ({ steps, values }: Curve): Point[] =>
  steps.flatMap((step, i) => {
    const value = values[i]
    return value != null && Number.isFinite(value) ? [[step, value] as const] : []
  })

/** Returns a function of ascending steps that interpolates between points; null outside of their range. */
export function sampler(points: readonly Point[]) {
  let at = 0
  return (step: number): number | null => {
    while (at < points.length && points[at]![0] < step) at++
    const next = points[at]
    if (!next) return null
    if (next[0] === step) return next[1]
    const last = points[at - 1]
    if (!last) return null
    return last[1] + ((next[1] - last[1]) * (step - last[0])) / (next[0] - last[0])
  }
}
