import { expect, test } from 'vitest'
import type { LanguageToken } from '../../../engine/page/session'
import { sureShare, symbolsIn, symbolsOf } from './measures'

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

test('unusual symbols are explained where they are visible', () => {
  const of = (...texts: string[]) => symbolsIn({ tokens: texts.map((text) => token(text)) })
  expect(of('Iron', ' is', '\n')).toEqual([])
  expect(of('It', '⟨d2⟩', '\n\n', '⟨end⟩')).toEqual([
    '\u{fffd}: part of a character, or one that cannot be shown',
    '¶: new line',
    '⟨end⟩: end of an article',
  ])
  // At the start of a text, the end of a document is shown as a new line.
  expect(of('⟨end⟩', 'Iron')).toEqual(['¶: new line'])
})

test('the symbols of a sample have the same explanations', () => {
  expect(symbolsOf('Iron')).toEqual([])
  expect(symbolsOf('I\u{fffd}n')).toEqual(['\u{fffd}: part of a character, or one that cannot be shown'])
})
