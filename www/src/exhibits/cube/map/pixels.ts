/** Rasterization of the map of all states. */
import type { Rgb } from '../../../lib/color'

export interface Rings {
  /** Outer radius of each ring as a fraction of the map radius; the first ring is a disc. */
  ends: readonly number[]
}

/** Returns rings whose widths grow with the logarithm of their number of states. */
export function rings(states: readonly number[]): Rings {
  const breadths = states.map((count) => 1.1 + Math.log10(Math.max(1, count)))
  const sum = breadths.reduce((a, b) => a + b, 0)
  let end = 0
  return { ends: breadths.map((breadth) => (end += breadth / sum)) }
}

/** Returns the middle radius of a ring; 0 for the solved state. */
export function middle({ ends }: Rings, ring: number): number {
  return ring <= 0 ? 0 : (ends[ring - 1]! + ends[ring]!) / 2
}

/** Returns `ring · bins + bin` for each pixel of a square; −1 outside. Angles are clockwise from the top. */
export function places(side: number, { ends }: Rings, bins: number): Int32Array {
  const out = new Int32Array(side * side).fill(-1)
  const radius = side / 2
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++) {
      const [dx, dy] = [x + 0.5 - radius, y + 0.5 - radius]
      const far = Math.hypot(dx, dy) / radius
      if (far >= 1) continue
      const ring = ends.findIndex((end) => far < end)
      const angle = Math.atan2(dx, -dy) / (2 * Math.PI)
      const bin = Math.min(bins - 1, Math.floor((angle < 0 ? angle + 1 : angle) * bins))
      out[y * side + x] = ring * bins + bin
    }
  return out
}

/** Returns for each bin the index of the bin whose color it shows: its own, or the nearest bin of the ring with states. */
export function owners(counts: Float32Array, bins: number): Int32Array {
  return Int32Array.from(counts, (count, at) => {
    if (count > 0) return at
    const ring = Math.floor(at / bins)
    const place = (far: number) => ring * bins + (((((at % bins) + far) % bins) + bins) % bins)
    for (let far = 1; far <= bins / 2; far++)
      for (const near of [place(far), place(-far)]) if (counts[near]! > 0) return near
    return at
  })
}

/** Exponent of the solved fraction on the ramp: spots with some unsolved states are clearly different from solved ones. */
const contrast = 4

/** Colors: a ramp by solved fraction, and a color for states without an evaluation. Equal shares look equal in all rings. */
export interface Inks {
  ramp: readonly Rgb[]
  unknown: Rgb
}

/** Writes RGBA pixels. */
export function paint(
  out: Uint8ClampedArray,
  where: Int32Array,
  counts: Float32Array,
  solved: Float32Array,
  bins: number,
  { ramp, unknown }: Inks,
): void {
  const color = (at: number): readonly [number, number, number, number] => {
    if (counts[at] === 0) return [0, 0, 0, 0]
    const share = solved[at]!
    const [r, g, b] =
      share < 0 || Number.isNaN(share) ? unknown : ramp[Math.round(share ** contrast * (ramp.length - 1))]!
    return [r, g, b, 255]
  }
  const table = Array.from(owners(counts, bins), color)
  where.forEach((at, i) => out.set(at < 0 ? [0, 0, 0, 0] : table[at]!, 4 * i))
}

/** Returns points of a spiral from one state to another along the shorter direction, as fractions of the radius. */
export function spiral(
  map: Rings,
  from: { distance: number; angle: number },
  to: { distance: number; angle: number },
  steps = 8,
): [number, number][] {
  const [a, b] = [middle(map, from.distance), middle(map, to.distance)]
  // The center has no angle.
  const start = from.distance === 0 ? to.angle : from.angle
  const end = to.distance === 0 ? start : to.angle
  const turn = ((((end - start) % 1) + 1.5) % 1) - 0.5
  return Array.from({ length: steps + 1 }, (_, i) => {
    const t = i / steps
    return point(a + t * (b - a), start + t * turn)
  })
}

/** Converts polar to Cartesian coordinates, as fractions of the radius. */
export function point(radius: number, angle: number): [number, number] {
  const turn = angle * 2 * Math.PI
  return [radius * Math.sin(turn), -radius * Math.cos(turn)]
}
