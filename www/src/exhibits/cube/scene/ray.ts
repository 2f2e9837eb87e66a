/** Intersection of rays and cube. */
import { dot, faceFrames, type Vector } from '../model/stickers'
import { faces, type Size } from '../model/turns'

/** Half of the cube's edge, independent of its size. */
export const half = 1.5

/** Returns the edge of a piece. */
export const side = (size: Size): number => (2 * half) / size

/**
 * Returns the index of the first sticker that a ray from outside meets, and the intersection point, while no layer is
 * rotated.
 */
export function meet(size: Size, from: Vector, direction: Vector): { sticker: number; at: Vector } | null {
  for (const [number, face] of faces.entries()) {
    const { normal, right, down } = faceFrames[face]
    const towards = dot(direction, normal)
    // A ray enters a convex body through a face whose normal points against it.
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
