/** The layer that a dragged sticker turns. */
import { cross, dot, facing, lies, scaled, type Sticker, type Vector } from './stickers'
import { turnOf, type Face, type Size, type Turn } from './turns'

/** A layer on its way: the pieces that lie so far along an axis, which a positive angle turns counter-clockwise. */
export interface Layer {
  axis: Vector
  along: number
}

/** The turn that results when a layer is released. */
export interface Release {
  /** One after another. */
  turns: Turn[]
  /** Quarters by which the whole cube turns with it, about the layer's axis. */
  whole: number
}

/** The layer that a sticker is in which moves in a direction, along one of its face's edges. */
export function layerOf({ piece, normal }: Sticker, direction: Vector): Layer {
  const axis = cross(normal, direction)
  return { axis, along: dot(piece, axis) }
}

/** The two ways in which a sticker can be dragged: along its face's columns and its rows. */
export function ways({ face }: Sticker): readonly [Vector, Vector] {
  return [lies[face].right, lies[face].down]
}

/**
 * The way that a drag goes: the one whose picture on the screen it follows better, as its number, and how far it has gone
 * along that, in units of the picture's length. `pictures` are those of the unit vectors of both {@link ways}.
 */
export function follow(
  drag: readonly [number, number],
  pictures: readonly [readonly [number, number], readonly [number, number]],
): { way: 0 | 1; far: number } {
  const far = pictures.map(([x, y]) => {
    const length = Math.hypot(x, y)
    // A direction that is seen end-on has no picture to follow.
    return length < 1e-6 ? 0 : (drag[0] * x + drag[1] * y) / (length * length)
  })
  const on = pictures.map(([x, y], i) => Math.abs(far[i]!) * Math.hypot(x, y))
  const way = on[0]! >= on[1]! ? 0 : 1
  return { way, far: far[way]! }
}

/** The turn of a layer that is a face's, by quarters counter-clockwise about its axis. */
function turnOfFace(face: Face, axis: Vector, quarters: number): Turn | null {
  return turnOf(face, -quarters * Math.sign(dot(lies[face].normal, axis)))
}

/**
 * What turning a layer by quarters comes to. Where it is no face's, or a face's that does not turn, all others turn the
 * other way and the whole cube turns along, which looks the same.
 */
export function released(
  size: Size,
  turning: readonly Face[],
  { axis, along }: Layer,
  quarters: number,
): Release {
  const ends = [facing(axis), facing(scaled(axis, -1))]
  const own = ends.find((face) => dot(lies[face].normal, axis) * (size - 1) === along)
  const direct = own !== undefined && turning.includes(own)
  const others = ends.filter((face) => face !== own && turning.includes(face))
  const turns = (direct ? [own] : others).flatMap(
    (face) => turnOfFace(face, axis, direct ? quarters : -quarters) ?? [],
  )
  return { turns, whole: direct || turns.length === 0 ? 0 : quarters }
}

/** The layer that a turn moves, and by how many quarters counter-clockwise about its axis. */
export function layerOfTurn(size: Size, { face, quarters }: Turn): { layer: Layer; quarters: number } {
  // The short way round.
  return {
    layer: { axis: lies[face].normal, along: size - 1 },
    quarters: quarters === 3 ? 1 : -quarters,
  }
}
