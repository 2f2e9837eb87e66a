import { expect, test } from 'vitest'
import { writesWords } from './readiness'

test('texts have words after enough tokens, unless counting pairs of tokens is better', () => {
  const run = { tokens: 2_000, earlier: 0 }
  expect(writesWords(run)).toBe(false)
  expect(writesWords({ ...run, tokens: 200_000 })).toBe(true)
  expect(writesWords({ ...run, tokens: 200_000, held: 4, bigram: 3.5 })).toBe(false)
  expect(writesWords({ ...run, tokens: 300_000, held: 3, bigram: 3.5 })).toBe(true)
  // The model of an opened file.
  expect(writesWords({ tokens: 0, earlier: 5e6 })).toBe(true)
})
