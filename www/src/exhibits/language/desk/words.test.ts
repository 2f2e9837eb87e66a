import { describe, expect, test } from 'vitest'
import type { LanguageToken } from '../../../session'
import { excerpt, goOnFrom, named, share, tint, typed } from './words'

const tokens = (...texts: string[]): LanguageToken[] =>
  texts.map((text) => ({ text, prompt: false, probability: 0.5, alternatives: [] }))

describe('tokens', () => {
  test('are typed as they are read', () => {
    expect(typed(['The', ' capital', ' of', '\n'])).toBe('The capital of\n')
    expect(typed([])).toBe('')
  })

  test('bytes are put together to characters', () => {
    expect(typed(['K', '⟨c3⟩', '⟨b6⟩', 'ln'])).toBe('Köln')
    expect(typed(['⟨e2⟩⟨82⟩', '⟨ac⟩ 5'])).toBe('€ 5')
  })

  test('bytes that are no character cannot be typed', () => {
    expect(typed(['K', '⟨c3⟩', 'ln'])).toBeNull()
    expect(typed(['⟨b6⟩'])).toBeNull()
  })

  test('a document that has ended is left behind', () => {
    expect(typed(['Iron', '⟨end⟩', 'Tin', ' is'])).toBe('Tin is')
    expect(typed(['Iron', '⟨end⟩'])).toBe('')
  })

  test('another one takes the place of one, and what follows is gone', () => {
    const text = tokens('The', ' Danube', ' flows', ' into')
    expect(goOnFrom(text, 2, ' rises', 128)).toBe('The Danube rises')
    expect(goOnFrom(text, 0, 'A', 128)).toBe('A')
  })

  test('no more goes into a prompt than the model sees', () => {
    const text = tokens(...Array.from({ length: 100 }, (_, i) => ` ${i}`))
    const prompt = goOnFrom(text, 99, ' x', 10)!
    expect(prompt).toBe(' 91 92 93 94 95 96 97 98 x')
    expect(goOnFrom(text, 99, ' x', 1)).toBe(' 98 x')
  })

  test('show their blanks', () => {
    expect(named(' the')).toBe('␣the')
    expect(named('\n\n')).toBe('⏎⏎')
  })

  test('are tinted by how probable they were', () => {
    expect([0, 0.25, 1, 2, NaN, null].map(tint)).toEqual([0, 0.25, 1, 1, 0, 0])
  })

  test('shares are as exact as is told', () => {
    expect([0, 0.001, 0.0123, 0.0996, 0.5, 1].map(share)).toEqual([
      '<0.1 %',
      '0.1 %',
      '1.2 %',
      '10 %',
      '50 %',
      '100 %',
    ])
  })

  test('an excerpt stands in a few lines', () => {
    expect(excerpt('Iron\n\nIron is\na metal.', 60)).toBe('Iron ¶ Iron is a metal.')
    expect(excerpt('abcdefgh', 5)).toBe('abcd…')
  })
})
