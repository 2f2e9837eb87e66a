/** What a ray meets on a cube. */
import { dot, lies, type Vector } from '../model/stickers'
import { faces, type Size } from '../model/turns'

/** From the middle of a cube to its faces; however many pieces it has, it is as large. */
export const half = 1.5

/** The side of a piece. */
export const side = (size: Size): number => (2 * half) / size

/**
 * The first sticker that a ray meets, as its place among the stickers of a cube that is not turning, and where it meets it.
 * `from` lies outside of the cube.
 */
export function meet(size: Size, from: Vector, direction: Vector): { sticker: number; at: Vector } | null {
  for (const [number, face] of faces.entries()) {
    const { normal, right, down } = lies[face]
    const towards = dot(direction, normal)
    // Of a convex body, a ray enters by the face that looks against it.
    if (towards >= 0) continue
    const far = (half - dot(from, normal)) / towards
    const at: Vector = [0, 1, 2].map((d) => from[d]! + far * direction[d]!) as unknown as Vector
    const [x, y] = [dot(at, right) + half, dot(at, down) + half]
    if (far < 0 || x < 0 || y < 0 || x > 2 * half || y > 2 * half) continue
    const cell = (t: number) => Math.min(size - 1, Math.floor(t / side(size)))
    return { sticker: number * size * size + cell(y) * size + cell(x), at }
  }
  return null
}
