import { expect, test } from 'vitest'
import { moved, readMove } from '../model/layer-move'
import { solved } from '../model/stickers'
import type { Size } from '../model/turns'
import { isPossible } from './possible'

const after = (size: Size, turns: string) =>
  turns.split(' ').reduce((stickers, turn) => moved(stickers, readMove(turn)!), solved(size))

/** Exchanges the colors of pairs of stickers. */
const exchanged = (stickers: string, ...pairs: [number, number][]) => {
  const colors = [...stickers]
  for (const [a, b] of pairs) [colors[a], colors[b]] = [colors[b]!, colors[a]!]
  return colors.join('')
}

test('turns and rotations lead to possible cubes', () => {
  for (const size of [2, 3] as const) {
    expect(isPossible(solved(size))).toBe(true)
    for (const turns of ['R', "x y'", "R U2 F' z L D B2 x' U'", "F R' D2 B L2 y U F' R"])
      expect(isPossible(after(size, turns)), `${size} ${turns}`).toBe(true)
  }
  expect(isPossible(after(3, "M E2 Rw' S y Uw"))).toBe(true)
})

test('a twisted corner of either cube is impossible', () => {
  // The corner of the faces U, R and F.
  for (const [size, [u, r, f]] of [
    [2, [3, 4, 9]],
    [3, [8, 9, 20]],
  ] as const)
    for (const turns of ['U2 U2', "R U F' D L2"]) {
      const clockwise = exchanged(after(size, turns), [u, r], [u, f])
      expect([isPossible(clockwise), isPossible(exchanged(clockwise, [u, r], [u, f]))]).toEqual([
        false,
        false,
      ])
      // Three twists are none.
      expect(isPossible([1, 2].reduce((cube) => exchanged(cube, [u, r], [u, f]), clockwise))).toBe(true)
      // Colors in the wrong rotational order.
      expect(isPossible(exchanged(after(size, turns), [u, r]))).toBe(false)
    }
})

test('flipped and exchanged edges, exchanged corners and centers of the 3×3×3 cube are impossible', () => {
  const cube = after(3, "R U F' D L2")
  // The edges of U and F, and of U and R.
  const flipped = exchanged(cube, [7, 19])
  expect([isPossible(flipped), isPossible(exchanged(flipped, [5, 10]))]).toEqual([false, true])
  const swapped = exchanged(cube, [7, 5], [19, 10])
  expect(isPossible(swapped)).toBe(false)
  // The corners of U, R and F, and of U, F and L: with the exchanged edges, the permutation is even.
  const corners: [number, number][] = [
    [8, 6],
    [20, 38],
    [9, 18],
  ]
  expect([isPossible(exchanged(cube, ...corners)), isPossible(exchanged(swapped, ...corners))]).toEqual([
    false,
    true,
  ])
  expect(isPossible(exchanged(cube, [4, 13]))).toBe(false)
  // Two corners of a 2×2×2 cube can be exchanged by turns.
  expect(isPossible(exchanged(after(2, 'R U'), [3, 2], [9, 17], [4, 8]))).toBe(true)
  // The same piece twice.
  expect(isPossible(exchanged(solved(3), [7, 1]))).toBe(true)
  expect(isPossible(exchanged(solved(3), [19, 10]))).toBe(false)
})
