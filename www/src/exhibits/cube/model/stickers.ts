/**
 * Sticker geometry. x points right, y up, z towards the viewer of F. Piece centers have integer coordinates two
 * apart: ±1 on the 2×2×2 cube; −2, 0 and 2 on the 3×3×3 cube.
 */
import { faces, type Face, type Size, type Turn } from './turns'

export type Vector = readonly [x: number, y: number, z: number]

/** Orientation of a face: normal, and directions of its rows and columns in sticker order. */
export interface FaceFrame {
  normal: Vector
  right: Vector
  down: Vector
}

/** Each face is viewed from outside with U on top (B on top for U, F on top for D). */
export const faceFrames: Readonly<Record<Face, FaceFrame>> = {
  U: { normal: [0, 1, 0], right: [1, 0, 0], down: [0, 0, 1] },
  R: { normal: [1, 0, 0], right: [0, 0, -1], down: [0, -1, 0] },
  F: { normal: [0, 0, 1], right: [1, 0, 0], down: [0, -1, 0] },
  D: { normal: [0, -1, 0], right: [1, 0, 0], down: [0, 0, -1] },
  L: { normal: [-1, 0, 0], right: [0, 0, 1], down: [0, -1, 0] },
  B: { normal: [0, 0, -1], right: [-1, 0, 0], down: [0, -1, 0] },
}

export interface Sticker {
  face: Face
  row: number
  column: number
  /** Center of the piece that the sticker belongs to. */
  piece: Vector
  normal: Vector
}

export const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]

export const scaled = ([x, y, z]: Vector, by: number): Vector => [x * by, y * by, z * by]

/** Returns the face whose normal is a given direction. */
export function facing(direction: Vector): Face {
  return faces.find((face) => dot(faceFrames[face].normal, direction) > 0.5)!
}

function listed(size: Size): Sticker[] {
  const along = (index: number) => 2 * index - (size - 1)
  return faces.flatMap((face) => {
    const { normal, right, down } = faceFrames[face]
    return Array.from({ length: size * size }, (_, i) => {
      const [row, column] = [Math.floor(i / size), i % size]
      const at = (d: 0 | 1 | 2) => normal[d] * (size - 1) + right[d] * along(column) + down[d] * along(row)
      return { face, row, column, piece: [at(0), at(1), at(2)] as Vector, normal }
    })
  })
}

const all = { 2: listed(2), 3: listed(3) }

/** Returns the stickers in the order of the protocol. */
export function stickersOf(size: Size): readonly Sticker[] {
  return all[size]
}

/** Rotates a vector by quarter turns counter-clockwise about a face normal. */
export function rotated(v: Vector, axis: Vector, quarters: number): Vector {
  let at = v
  for (let i = 0; i < ((quarters % 4) + 4) % 4; i++) {
    const [side, along] = [cross(axis, at), scaled(axis, dot(axis, at))]
    at = [side[0] + along[0], side[1] + along[1], side[2] + along[2]]
  }
  return at
}

/** Returns whether a piece is in the layer of a face. */
const inLayer = (piece: Vector, face: Face, size: Size): boolean =>
  dot(piece, faceFrames[face].normal) === size - 1

/**
 * Returns the origin of each sticker in a turn: element i is the index of the position from which a sticker moves to
 * position i.
 */
function sources(size: Size, { face, quarters }: Turn): number[] {
  const list = stickersOf(size)
  const at = new Map(list.map(({ piece, normal }, i) => [`${piece} ${normal}`, i]))
  const { normal: axis } = faceFrames[face]
  return list.map(({ piece, normal }, i) => {
    if (!inLayer(piece, face, size)) return i
    // Clockwise viewed from outside is counter-clockwise about the negative normal; the source is found by the inverse turn.
    const clean = (v: Vector) => v.map((n) => n + 0).join()
    return at.get(`${clean(rotated(piece, axis, quarters))} ${clean(rotated(normal, axis, quarters))}`)!
  })
}

const tables = new Map<string, number[]>()

/** Returns the colors after a turn. */
export function turned(colors: string, turn: Turn): string {
  const size: Size = colors.length === 24 ? 2 : 3
  const key = `${size}${turn.face}${turn.quarters}`
  const table = tables.get(key) ?? sources(size, turn)
  tables.set(key, table)
  let after = ''
  for (const from of table) after += colors[from]
  return after
}

/** Returns the colors of a solved cube. */
export function solved(size: Size): string {
  return faces.map((face) => face.repeat(size * size)).join('')
}
