/** Mapping of sticker drags to layer turns. */
import { cross, dot, facing, faceFrames, scaled, type Sticker, type Vector } from './stickers'
import { turnOf, type Face, type Size, type Turn } from './turns'

/** Layer of pieces at a coordinate along an axis. Positive angles are counter-clockwise. */
export interface Layer {
  axis: Vector
  along: number
}

/** Turns that result from releasing a layer. */
export interface Release {
  /** Turns to apply to the cube, in order. */
  turns: Turn[]
  /** Quarter turns of the whole cube about the layer's axis. */
  whole: number
}

/** Returns the layer that moves a sticker in a direction along an edge of its face. */
export function layerOf({ piece, normal }: Sticker, direction: Vector): Layer {
  const axis = cross(normal, direction)
  return { axis, along: dot(piece, axis) }
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

/** Returns the turn of a face by quarters counter-clockwise about an axis. */
function turnOfFace(face: Face, axis: Vector, quarters: number): Turn | null {
  return turnOf(face, -quarters * Math.sign(dot(faceFrames[face].normal, axis)))
}

/**
 * Returns the turns equivalent to turning a layer by quarters. If the layer is not a turnable face, all other layers
 * turn in the opposite direction and the whole cube rotates, which looks the same.
 */
export function released(
  size: Size,
  turning: readonly Face[],
  { axis, along }: Layer,
  quarters: number,
): Release {
  const ends = [facing(axis), facing(scaled(axis, -1))]
  const own = ends.find((face) => dot(faceFrames[face].normal, axis) * (size - 1) === along)
  const direct = own !== undefined && turning.includes(own)
  const others = ends.filter((face) => face !== own && turning.includes(face))
  const turns = (direct ? [own] : others).flatMap(
    (face) => turnOfFace(face, axis, direct ? quarters : -quarters) ?? [],
  )
  return { turns, whole: direct || turns.length === 0 ? 0 : quarters }
}

/** Returns the layer of a turn and its quarter turns, counter-clockwise about the axis. */
export function layerOfTurn(size: Size, { face, quarters }: Turn): { layer: Layer; quarters: number } {
  // Shortest rotation.
  return {
    layer: { axis: faceFrames[face].normal, along: size - 1 },
    quarters: quarters === 3 ? 1 : -quarters,
  }
}
