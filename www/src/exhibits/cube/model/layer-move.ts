/** Moves of layers in standard notation: face turns, wide turns, slice turns and rotations of the whole cube. */
import { dot, faceFrames, facing, layersTurned, scaled, type Layers } from './stickers'
import { isFace, turnOf, type Face, type Size, type Turn } from './turns'

/** Move of layers, as the viewer sees the cube. */
export interface LayerMove extends Turn {
  layers: 'face' | 'wide' | 'slice' | 'whole'
}

/** Faces whose direction slice turns and rotations have. */
const directions: Readonly<Record<string, Face>> = { M: 'L', E: 'D', S: 'F', x: 'R', y: 'U', z: 'F' }
const endings = ['', '', '2', "'"]

/** Parses a move, such as `R'`, `Rw2`, `M` or `x'`; null if invalid. */
export function readMove(text: string): LayerMove | null {
  const [, name = '', ending = ''] = /^([A-Za-z]+)(2|'?)$/.exec(text) ?? []
  const quarters = Math.max(1, endings.indexOf(ending))
  const face = isFace(name[0]) ? name[0] : directions[name]
  if (!face) return null
  if (isFace(name)) return { layers: 'face', face, quarters }
  if (name === `${face}w`) return { layers: 'wide', face, quarters }
  if (name.length > 1) return null
  return { layers: /[MES]/.test(name) ? 'slice' : 'whole', face, quarters }
}

/** Writes a move in standard notation. */
export function writeMove({ layers, face, quarters }: LayerMove): string {
  const ofAxis = (names: string) => [...names].find((name) => directions[name] === face) ?? ''
  const name = { face, wide: `${face}w`, slice: ofAxis('MES'), whole: ofAxis('xyz') }[layers]
  return name + endings[quarters]
}

/** Returns the inverse move. */
export const inverseMove = (move: LayerMove): LayerMove => ({ ...move, quarters: 4 - move.quarters })

/** Returns whether a cube of this size has the layers of a move. */
export const hasLayers = (size: Size, { layers }: LayerMove): boolean =>
  size === 3 || layers === 'face' || layers === 'whole'

/** Returns the layers of a move, and its quarter turns, counter-clockwise about their axis, in the shorter direction. */
export function layersOf(
  size: Size,
  { layers, face, quarters }: LayerMove,
): { layers: Layers; quarters: number } {
  const outer = size - 1
  const [from, to] = { face: [outer, outer], wide: [0, outer], slice: [0, 0], whole: [-outer, outer] }[
    layers
  ] as [number, number]
  return { layers: { axis: faceFrames[face].normal, from, to }, quarters: quarters === 3 ? 1 : -quarters }
}

/** Returns the colors after a move. */
export function moved(colors: string, move: LayerMove): string {
  const { layers, quarters } = layersOf(colors.length === 24 ? 2 : 3, move)
  return layersTurned(colors, layers, quarters)
}

/** Returns the move of layers by quarter turns counter-clockwise about their axis; null for a multiple of 4. */
export function moveOf(size: Size, { axis, from, to }: Layers, quarters: number): LayerMove | null {
  const outer = size - 1
  const isSingle = from === to
  const kind = isSingle ? (from === 0 ? 'slice' : 'face') : from === -to ? 'whole' : 'wide'
  const isBack = isSingle ? from === -outer : to === 0
  const along = facing(isBack ? scaled(axis, -1) : axis)
  // Slice turns and rotations have the direction of one of the two faces.
  const names = { slice: 'MES', whole: 'xyz', face: '', wide: '' }[kind]
  const face =
    [...names].map((name) => directions[name]!).find((face) => dot(faceFrames[face].normal, axis) !== 0) ??
    along
  const turn = turnOf(face, -quarters * Math.sign(dot(faceFrames[face].normal, axis)))
  return turn && { layers: kind, ...turn }
}
