/** Mapping of sticker drags to layer turns. */
import { cross, dot, faceFrames, type Layers, type Sticker, type Vector } from './stickers'

/** Returns the layer that moves a sticker in a direction along an edge of its face. */
export function layerOf({ piece, normal }: Sticker, direction: Vector): Layers {
  const axis = cross(normal, direction)
  const along = dot(piece, axis)
  return { axis, from: along, to: along }
}

/** Returns the two directions in which a sticker can be dragged: along the rows and columns of its face. */
export function dragDirections({ face }: Sticker): readonly [Vector, Vector] {
  return [faceFrames[face].right, faceFrames[face].down]
}

/**
 * Returns the index of the direction (of {@link dragDirections}) whose projection the drag follows best, and the signed
 * distance along this direction in units of its projection. `pictures` are the projections of both directions.
 */
export function follow(
  drag: readonly [number, number],
  pictures: readonly [readonly [number, number], readonly [number, number]],
): { direction: 0 | 1; far: number } {
  const far = pictures.map(([x, y]) => {
    const length = Math.hypot(x, y)
    // A direction along the line of sight has no projection.
    return length < 1e-6 ? 0 : (drag[0] * x + drag[1] * y) / (length * length)
  })
  const on = pictures.map(([x, y], i) => Math.abs(far[i]!) * Math.hypot(x, y))
  const direction = on[0]! >= on[1]! ? 0 : 1
  return { direction, far: far[direction]! }
}
