import { describe, expect, test } from 'vitest'
import type { LanguageDraft } from '../../../engine/page/session'
import {
  excerpt,
  generatedBlank,
  visibleText,
  sampleText,
  share,
  tint,
  tokenText,
  mergeTokens,
} from './tokenText'

const draft = (id: number, first: number, texts: string[]): LanguageDraft => {
  const tokens = texts.map((text, token) => ({
    token,
    text,
    prompt: false,
    probability: 0.5,
    alternatives: [],
  }))
  return { id, first, tokens, by: 'person', updates: 0, status: 'writing' }
}

describe('tokens', () => {
  test('break the line once per run of line breaks', () => {
    const tokens = ['A', '\n', '\n\n', '\nB\n\n', 'C']
    const shown = tokens.map((text, i) => tokenText(text, tokens[i - 1]))
    expect(shown).toEqual(['A', '\n', '¶¶', '¶B\n¶', 'C'])
  })

  test('have one sign for what is no letter, in texts and in samples', () => {
    const noise = 'a⟨97⟩\u0001\u{fffd}\n⟨end⟩'
    expect(tokenText(noise, undefined)).toBe('a\u{fffd}\u{fffd}\u{fffd}\n⟨end⟩')
    expect(sampleText('Iron', noise)).toBe(tokenText(noise, undefined))
    expect(excerpt('a\u0001b\tc', 9)).toBe('a\u{fffd}b\tc')
  })

  test('are merged from documents that contain only new tokens', () => {
    const first = mergeTokens(null, draft(1, 0, ['The', ' Danube']))
    const next = mergeTokens(first, draft(1, 2, [' flows']))
    expect(next.tokens.map(({ text }) => text).join('')).toBe('The Danube flows')
    expect(mergeTokens(next, draft(1, 3, [])).tokens).toEqual(next.tokens)
    expect(mergeTokens(next, draft(2, 0, ['Tin'])).tokens.map(({ text }) => text)).toEqual(['Tin'])
  })

  test('show their blanks', () => {
    expect(visibleText(' the')).toBe('␣the')
    expect(visibleText('\n\n')).toBe('¶¶')
    expect(visibleText('')).toBe('∅')
    // A label of control characters alone would be empty for screen readers.
    expect(visibleText('\r')).toBe('U+000D')
    expect(visibleText('a\u00a0b')).toBe('aU+00A0b')
  })

  test('are tinted by how probable they were', () => {
    expect([0, 0.25, 1, 2, NaN, null].map(tint)).toEqual([0, 0.25, 1, 1, 0, 0])
  })

  test('shares are as exact as is known', () => {
    expect([0, 0.001, 0.0123, 0.0996, 0.5, 1].map(share)).toEqual([
      '<0.1 %',
      '0.1 %',
      '1.2 %',
      '10 %',
      '50 %',
      '100 %',
    ])
  })

  test('a sample is not blank where it begins, nor far apart', () => {
    expect(sampleText('', '\n \n\n  Iron\nis\n\n\na metal.')).toBe('  Iron\nis ¶ a metal.')
    expect(sampleText('', ' Iron')).toBe(' Iron')
    expect(sampleText('Iron', '\n\nis a metal.')).toBe(' ¶ is a metal.')
  })

  test('a sample without visible characters says so', () => {
    for (const text of ['', '\n \n\t']) {
      expect(sampleText('', text)).toBe(' (only whitespace)')
      expect(excerpt(text, 5)).toBe(' (only whitespace)')
    }
    const blank = draft(1, 0, ['\n', '  '])
    expect(generatedBlank(blank)).toBe(false)
    expect(generatedBlank({ ...blank, status: 'done' })).toBe(true)
    expect(generatedBlank({ ...draft(1, 0, ['\n', 'a']), status: 'done' })).toBe(false)
  })

  test('an excerpt joins lines and has a maximum length', () => {
    expect(excerpt('Iron\n\nIron is\na metal.', 60)).toBe('Iron ¶ Iron is a metal.')
    expect(excerpt('abcdefgh', 5)).toBe('abcd…')
  })
})
