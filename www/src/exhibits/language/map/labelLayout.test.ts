import { describe, expect, test } from 'vitest'
import { random } from '../../../lib/random'
import { moveTowards, placeLabels, spread, type Spot } from './labelLayout'

const cloud = (count: number): Spot[] => {
  const next = random(5)
  return Array.from({ length: count }, () => ({ x: next() * 560, y: next() * 400, width: 10 + next() * 50 }))
}

describe('labels on the map', () => {
  test('do not overlap, and stay inside', () => {
    const spots = cloud(400)
    const named = [...placeLabels(spots, new Set(), 600, 420)]
    expect(named.length).toBeGreaterThan(30)
    for (const i of named) {
      expect(spots[i]!.x + spots[i]!.width).toBeLessThan(600)
      for (const j of named) {
        if (i >= j) continue
        const [a, b] = [spots[i]!, spots[j]!]
        const apart = Math.abs(a.y - b.y) >= 14 || a.x > b.x + b.width + 8 || b.x > a.x + a.width + 8
        expect(apart).toBe(true)
      }
    }
  })

  test('are placed for the most frequent tokens first', () => {
    const spots = [0, 1, 2].map((i) => ({ x: 100 + i, y: 100, width: 40 }))
    expect([...placeLabels(spots, new Set(), 600, 420)]).toEqual([0])
  })

  test('of the previous frame have priority', () => {
    const spots = [0, 1, 2].map((i) => ({ x: 100 + i, y: 100, width: 40 }))
    expect([...placeLabels(spots, new Set([2, 9]), 600, 420)]).toEqual([2])
  })
})

describe('positions', () => {
  test('fill the map despite outliers', () => {
    const next = random(3)
    const crowd = Array.from({ length: 400 }, () => 0.02 * (next() - 0.5))
    const spots = spread(Float32Array.of(1, -1, ...crowd, -0.9, 0.7))
    const inner = [...spots.slice(2, 402)]
    expect(Math.max(...inner) - Math.min(...inner)).toBeGreaterThan(1.6)
    expect(spots.every((at) => Math.abs(at) <= 1)).toBe(true)
    // Outliers are at the border.
    expect([spots[0]! > 0.95, spots[1]! < -0.95, spots[402]! < -0.95, spots[403]! > 0.95]).toEqual([
      true,
      true,
      true,
      true,
    ])
  })

  test('keep their order', () => {
    const next = random(4)
    const xs = Array.from({ length: 200 }, () => (next() - 0.5) ** 3)
    const spots = spread(Float32Array.from(xs.flatMap((x) => [x, 0])))
    const order = (of: (i: number) => number) => xs.map((_, i) => i).sort((a, b) => of(a) - of(b))
    expect(order((i) => spots[2 * i]!)).toEqual(order((i) => Math.fround(xs[i]!)))
    expect(spread(new Float32Array(0))).toHaveLength(0)
    expect(spread(Float32Array.of(0.3, -0.2)).every(Number.isFinite)).toBe(true)
  })
})

test('dots converge to their targets', () => {
  const [values, aims] = [Float32Array.of(0, 1), Float32Array.of(1, 1)]
  expect(moveTowards(values, aims, 0.1)).toBe(false)
  expect(values[0]).toBeGreaterThan(0.2)
  expect(values[1]).toBe(1)
  for (let i = 0; i < 100; i++) moveTowards(values, aims, 0.1)
  expect(moveTowards(values, aims, 0.1)).toBe(true)
  expect(values[0]).toBeCloseTo(1)
})
