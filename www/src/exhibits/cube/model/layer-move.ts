/** Moves of layers in standard notation: face turns, wide turns, slice turns and rotations of the whole cube. */
import type { Layer } from './drag'
import type { Grip } from './grip'
import { faceFrames, facing } from './stickers'
import { isFace, opposite, type Face, type Size, type Turn } from './turns'

/** Move of layers, in the frame of the viewer. */
export interface LayerMove {
  layers: 'face' | 'wide' | 'slice' | 'whole'
  /** Face whose clockwise turns have the direction of the move. */
  face: Face
  /** Clockwise quarter turns: 1 or 3. */
  quarters: 1 | 3
}

/** Faces whose direction slice turns and rotations have. */
const directions: Readonly<Record<string, Face>> = { M: 'L', E: 'D', S: 'F', x: 'R', y: 'U', z: 'F' }

/** Parses a move by a quarter turn, such as `R'`, `Rw`, `M` or `x'`; null if invalid. */
export function readMove(text: string): LayerMove | null {
  const [, name = '', prime] = /^(\w+)('?)$/.exec(text) ?? []
  const quarters = prime ? 3 : 1
  const face = isFace(name[0]) ? name[0] : directions[name]
  if (!face) return null
  if (isFace(name)) return { layers: 'face', face, quarters }
  if (name === `${face}w`) return { layers: 'wide', face, quarters }
  if (name.length > 1) return null
  return { layers: /[MES]/.test(name) ? 'slice' : 'whole', face, quarters }
}

/** Returns whether a cube of this size has the layers of a move. */
export const hasLayers = (size: Size, { layers }: LayerMove): boolean =>
  size === 3 || layers === 'face' || layers === 'whole'

/** Turn of one layer in the frame of the cube, and a rotation of the whole cube, which happen at the same time. */
export interface PlannedMove {
  layer: Layer | null
  /** Quarter turns of the layer, counter-clockwise about its axis. */
  quarters: number
  /** Clockwise rotation of the whole cube about a face of the viewer. */
  whole: Turn | null
}

/** Returns how a cube held with `grip` makes a move. A wide turn is the turn of the opposite face and a rotation. */
export function planned(size: Size, grip: Grip, { layers, face, quarters }: LayerMove): PlannedMove {
  const moving = layers === 'wide' ? opposite(face) : face
  const axis = faceFrames[facing(grip.toCube(faceFrames[moving].normal))].normal
  return {
    layer: layers === 'whole' ? null : { axis, along: layers === 'slice' ? 0 : size - 1 },
    quarters: quarters === 3 ? 1 : -1,
    whole: layers === 'whole' || layers === 'wide' ? { face, quarters } : null,
  }
}
