import { expect, test } from 'vitest'
import { frameOf } from '../../../../../tests/fixtures/frame'
import {
  attendedWords,
  attentionOf,
  attentionRow,
  attentionTable,
  headPattern,
  headWeights,
  spacedIndices,
  type Attention,
} from './attention'

/** Heads that put all attention of a query on the key given by a rule. */
function made(size: number, ...rules: ((row: number) => number)[]): Attention {
  const weights = new Uint8Array(rules.length * size * size)
  rules.forEach((rule, head) => {
    for (let row = 0; row < size; row++) weights[(head * size + row) * size + rule(row)] = 255
  })
  return { heads: rules.length, size, first: 0, weights }
}

test('reads changed attention weights of a frame', () => {
  expect(attentionOf(frameOf({}))).toBeNull()
  const attention = { shape: [2, 3, 3], data: new Uint8Array(18) }
  const first = { shape: [1], data: Float32Array.of(7) }
  expect(attentionOf(frameOf({ attention, 'attention/first': first }))).toMatchObject({
    heads: 2,
    size: 3,
    first: 7,
  })
})

test('attention rows of one head and the mean of all heads', () => {
  const attention = made(
    4,
    (row) => row,
    () => 0,
  )
  expect(attentionRow(attention, 0, 2)).toEqual([0, 0, 1, 0])
  expect(attentionRow(attention, 1, 2)).toEqual([1, 0, 0, 0])
  expect(attentionRow(attention, null, 2)).toEqual([0.5, 0, 0.5, 0])
  expect([...headWeights(attention, null)]).toEqual([
    1, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0, 0.5, 0, 0.5, 0, 0, 0.5,
  ])
})

test('attention weights are a table without the keys after a query', () => {
  expect(
    attentionTable(
      made(2, () => 0),
      1,
      ['The', ' cat'],
    ),
  ).toEqual({
    layer: [2, 2, 2],
    head: [1, 1, 1],
    query: [1, 2, 2],
    key: [1, 1, 2],
    'query token': ['The', ' cat', ' cat'],
    'key token': ['The', 'The', ' cat'],
    weight: [1, 1, 0],
  })
})

test('heads with a pattern are known by it', () => {
  const back = (by: number) => (row: number) => Math.max(0, row - by)
  const attention = made(40, back(0), back(1), () => 0, back(5), back(20))
  expect([0, 1, 2, 3].map((head) => headPattern(attention, head))).toEqual([
    'current token',
    'previous token',
    'first token',
    'near tokens',
  ])
  // Uniform attention has no pattern, although most keys are distant.
  const spread = made(40, () => 0)
  for (let row = 0; row < 40; row++)
    for (let column = 0; column < 40; column++)
      spread.weights[row * 40 + column] = column <= row ? Math.round(255 / (row + 1)) : 0
  expect(headPattern(spread, 0)).toBeNull()
  expect(headPattern(made(4, back(0)), 0)).toBeNull()
})

test('the tokens of a word share its attention', () => {
  const texts = ['People', ' in', ' J', 'ap', 'an', ' pay', ',', '20', '24', '\n']
  const words = attendedWords(
    texts,
    texts.map((_, i) => i),
  )
  expect(words.map(({ text }) => text)).toEqual(['People', ' in', ' Japan', ' pay', ',', '2024', '\n'])
  expect(words[2]).toEqual({ text: ' Japan', first: 2, last: 4, share: 9 })
  // Weights of a shorter text.
  expect(attendedWords(texts, [1]).map(({ share }) => share)).toEqual([1, 0, 0, 0, 0, 0, 0])
})

test('labels that do not overlap: all of a short text, else the selected token first', () => {
  expect(spacedIndices(4, 1, [2]).sort()).toEqual([0, 1, 2, 3])
  expect(spacedIndices(10, 4, [5])).toEqual([5, 0, 9])
  // The size of the matrix is unknown.
  expect(spacedIndices(4, Infinity, [2])).toEqual([2])
})
