/** Curves of several runs with equal settings, combined into a mean curve and a band. */
import { short } from '../lib/format'
import { halfInterval, meanOf } from '../lib/student-t'

/** What a band shows: minimum to maximum, or the 95 % confidence interval of the mean by Student's t-distribution. */
export type BandKind = 'range' | 'interval'

/** Returns what a curve with a band shows, in words. `count`: number of runs. */
export const bandName = (kind: BandKind, count: number): string =>
  `mean and ${kind === 'range' ? 'range' : '95\u00a0% interval'}, n\u00a0=\u00a0${count}`

/** Smallest and largest possible value; null if there is no bound. */
export type Bounds = readonly [least: number | null, most: number | null]

/** Returns how the bands of a metric are computed, in words. */
export function bandMethod(kind: BandKind, [least, most]: Bounds): string {
  if (kind === 'range') return 'Band: minimum to maximum of the n runs.'
  const range =
    least !== null && most !== null
      ? `${short(least)} to ${short(most)}`
      : least !== null
        ? `at least ${short(least)}`
        : most !== null && `at most ${short(most)}`
  const cut = range === false ? '' : `, cut at the range of the metric (${range})`
  return `Band: 95\u00a0% confidence interval of the mean of n runs (Student’s t-distribution)${cut}.`
}

export interface Curve {
  /** Positions on the x axis: steps, or seconds of training. */
  positions: readonly number[]
  values: readonly (number | null)[]
}

export interface Band {
  positions: number[]
  mean: number[]
  low: number[]
  high: number[]
  /** Number of curves. */
  count: number
}

/**
 * Combines curves, at the positions at which all curves have values: from the last first position to the first last position. Between the
 * positions of a curve, its values are interpolated linearly. Curves without values are left out. An interval is cut at the bounds: the mean is between them, so that the shorter interval contains the mean with the same probability.
 */
export function bandOf(
  curves: readonly Curve[],
  kind: BandKind = 'range',
  [least, most]: Bounds = [null, null],
): Band {
  const known = curves.map(pointsOf).filter((points) => points.length > 0)
  const from = Math.max(...known.map((points) => points[0]![0]))
  const to = Math.min(...known.map((points) => points.at(-1)![0]))
  const positions = [...new Set(known.flatMap((points) => points.map(([position]) => position)))]
    .filter((position) => position >= from && position <= to)
    .sort((a, b) => a - b)
  const samplers = known.map(sampler)
  const band: Band = { positions, mean: [], low: [], high: [], count: known.length }
  const within = (value: number) => Math.max(least ?? -Infinity, Math.min(most ?? Infinity, value))
  for (const position of positions) {
    const values = samplers.map((at) => at(position)).filter((value) => value !== null)
    const mean = meanOf(values)
    const half = kind === 'interval' ? halfInterval(values) : null
    band.mean.push(mean)
    band.low.push(half === null ? Math.min(...values) : Number.isFinite(half) ? within(mean - half) : mean)
    band.high.push(half === null ? Math.max(...values) : Number.isFinite(half) ? within(mean + half) : mean)
  }
  return band
}

type Point = readonly [position: number, value: number]

/** Returns the points of a curve that have a value. */
export const pointsOf = ({ positions, values }: Curve): Point[] =>
  positions.flatMap((position, i) => {
    const value = values[i]
    return value != null && Number.isFinite(value) ? [[position, value] as const] : []
  })

/** Returns a function of ascending positions that interpolates between points; null outside of their range. */
export function sampler(points: readonly Point[]) {
  let at = 0
  return (position: number): number | null => {
    while (at < points.length && points[at]![0] < position) at++
    const next = points[at]
    if (!next) return null
    if (next[0] === position) return next[1]
    const last = points[at - 1]
    if (!last) return null
    return last[1] + ((next[1] - last[1]) * (position - last[0])) / (next[0] - last[0])
  }
}
