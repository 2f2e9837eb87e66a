import { expect, test } from 'vitest'
import { frameOf } from '../../../../../tests/fixtures/frame'
import { attentionOf, habitOf, lookOf, type Attention } from './attention'

/** Heads that each look by a rule of their own: all of it at one token. */
function made(size: number, ...rules: ((row: number) => number)[]): Attention {
  const weights = new Uint8Array(rules.length * size * size)
  rules.forEach((rule, head) => {
    for (let row = 0; row < size; row++) weights[(head * size + row) * size + rule(row)] = 255
  })
  return { heads: rules.length, size, first: 0, weights }
}

test('a picture has the attention where it has changed', () => {
  expect(attentionOf(frameOf({}))).toBeNull()
  const attention = { shape: [2, 3, 3], data: new Uint8Array(18) }
  const first = { shape: [1], data: Float32Array.of(7) }
  expect(attentionOf(frameOf({ attention, 'attention/first': first }))).toMatchObject({
    heads: 2,
    size: 3,
    first: 7,
  })
})

test('a token looks with one head or with all of them', () => {
  const attention = made(
    4,
    (row) => row,
    () => 0,
  )
  expect(lookOf(attention, 0, 2)).toEqual([0, 0, 1, 0])
  expect(lookOf(attention, 1, 2)).toEqual([1, 0, 0, 0])
  expect(lookOf(attention, null, 2)).toEqual([0.5, 0, 0.5, 0])
})

test('heads with a habit are known by it', () => {
  const back = (by: number) => (row: number) => Math.max(0, row - by)
  const attention = made(40, back(0), back(1), () => 0, back(5), back(20))
  expect([0, 1, 2, 3].map((head) => habitOf(attention, head))).toEqual([
    'itself',
    'the token before',
    'the beginning',
    'nearby',
  ])
  // One that looks everywhere alike has none, though most of what there is lies far back.
  const spread = made(40, () => 0)
  for (let row = 0; row < 40; row++)
    for (let column = 0; column < 40; column++)
      spread.weights[row * 40 + column] = column <= row ? Math.round(255 / (row + 1)) : 0
  expect(habitOf(spread, 0)).toBeNull()
  expect(habitOf(made(4, back(0)), 0)).toBeNull()
})
