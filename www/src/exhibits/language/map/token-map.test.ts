import { expect, test } from 'vitest'
import type { TokenMap } from '../state/language.svelte'
import { tokenMapText, tokenTable } from './token-map'

const map: TokenMap = {
  tokens: [' the', '1', 's', '2'],
  kinds: ['word', 'digit', 'letter', 'digit'],
  counts: [0.5, 0.25, 0.125, 0.125],
  positions: Float32Array.of(-1, 0, 1, 0.5, 0, -1, 0.5, 1),
  updates: 8,
}
const kinds = [
  { kind: 'word', label: 'word start' },
  { kind: 'digit', label: 'digit' },
  { kind: 'space', label: 'whitespace' },
] as const

test('the map is a table of its tokens', () => {
  expect(tokenTable(map)).toEqual({
    token: ['␣the', '1', 's', '2'],
    kind: map.kinds,
    'fraction of the text': map.counts,
    x: [-1, 1, 0, 0.5],
    y: [0, 0.5, -1, 1],
  })
})

test('the text counts the tokens of each kind and names those at the sides', () => {
  expect(tokenMapText(map, kinds)).toBe(
    'Map of the 4 most frequent tokens by their embeddings (word start 1, digit 2). ' +
      'At the left: ␣the s 2; right: s 2 1; bottom: s ␣the 1; top: ␣the 1 2.',
  )
  expect(tokenMapText(null, kinds)).toBe('Map of the token embeddings: no model yet.')
})
