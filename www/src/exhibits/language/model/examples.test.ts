import { expect, test } from 'vitest'
import type { LanguageDraft } from '../../../engine/page/session'
import { checkedFact, haveSameEnding, promptOf } from './examples'

/** Returns a text; the tokens before the bar are the prompt. */
const draft = (text: string, more: Partial<LanguageDraft> = {}): LanguageDraft => {
  const [start = '', end = ''] = text.split('|')
  const tokens = [
    { text: start, prompt: true },
    { text: end, prompt: false },
  ].map((token) => ({ ...token, token: 1, probability: null, alternatives: [] }))
  return { id: 1, by: 'person', status: 'done', updates: 0, tokens, ...more } as LanguageDraft
}

test('the completion of an example is compared with its fact', () => {
  expect(checkedFact(draft('The capital of Japan is| Vientiane.'))).toMatchObject({
    fact: 'Tokyo',
    isTrue: false,
  })
  expect(checkedFact(draft('The Danube flows into the| Black Sea. The'))).toMatchObject({ isTrue: true })
  expect(checkedFact(draft('The Danube flows into the| Black Seal'))).toMatchObject({ isTrue: false })
})

test('the first sentence of a completion is shown', () => {
  const sentence = (text: string) => checkedFact(draft(text))?.sentence
  expect(sentence('The capital of Japan is| Valletta. Among its')).toBe('The capital of Japan is Valletta.')
  expect(sentence('The capital of Japan is| 3.5\nThe')).toBe('The capital of Japan is 3.5')
  expect(sentence('The capital of Japan is| in the')).toBe('The capital of Japan is in the …')
})

test('other texts, samples and incomplete endings are not compared', () => {
  expect(checkedFact(draft('Iron is| a metal'))).toBeNull()
  expect(checkedFact(draft('The capital of Japan is| Tokyo', { by: 'sample' as never }))).toBeNull()
  expect(checkedFact(draft('The capital of Japan is| Tokyo', { status: 'writing' }))).toBeNull()
  expect(checkedFact(draft('The capital of Japan is| Tokyo.', { status: 'writing' }))).toMatchObject({
    isTrue: true,
  })
})

test('texts are compared by the end of their first sentence, without the prompt', () => {
  const danube = draft('The Danube flows into the| Black Sea. The Dnie')
  expect(promptOf(danube)).toBe('The Danube flows into the')
  expect(haveSameEnding(danube, draft('The river flows into the| Black Sea. Around'))).toBe(true)
  expect(haveSameEnding(danube, draft('The river flows into the| Baltic Sea. The Dnie'))).toBe(false)
})
