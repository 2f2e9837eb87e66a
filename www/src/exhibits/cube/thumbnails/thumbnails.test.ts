import { expect, test } from 'vitest'
import type { Frame } from '../../../engine/page/session'
import { stickersOf } from '../model/stickers'
import type { Size } from '../model/turns'
import { grid, tiles, thumbnailsOf, thumbnailsText } from './thumbnails'

test('thumbnails are read from a frame', () => {
  const frame = (shape: number[], data: unknown) =>
    ({ arrays: { 'thumbnails/stickers': { shape, data } } }) as unknown as Frame
  expect(thumbnailsOf(null)).toBeNull()
  expect(thumbnailsOf(frame([0, 24], new Uint8Array(0)))).toBeNull()
  expect(thumbnailsOf(frame([2, 24], new Uint8Array(48)))).toMatchObject({ cubes: 2, size: 2 })
  expect(thumbnailsOf(frame([1, 54], new Uint8Array(54)))).toMatchObject({ cubes: 1, size: 3 })
})

test('the text counts the solved cubes', () => {
  const solved = Uint8Array.from({ length: 24 }, (_, i) => Math.floor(i / 4))
  const turned = solved.map((color, i) => (i === 3 ? 5 : color))
  const stickers = Uint8Array.from([...solved, ...turned])
  expect(thumbnailsText('Beam', { cubes: 2, size: 2, stickers })).toBe('Beam: 2 cubes, 1 of them solved.')
  expect(thumbnailsText('Beam', null)).toBe('Beam: none yet.')
})

test('all cubes fit', () => {
  for (const count of [1, 5, 24, 60]) {
    const { columns, rows, side } = grid(400, 150, count)
    expect(columns * rows).toBeGreaterThanOrEqual(count)
    expect(2 * side * rows).toBeLessThanOrEqual(150.001)
    expect(1.74 * side * columns).toBeLessThanOrEqual(400.001)
  }
})

test.each<Size>([2, 3])('size %i: the visible faces meet at the corner URF', (size) => {
  const all = tiles(size)
  expect(all).toHaveLength(3 * size * size)
  expect(new Set(all.map(({ sticker }) => stickersOf(size)[sticker]!.face))).toEqual(new Set(['U', 'R', 'F']))
  // The stickers of the corner URF are nearest to the center.
  const far = ({ corners }: (typeof all)[number]) =>
    Math.hypot(...[0, 1].map((d) => corners.reduce((sum, corner) => sum + corner[d as 0 | 1], 0) / 4))
  const near = [...all].sort((a, b) => far(a) - far(b)).slice(0, 3)
  for (const { sticker } of near)
    expect(stickersOf(size)[sticker]!.piece).toEqual([size - 1, size - 1, size - 1])
})
