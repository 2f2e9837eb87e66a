/** Check whether turns lead to a cube that is given by its stickers. */
import { cross, dot, solved, stickersOf } from '../model/stickers'
import { faces, type Size } from '../model/turns'

/** Returns the stickers of each corner (`count` = 3, clockwise or all counter-clockwise) or edge (`count` = 2). */
function piecesOf(size: Size, count: 2 | 3): number[][] {
  const all = stickersOf(size)
  const pieces = new Map<string, number[]>()
  for (const [sticker, { piece }] of all.entries())
    pieces.set(piece.join(), [...(pieces.get(piece.join()) ?? []), sticker])
  return [...pieces.values()]
    .filter((stickers) => stickers.length === count)
    .map(([a, b, c]) => {
      if (c === undefined) return [a!, b!]
      const [first, second, third] = [a!, b!, c].map((sticker) => all[sticker]!.normal)
      return dot(cross(first!, second!), third!) > 0 ? [a!, b!, c] : [a!, c, b!]
    })
}

interface Placement {
  /** Index of the piece at each position. */
  pieces: number[]
  /** Sum of the twists or flips of all pieces. */
  turned: number
}

/** Returns where the corners or edges are; null unless each piece occurs once. */
function placement(stickers: string, count: 2 | 3): Placement | null {
  const size: Size = stickers.length === 24 ? 2 : 3
  const positions = piecesOf(size, count)
  const colors = (of: string) => positions.map((position) => position.map((sticker) => of[sticker]!))
  const home = colors(solved(size)).map((piece) => piece.join(''))
  const placed = colors(stickers).map((piece) => {
    for (let turn = 0; turn < count; turn++) {
      const index = home.indexOf([...piece.slice(turn), ...piece.slice(0, turn)].join(''))
      if (index >= 0) return { index, turn }
    }
    return null
  })
  if (placed.includes(null)) return null
  const pieces = placed.map((piece) => piece!.index)
  if (new Set(pieces).size !== pieces.length) return null
  return { pieces, turned: placed.reduce((sum, piece) => sum + piece!.turn, 0) }
}

/** Returns whether a permutation is odd. */
const isOdd = (permutation: readonly number[]): boolean =>
  permutation.reduce(
    (odd, value, i) => permutation.slice(i + 1).reduce((o, v) => o !== v < value, odd),
    false,
  )

/** Returns the stickers with the face of its center instead of each color. A 2×2×2 cube has no centers. */
function byCenters(stickers: string): string {
  const count = stickers.length / faces.length
  if (count === 4) return stickers
  const face = new Map(faces.map((face, i) => [stickers[i * count + 4], face]))
  return [...stickers].map((color) => face.get(color) ?? '-').join('')
}

/** Returns whether turns lead to a cube, which is held in any orientation. Its stickers all have colors. */
export function isPossible(stickers: string): boolean {
  const cube = byCenters(stickers)
  const corners = placement(cube, 3)
  if (!corners || corners.turned % 3 !== 0) return false
  if (stickers.length === 24) return true
  const edges = placement(cube, 2)
  return edges !== null && edges.turned % 2 === 0 && isOdd(corners.pieces) === isOdd(edges.pieces)
}
