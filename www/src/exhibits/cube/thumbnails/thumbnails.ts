/** Grid of small cubes on a canvas, each in isometric projection. */
import type { Frame } from '../../../engine/page/session'
import { faces, type Size } from '../model/turns'
import { body, fillOf } from '../scene/colors'

export interface CubeThumbnails {
  cubes: number
  size: Size
  /** Color indices into `URFDLB`, cube by cube. */
  stickers: Uint8Array
}

/** Returns the cubes of the grid in a frame; null if the frame has none. */
export function thumbnailsOf(frame: Frame | null): CubeThumbnails | null {
  const array = frame?.arrays['thumbnails/stickers']
  if (!array || !(array.data instanceof Uint8Array)) return null
  const [cubes = 0, width = 0] = array.shape
  return cubes === 0 ? null : { cubes, size: width === 24 ? 2 : 3, stickers: array.data }
}

/** Says how many cubes the grid has, and how many of them are solved: all stickers of a face have one color. */
export function thumbnailsText(name: string, shown: CubeThumbnails | null): string {
  if (!shown) return `${name}: none yet.`
  const { cubes, size, stickers } = shown
  const perFace = size * size
  let solved = 0
  for (let cube = 0; cube < cubes; cube++) {
    const own = stickers.subarray(cube * 6 * perFace, (cube + 1) * 6 * perFace)
    if (own.every((color, i) => color === own[i - (i % perFace)])) solved++
  }
  return `${name}: ${cubes} cubes, ${solved} of them solved.`
}

type Point = readonly [x: number, y: number]

/** Visible faces: origin and directions of columns and rows; vertical edges have length 1. */
const wide = 0.87
const seen: readonly { face: number; from: Point; right: Point; down: Point }[] = [
  { face: 0, from: [0, -1], right: [wide, 0.5], down: [-wide, 0.5] },
  { face: 2, from: [-wide, -0.5], right: [wide, 0.5], down: [0, 1] },
  { face: 1, from: [0, 0], right: [wide, -0.5], down: [0, 1] },
]

/** Opacity of stickers over the dark body, which shades the faces. */
const shade = ['ff', 'dc', 'c0']

/** Corners of the drawn cube's outline. */
const outline: readonly Point[] = [
  [0, -1],
  [wide, -0.5],
  [wide, 0.5],
  [0, 1],
  [-wide, 0.5],
  [-wide, -0.5],
]

/** Returns the grid with the largest cubes that holds `count` of them. */
export function grid(
  width: number,
  height: number,
  count: number,
): { columns: number; rows: number; side: number } {
  let best = { columns: 1, rows: count, side: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const side = Math.min(width / columns / (2 * wide), height / rows / 2)
    if (side > best.side) best = { columns, rows, side }
  }
  return best
}

/** Returns the visible stickers as quadrilaterals in units of the edge, with their indices. */
export function tiles(size: Size): { sticker: number; shade: string; corners: Point[] }[] {
  const inset = 0.06
  return seen.flatMap(({ face, from, right, down }, i) =>
    Array.from({ length: size * size }, (_, cell) => {
      const [row, column] = [Math.floor(cell / size), cell % size]
      const at = (x: number, y: number): Point => {
        const [u, v] = [(column + x) / size, (row + y) / size]
        return [from[0] + u * right[0] + v * down[0], from[1] + u * right[1] + v * down[1]]
      }
      const [a, b] = [inset, 1 - inset]
      return {
        sticker: face * size * size + cell,
        shade: shade[i]!,
        corners: [at(a, a), at(b, a), at(b, b), at(a, b)],
      }
    }),
  )
}

export function drawThumbnails(
  pen: CanvasRenderingContext2D,
  thumbnails: CubeThumbnails,
  width: number,
  height: number,
): void {
  const { columns, rows, side } = grid(width, height, thumbnails.cubes)
  const all = tiles(thumbnails.size)
  const each = thumbnails.stickers.length / thumbnails.cubes
  const edge = side * 0.88
  for (let i = 0; i < thumbnails.cubes; i++) {
    const x = ((i % columns) + 0.5) * (width / columns)
    const y = (Math.floor(i / columns) + 0.5) * (height / rows)
    const trace = (points: readonly Point[]) => {
      pen.beginPath()
      for (const [u, v] of points) pen.lineTo(x + u * edge, y + v * edge)
      pen.closePath()
    }
    trace(outline)
    pen.fillStyle = pen.strokeStyle = body.light
    pen.fill()
    pen.stroke()
    for (const { sticker, shade, corners } of all) {
      trace(corners)
      pen.fillStyle = fillOf(faces[thumbnails.stickers[i * each + sticker]!] ?? '-') + shade
      pen.fill()
    }
  }
}
