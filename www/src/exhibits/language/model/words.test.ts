import { describe, expect, test } from 'vitest'
import type { LanguageDraft } from '../../../engine/page/session'
import { excerpt, named, sampleText, share, tint, whole } from './words'

const draft = (writing: number, first: number, texts: string[]): LanguageDraft => {
  const tokens = texts.map((text, token) => ({
    token,
    text,
    prompt: false,
    probability: 0.5,
    alternatives: [],
  }))
  return { writing, first, tokens, by: 'person', updates: 0, status: 'writing' }
}

describe('tokens', () => {
  test('are put together from documents that hold what is new', () => {
    const first = whole(null, draft(1, 0, ['The', ' Danube']))
    const next = whole(first, draft(1, 2, [' flows']))
    expect(next.tokens.map(({ text }) => text).join('')).toBe('The Danube flows')
    expect(whole(next, draft(1, 3, [])).tokens).toEqual(next.tokens)
    expect(whole(next, draft(2, 0, ['Tin'])).tokens.map(({ text }) => text)).toEqual(['Tin'])
  })

  test('show their blanks', () => {
    expect(named(' the')).toBe('␣the')
    expect(named('\n\n')).toBe('⏎⏎')
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

  test('an excerpt stands in a few lines', () => {
    expect(excerpt('Iron\n\nIron is\na metal.', 60)).toBe('Iron ¶ Iron is a metal.')
    expect(excerpt('abcdefgh', 5)).toBe('abcd…')
  })
})
