import { expect, test } from 'vitest'
import type { LanguageToken } from '../../../engine/page/session'
import { repeatedShare, sureShare, symbolsIn } from './measures'

const token = (text: string, probability: number | null = 0.9, prompt = false): LanguageToken => ({
  token: 1,
  text,
  prompt,
  probability,
  alternatives: [],
})

test('the share of sure tokens counts generated tokens only', () => {
  expect(sureShare([token('Iron', null, true)])).toBeNull()
  const tokens = [token('Iron', 0.9, true), token(' is', 0.5), token(' a', 0.4), token(' metal', 0.1)]
  expect(sureShare(tokens)).toBeCloseTo(1 / 3)
})

test('a repetition is a group of three words that occurred before', () => {
  expect(repeatedShare([token('Iron is')])).toBeNull()
  expect(repeatedShare([token('Iron is a metal')])).toBe(0)
  // Groups: iron is a, is a metal, a metal iron, metal iron is, iron is a.
  expect(repeatedShare([token('Iron is a me'), token('tal. Iron is a')])).toBeCloseTo(0.2)
})

test('unusual symbols are explained where they are visible', () => {
  const of = (...texts: string[]) => symbolsIn({ tokens: texts.map((text) => token(text)) })
  expect(of('Iron', ' is', '\n')).toEqual([])
  expect(of('It', '⟨d2⟩', '\n\n', '⟨end⟩')).toEqual([
    '⟨d2⟩: part of a letter',
    '¶: new line',
    '⟨end⟩: end of an article',
  ])
  // At the start of a text, the end of a document is shown as a new line.
  expect(of('⟨end⟩', 'Iron')).toEqual(['¶: new line'])
})
