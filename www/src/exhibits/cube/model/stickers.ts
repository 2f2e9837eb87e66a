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

/** Layers of pieces whose coordinates along an axis are `from` to `to`. Positive angles are counter-clockwise. */
export interface Layers {
  axis: Vector
  from: number
  to: number
}

/** Returns whether a piece is in some layers. */
export function inLayers(piece: Vector, { axis, from, to }: Layers): boolean {
  const along = dot(piece, axis)
  return from <= along && along <= to
}

/**
 * Returns the origin of each sticker in a turn of layers by quarter turns: element i is the index of the position from which
 * a sticker moves to position i.
 */
function sources(size: Size, layers: Layers, quarters: number): number[] {
  const list = stickersOf(size)
  const at = new Map(list.map(({ piece, normal }, i) => [`${piece} ${normal}`, i]))
  return list.map(({ piece, normal }, i) => {
    if (!inLayers(piece, layers)) return i
    const clean = (v: Vector) => v.map((n) => n + 0).join()
    const from = (v: Vector) => clean(rotated(v, layers.axis, -quarters))
    return at.get(`${from(piece)} ${from(normal)}`)!
  })
}

const tables = new Map<string, number[]>()

/** Returns the colors after a turn of layers by quarter turns. */
export function layersTurned(colors: string, layers: Layers, quarters: number): string {
  const size: Size = colors.length === 24 ? 2 : 3
  const key = `${size} ${layers.axis} ${layers.from} ${layers.to} ${quarters}`
  const table = tables.get(key) ?? sources(size, layers, quarters)
  tables.set(key, table)
  let after = ''
  for (const from of table) after += colors[from]
  return after
}

/** Returns the colors after a turn of a face. */
export function turned(colors: string, { face, quarters }: Turn): string {
  const outer = colors.length === 24 ? 1 : 2
  return layersTurned(colors, { axis: faceFrames[face].normal, from: outer, to: outer }, -quarters)
}

/** Returns the colors of a solved cube. */
export function solved(size: Size): string {
  return faces.map((face) => face.repeat(size * size)).join('')
}

/** Returns whether each face has one color: whether the cube is solved, in any orientation. */
export function isUniform(stickers: string): boolean {
  const count = stickers.length / faces.length
  return faces.every((_, i) => new Set(stickers.slice(i * count, (i + 1) * count)).size === 1)
}
