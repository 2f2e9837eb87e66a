import { expect, test } from 'vitest'
import { BAR, start, type Checkers } from './checkers'
import { canBeCrawford, cubeKey, cubeOfKey, cubeOptions, isValidScore, xgid } from './positionSetup'

const money = { length: 0, jacoby: true }
const match = { length: 7, jacoby: false }
const centered = { exponent: 0, owner: null, score: [0, 0], crawford: false } as const

test('the XGID has checkers, doubling cube, player on roll, dice, score and rule', () => {
  const opening = '-b----E-C---eE---c-e----B-'
  expect(xgid(start, 0, [3, 1], money, centered)).toBe(`XGID=${opening}:0:0:1:31:0:0:1:0:10`)
  expect(xgid(start, 1, null, match, { exponent: 2, owner: 1, score: [3, 4], crawford: false })).toBe(
    `XGID=${opening}:2:-1:-1:00:3:4:0:7:10`,
  )
  // The bar of the player below is the last place, the bar of the player above the first one.
  const [below, above] = [[...start[0]], [...start[1]]]
  below[24]!--
  below[BAR]!++
  above[6]! -= 2
  above[BAR]! += 2
  const hit: Checkers = [below, above]
  expect(xgid(hit, 0, null, match, { ...centered, owner: 0, exponent: 1 })).toBe(
    'XGID=bb----E-C---eE---c-c----AA:1:1:1:00:0:0:0:7:10',
  )
})

test('the Crawford game has no doubling cube, and exactly one player needs 1 point', () => {
  const setup = { exponent: 1, owner: 0, score: [6, 2], crawford: true } as const
  expect(xgid(start, 0, null, match, setup)).toMatch(/:0:0:1:00:6:2:1:7:10$/)
  expect(xgid(start, 0, null, match, { ...setup, score: [5, 2] })).toMatch(/:1:1:1:00:5:2:0:7:10$/)
  expect(xgid(start, 0, null, { ...match, length: 1 }, centered)).toMatch(/:0:0:1:00:0:0:1:1:10$/)
  expect(canBeCrawford(7, [6, 6])).toBe(false)
  expect(canBeCrawford(1, [0, 0])).toBe(false)
  expect(canBeCrawford(0, [6, 2])).toBe(false)
})

test('scores are below the length of the match; a money session has any score', () => {
  expect(isValidScore(7, [6, 0])).toBe(true)
  for (const score of [
    [7, 0],
    [-1, 0],
    [1.5, 0],
    [NaN, 0],
  ] as const)
    expect(isValidScore(7, score)).toBe(false)
  expect(isValidScore(0, [30, 2])).toBe(true)
})

test('each doubling cube has a key, the present one is selectable', () => {
  for (const [exponent, owner] of [
    [0, null],
    [2, null],
    [3, 0],
    [9, 1],
  ] as const) {
    const key = cubeKey(exponent, owner)
    expect(cubeOfKey(key)).toEqual({ exponent, owner })
    expect(cubeOptions({ ...centered, exponent, owner }).map(({ value }) => value)).toContain(key)
  }
})
