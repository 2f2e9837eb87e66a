import { describe, expect, test } from 'vitest'
import { dot, faceFrames, scaled, stickersOf, type Vector } from '../model/stickers'
import { faces, type Size } from '../model/turns'
import { arc, Arrows } from './arrows'
import { colors, fillOf, marks } from './colors'
import { half, meet, side } from './ray'
import { contrast, type Rgb } from '../../../lib/color'

const sizes: Size[] = [2, 3]
const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

describe('rays', () => {
  test.each(sizes)('size %i: each sticker is hit at its center', (size) => {
    stickersOf(size).forEach(({ piece, normal }, i) => {
      const unit = side(size) / 2
      const middle = piece.map((n, d) => n * unit + normal[d]! * unit) as unknown as Vector
      const from = middle.map((n, d) => n + 5 * normal[d]! + [0.3, -0.2, 0.4][d]!) as unknown as Vector
      const met = meet(size, from, minus(middle, from))
      expect(met?.sticker).toBe(i)
      met!.at.forEach((n, d) => expect(n).toBeCloseTo(middle[d]!))
    })
  })

  test('rays that miss the cube or point away hit nothing', () => {
    expect(meet(2, [0, 0, 9], [0.5, 0, -1])).toBeNull()
    expect(meet(2, [0, 0, 9], [0, 0, 1])).toBeNull()
    expect(meet(3, [half + 0.01, 0, 9], [0, 0, -1])).toBeNull()
  })

  test('faces are hit from outside', () => {
    for (const face of faces) {
      const { normal } = faceFrames[face]
      const met = meet(3, scaled(normal, 8), scaled(normal, -1))!
      expect(stickersOf(3)[met.sticker]).toMatchObject({ face, row: 1, column: 1 })
      expect(dot(met.at, normal)).toBeCloseTo(half)
    }
  })
})

describe('arrows', () => {
  const points = (weight: number, clockwise: boolean, rim = 0) => {
    const flat = arc(weight, clockwise, rim)
    return Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i]!, flat[3 * i + 1]!] as const)
  }

  test('clockwise arrows point down on the right, counter-clockwise ones on the left', () => {
    for (const clockwise of [true, false]) {
      const all = points(0.5, clockwise)
      const tip = all.at(-1)!
      expect(all[0]![1]).toBeGreaterThan(0.5)
      expect(tip[1]).toBeLessThan(-0.5)
      const side = clockwise ? 1 : -1
      expect(all.filter(([x]) => x * side > 0).length).toBeGreaterThan(0.9 * all.length)
    }
  })

  test('higher weights are wider, and the outline surrounds the arrow', () => {
    const broad = (weight: number) => {
      const all = points(weight, true)
      const [inner, outer] = [all[32]!, all[33]!]
      return Math.hypot(outer[0] - inner[0], outer[1] - inner[1])
    }
    expect(broad(1)).toBeGreaterThan(2 * broad(0.1))
    const [plain, rimmed] = [points(0.4, true), points(0.4, true, 0.03)]
    const far = (all: (readonly [number, number])[]) => Math.max(...all.map(([x, y]) => Math.hypot(x, y)))
    expect(far(rimmed)).toBeGreaterThan(far(plain))
    expect(rimmed.at(-1)![1]).not.toBe(plain.at(-1)![1])
  })
})

test('arrows of an earlier state do not fade out on a new one', () => {
  const arrows = new Arrows()
  const shown = () => arrows.root.children.filter(({ visible }) => visible).length
  arrows.show([{ turn: { face: 'R', quarters: 1 }, weight: 1, best: true, pointed: false }])
  arrows.advance(1, true)
  // The arrow and its outline.
  expect(shown()).toBe(2)
  arrows.visible = false
  arrows.show([])
  arrows.visible = true
  expect(arrows.advance(0.016, false)).toBe(false)
  expect(shown()).toBe(0)
})

describe('paint', () => {
  const rgb = (hex: string): Rgb => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)) as unknown as Rgb

  test('colors are distinct, and marks contrast with them', () => {
    expect(new Set(faces.map((face) => colors[face].fill)).size).toBe(6)
    expect(new Set(faces.map((face) => marks[face])).size).toBe(6)
    for (const face of faces) {
      const { fill, mark } = colors[face]
      expect(contrast(rgb(fill), rgb(mark)), face).toBeGreaterThan(2.4)
      expect(fillOf(face)).toBe(fill)
    }
    expect(faces.map((face) => fillOf(face))).not.toContain(fillOf('-'))
  })
})
