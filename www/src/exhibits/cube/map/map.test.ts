import { describe, expect, test } from 'vitest'
import type { Frame } from '../../../engine/page/session'
import { CubeMap } from '../model/map'
import { middle, owners, paint, places, point, rings, spiral } from './pixels'

const states = [1, 6, 27, 120]
const map = rings(states)

describe('rings', () => {
  test('fill the disc; rings with more states are wider', () => {
    expect(map.ends.at(-1)).toBeCloseTo(1)
    const breadths = map.ends.map((end, i) => end - (map.ends[i - 1] ?? 0))
    expect(breadths).toEqual([...breadths].sort((a, b) => a - b))
    expect(middle(map, 0)).toBe(0)
    expect(middle(map, 2)).toBeGreaterThan(map.ends[1]!)
    expect(middle(map, 2)).toBeLessThan(map.ends[2]!)
  })

  test('every pixel maps to its ring and bin', () => {
    const [side, bins] = [101, 8]
    const at = places(side, map, bins)
    expect(at[0]).toBe(-1)
    expect(Math.floor(at[50 * side + 50]! / bins)).toBe(0)
    for (let ring = 1; ring < states.length; ring++)
      for (let bin = 0; bin < bins; bin++) {
        const [x, y] = point(middle(map, ring), (bin + 0.5) / bins)
        const pixel = Math.floor((y + 1) * (side / 2)) * side + Math.floor((x + 1) * (side / 2))
        expect(at[pixel]).toBe(ring * bins + bin)
      }
  })

  test('angles are clockwise from the top', () => {
    const near = ([x, y]: [number, number], [a, b]: [number, number]) =>
      expect(Math.hypot(x - a, y - b)).toBeLessThan(1e-9)
    near(point(1, 0), [0, -1])
    near(point(1, 0.25), [1, 0])
    near(point(0.5, 0.5), [0, 0.5])
  })
})

describe('pixels', () => {
  test('unknown and solved bins, and pixels outside', () => {
    const out = new Uint8ClampedArray(16).fill(7)
    // A spot with a fifth of unsolved states is clearly different from a solved one.
    const [counts, solved] = [Float32Array.of(4, 4, 1, 1), Float32Array.of(1, 0.8, -1, -1)]
    const ramp = [
      [0, 0, 0],
      [10, 20, 30],
    ] as const
    paint(out, Int32Array.of(0, 1, 2, -1), counts, solved, 4, { ramp, unknown: [99, 98, 97] })
    expect([...out]).toEqual([10, 20, 30, 255, 0, 0, 0, 255, 99, 98, 97, 255, 0, 0, 0, 0])
  })

  test('in all rings the nearest state fills the gaps', () => {
    const counts = Float32Array.of(0, 0, 1, 0, 0, 0, 0, 1)
    expect([...owners(counts, 8)]).toEqual([7, 2, 2, 2, 2, 7, 7, 7].map((o, i) => (i === 1 ? 2 : o)))
    expect([...owners(new Float32Array(4), 4)]).toEqual([0, 1, 2, 3])
    // The outermost ring of 15 has few states as well.
    const outermost = new Float32Array(15 * 4)
    outermost[14 * 4 + 2] = 1
    expect([...owners(outermost, 4)].slice(14 * 4)).toEqual([58, 58, 58, 58])
  })
})

describe('path', () => {
  test('spirals along the shorter direction', () => {
    const way = spiral(map, { distance: 3, angle: 0.9 }, { distance: 2, angle: 0.1 }, 4)
    const ends = [point(middle(map, 3), 0.9), point(middle(map, 2), 1.1)]
    for (const [i, end] of [way[0]!, way.at(-1)!].entries())
      expect(Math.hypot(end[0] - ends[i]![0], end[1] - ends[i]![1])).toBeLessThan(1e-9)
    // The shorter direction leads through the top of the map.
    expect(way.every(([, y]) => y < 0)).toBe(true)
    expect(spiral(map, { distance: 1, angle: 0.3 }, { distance: 0, angle: 0 }).at(-1)).toEqual([0, 0])
  })

  test('is read from frames incrementally', () => {
    const known = new CubeMap()
    const take = (arrays: Record<string, unknown>) => known.take({ arrays } as unknown as Frame)
    expect(take({})).toBe(false)
    expect(take({ 'map/counts': { shape: [2, 2], data: Uint32Array.of(1, 0, 3, 3) } })).toBe(true)
    expect([known.rings, known.bins, [...known.solved!]]).toEqual([2, 2, [-1, -1, -1, -1]])
    take({ 'map/solved': { shape: [2, 2], data: Float32Array.of(1, -1, 0, 0.5) } })
    take({
      'map/path': { shape: [2, 2], data: Float32Array.of(1, 0.5, 0, 0) },
      'map/ahead': { shape: [1], data: Uint32Array.of(1) },
    })
    expect(known.path).toEqual([
      { distance: 1, angle: 0.5 },
      { distance: 0, angle: 0 },
    ])
    expect([known.behind, known.solved![3]]).toEqual([1, 0.5])
    known.take({
      arrays: { 'map/counts': { shape: [3, 2], data: Float32Array.of(1, 0, 3, 3, 2, 2) } },
    } as unknown as Frame)
    // The third ring is not evaluated.
    known.take({
      arrays: { 'map/solved': { shape: [3, 2], data: Float32Array.of(1, -1, 1, 0.5, -1, -1) } },
    } as unknown as Frame)
    expect(known.table()).toEqual({
      distance: [0, 1, 1, 2, 2],
      'angle (turns)': [0.25, 0.25, 0.75, 0.25, 0.75],
      states: [1, 3, 3, 2, 2],
      'solved fraction': [1, 1, 0.5, null, null],
    })
    known.clear()
    expect([known.counts, known.path]).toEqual([null, []])
  })
})
