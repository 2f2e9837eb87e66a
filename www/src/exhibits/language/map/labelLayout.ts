/** Placement of non-overlapping labels on the token map, and animation of its positions. */

export interface Spot {
  x: number
  y: number
  /** Width of the label in pixels. */
  width: number
}

const lineHeight = 14
const gap = 3

/**
 * Returns the indices of the spots with a label. Labels are placed greedily in order and omitted if they overlap.
 * Labels of the previous frame, `was`, are placed first to avoid flicker.
 */
export function placeLabels(
  spots: readonly Spot[],
  was: ReadonlySet<number>,
  width: number,
  height: number,
): Set<number> {
  const cell = 48
  const columns = Math.ceil(width / cell) + 1
  const taken = new Map<number, number[]>()
  const named = new Set<number>()
  const cells = ({ x, y, width: wide }: Spot): number[] => {
    const list: number[] = []
    for (let c = Math.floor((x - gap) / cell); c <= Math.floor((x + wide + 8) / cell); c++) {
      for (let r = Math.floor((y - lineHeight) / cell); r <= Math.floor((y + lineHeight) / cell); r++)
        list.push(r * columns + c)
    }
    return list
  }
  const touch = (a: Spot, b: Spot) =>
    Math.abs(a.y - b.y) < lineHeight && a.x < b.x + b.width + 8 + gap && b.x < a.x + a.width + 8 + gap
  const attempt = (i: number) => {
    const spot = spots[i]!
    if (spot.x < 0 || spot.x + spot.width + 8 > width || spot.y < 8 || spot.y > height - 8) return
    const around = cells(spot)
    if (around.some((c) => taken.get(c)?.some((j) => touch(spot, spots[j]!)))) return
    named.add(i)
    for (const c of around) taken.set(c, [...(taken.get(c) ?? []), i])
  }
  for (const i of was) if (i < spots.length) attempt(i)
  for (let i = 0; i < spots.length; i++) if (!named.has(i)) attempt(i)
  return named
}

/** Fraction of the positions that count as outliers on each side. */
const beyond = 0.02
/** Coordinate on the map, as a fraction of the half width, at which the outliers begin. */
const limit = 0.88

/**
 * Scales positions to the range -1 to 1 by quantiles, so that outliers do not compress the others. Outliers are
 * compressed between `limit` and the border; their order is preserved.
 */
export function spread(positions: Float32Array): Float32Array<ArrayBuffer> {
  const spread = new Float32Array(positions.length)
  for (const axis of [0, 1]) {
    const sorted = positions.filter((_, i) => i % 2 === axis).sort()
    if (sorted.length === 0) continue
    const skipped = Math.floor(beyond * sorted.length)
    const [low, high] = [sorted[skipped]!, sorted[sorted.length - 1 - skipped]!]
    const [middle, half] = [(low + high) / 2, Math.max(1e-6, (high - low) / 2)]
    for (let i = axis; i < positions.length; i += 2) {
      const at = (positions[i]! - middle) / half
      const far = Math.abs(at) - 1
      // An outlier at twice the distance of the quantile is halfway between `limit` and the border.
      spread[i] = far <= 0 ? limit * at : Math.sign(at) * (limit + (1 - limit) * (far / (1 + far)))
    }
  }
  return spread
}

/**
 * Moves values exponentially towards their targets, with a time constant of 0.35 s. Returns whether they have arrived.
 */
export function moveTowards(values: Float32Array, aims: Float32Array, seconds: number): boolean {
  const share = 1 - Math.exp(-seconds / 0.35)
  let far = 0
  for (let i = 0; i < values.length; i++) {
    const way = aims[i]! - values[i]!
    values[i] = values[i]! + way * share
    far = Math.max(far, Math.abs(way))
  }
  return far < 0.002
}
