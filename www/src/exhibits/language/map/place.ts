/** Which tokens of the map are named, so that no two names touch. */

export interface Spot {
  x: number
  y: number
  /** Width of its name in pixels. */
  width: number
}

const lineHeight = 14
const gap = 3

/**
 * The places of those that are named, the first ones first: a name stands beside its dot and is left out where it would lie on
 * another. `was` are those that were named before; they go first, so that names do not come and go while dots move.
 */
export function namedSpots(
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

/** The share of the tokens on either side that lies beyond the limits of the map, and where the limits are on it. */
const beyond = 0.02
const limit = 0.88

/**
 * Positions spread over the map, from -1 to 1: a few tokens far from all others do not press these together. Those beyond the
 * limits lie between them and the rim, in their order.
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
      // Twice the distance is halfway to the rim.
      spread[i] = far <= 0 ? limit * at : Math.sign(at) * (limit + (1 - limit) * (far / (1 + far)))
    }
  }
  return spread
}

/** Moves values towards their aims by a share of the way that depends on the time since the last step; whether they are there. */
export function approach(values: Float32Array, aims: Float32Array, seconds: number): boolean {
  const share = 1 - Math.exp(-seconds / 0.35)
  let far = 0
  for (let i = 0; i < values.length; i++) {
    const way = aims[i]! - values[i]!
    values[i] = values[i]! + way * share
    far = Math.max(far, Math.abs(way))
  }
  return far < 0.002
}
