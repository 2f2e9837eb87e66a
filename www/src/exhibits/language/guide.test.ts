import { expect, test } from 'vitest'
import { namedBy } from '../shared/guide/focus'
import type { Values } from '../shared/guide/guide'
import { guide } from './guide'
import { includedSamples, isIncluded } from './model/included-samples'

const stepWithTitle = (wanted: string) => guide.find(({ title }) => title === wanted)!

test('the perplexity counts once it was measured after 60 k tokens, as the headline shows it', () => {
  const { outcome, isFinal } = guide[1]!
  const early = { held: 6.92, measured: 0, tokens: 30_000 }
  expect(outcome(early, { tokens: 0 })).toMatch(/30\.0\u00a0k tokens so far.* after 65\.5\u00a0k/)
  expect(isFinal?.(early, { tokens: 0 })).toBe(false)
  const late = { held: 5.7, measured: 65_536, tokens: 70_000 }
  expect(outcome(late, { tokens: 0 })).toMatchObject({
    right: 1,
    text: expect.stringMatching(
      /^After 65\.5\u00a0k tokens .* on the held-out text is 299: the newest dot/,
    ) as string,
  })
  expect(isFinal?.(late, { tokens: 0 })).toBe(true)
  // A measurement before the click is not an answer.
  expect(outcome(late, { tokens: 66_000 })).toMatch(/so far/)
})

test('the trained transformer is compared with the models that count', () => {
  const { outcome } = guide[2]!
  const lines = { bigram: 2.52, trigram: 1.33 }
  expect(outcome({ ...lines, held: 5.7, tokens: 70_000 }, {})).toBeNull()
  expect(outcome({ ...lines, held: 0.28, earlier: 41e6, tokens: 0 }, {})).toMatchObject({
    right: 2,
    text: expect.stringMatching(
      /pairs has a perplexity of 12\.4, .* triples 3\.8, .* 1\.3\. It uses all earlier tokens/,
    ) as string,
  })
  expect(outcome({ ...lines, held: 2, earlier: 1e6 }, {})).toMatchObject({ right: 1 })
})

test('the steps about texts open the included model, unless the texts of the run have words', () => {
  for (const step of guide.slice(4)) {
    expect(step.requirement!.isMet({ words: 0 })).toBe(false)
    expect(step.requirement!.isMet({ words: 1 })).toBe(true)
    const click = { kind: 'click', element: 'trained-model' }
    expect(JSON.stringify(step.setup)).toContain(JSON.stringify(click))
  }
})

test('the steps about the curve measure a run that has not started, so that a link shows the curve', () => {
  for (const title of ['Perplexity', 'Better than counting'])
    expect(stepWithTitle(title).setup).toContainEqual({
      kind: 'unless',
      figure: { element: 'status', attribute: 'evaluated' },
      is: 1,
      does: [{ kind: 'single-step', until: 'update' }],
    })
})

test('the first step answers its question with a text of a new run, which stays paused', () => {
  const { action, outcome, setup } = guide[0]!
  // Training of the run before stops when the step is opened.
  expect(setup).toEqual([{ kind: 'learn', on: false }])
  const [restart, ...then] = action.does
  expect(restart).toEqual({ kind: 'restart', preset: 'encyclopedia', held: true })
  const indexOf = (wanted: object) =>
    then.findIndex((action) => JSON.stringify(action) === JSON.stringify(wanted))
  const write = indexOf({ kind: 'click', element: 'example-0' })
  expect(indexOf({ kind: 'learn', on: false })).toBeLessThan(write)
  // The answer follows the end of the text.
  expect(then[write + 1]).toMatchObject({ kind: 'reach', value: 1 })
  const text = { written: 1 }
  expect(outcome({ written: 0 }, {})).toBeNull()
  expect(outcome({ ...text, tokensBefore: 0 }, {})).toMatchObject({
    right: 0,
    text: expect.stringMatching(
      /^The text consists of words and fragments .* untrained .* equal\. Select/,
    ) as string,
  })
  expect(outcome({ ...text, tokensBefore: 4_096, loss: 6.9, unigram: 5.62, bigram: 2.52 }, {})).toMatchObject(
    {
      right: 0,
      text: expect.stringMatching(/trained on 4\.10\u00a0k tokens only/) as string,
    },
  )
})

test('the quiz counts facts in other words', () => {
  const { outcome } = stepWithTitle('Facts')
  const model = { held: 0.28, topics: 13, earlier: 41e6, tokens: 4_096 }
  const answer = outcome({ ...model, quiz: 0.42, known: 1, asked: 200 }, {})
  expect(answer).toMatchObject({
    right: 1,
    text: expect.stringMatching(
      /42 % of 200 .* guessing gives 25.%\. .* only in the words in which it has read them\.$/,
    ) as string,
  })
  expect(answer).not.toMatchObject({ text: expect.stringContaining('luck') as string })
  expect(outcome({ ...model, quiz: 0.3, known: 1, asked: 50 }, {})).toMatchObject({ right: 1 })
  expect(outcome({ ...model, quiz: 0.3, known: 0, asked: 50 }, {})).toMatchObject({ right: 0 })
  // The range of guessing is smaller with more questions.
  expect(outcome({ ...model, quiz: 0.33, known: 0, asked: 50 }, {})).toMatchObject({ right: 0 })
  expect(outcome({ ...model, quiz: 0.33, known: 0, asked: 200 }, {})).toMatchObject({ right: 1 })
})

test('the example sentences are counted once all of them were completed after the click', () => {
  const { outcome } = stepWithTitle('Likely is not true')
  const ended = { text: 12, done: 1, checked: 5, isTrue: 3, asRead: 3 }
  expect(outcome({ ...ended, checked: 4 }, { text: 7 })).toBeNull()
  expect(outcome({ ...ended, done: 0 }, { text: 7 })).toBeNull()
  // The marks of earlier texts.
  expect(outcome(ended, { text: 8 })).toBeNull()
  // The true sentences have the words of the text, and the false ones have not.
  expect(outcome(ended, { text: 7 })).toMatchObject({
    right: 1,
    text: expect.stringMatching(
      /^3 of 5 sentences are true\. .* has learned each fact only in the words in which it has read it/,
    ) as string,
  })
  expect(outcome({ ...ended, asRead: 2 }, { text: 7 })).toMatchObject({
    right: 1,
    text: expect.not.stringContaining('has learned each fact') as string,
  })
  expect(outcome({ ...ended, isTrue: 5 }, { text: 7 })).toMatchObject({ right: 0 })
})

test('no step writes a text that the visitor has not asked for, or changes the marks of the examples', () => {
  const writes = /"kind":"click","element":"(write|example-\\d)"/
  // The picture of the step about attention needs a short text.
  for (const { setup, requirement } of guide.filter(({ title }) => title !== 'Attention'))
    expect(JSON.stringify([setup, requirement?.action.does])).not.toMatch(writes)
  expect(JSON.stringify(stepWithTitle('Temperature').action.does)).not.toMatch(/"example-\d"/)
})

test('the answers of the quiz are shown once they have arrived', () => {
  const { does } = stepWithTitle('Facts').action
  expect(does.some((action) => action.kind === 'reach' && action.value === 1)).toBe(true)
  // An optional click would skip a button that is not on the page yet.
  expect(JSON.stringify(does)).not.toContain('"optional":true')
})

test('the samples of the included model are in the order of its training, and the text of the step agrees with them', () => {
  expect(includedSamples.map(({ tokens }) => tokens)).toEqual(
    includedSamples.map(({ tokens }) => tokens).toSorted((a, b) => a - b),
  )
  expect(isIncluded(includedSamples.at(-1)!.tokens)).toBe(true)
  expect(isIncluded(includedSamples[0]!.tokens)).toBe(false)
  const { outcome, requirement } = stepWithTitle('From noise to sentences')
  expect(requirement!.isMet({ included: 0 })).toBe(false)
  expect(requirement!.isMet({ included: 1 })).toBe(true)
  expect(outcome({ shownSamples: 1 }, {})).toBeNull()
  expect(outcome({ shownSamples: includedSamples.length }, {})).toMatchObject({ right: 2 })
})

test('attention is answered with the word that gets most of it, in the new text', () => {
  const { outcome } = stepWithTitle('Attention')
  const ended = { text: 9, done: 1, word: 2, share: 0.83 }
  expect(outcome(ended, { text: 9 })).toBeNull()
  expect(outcome({ ...ended, done: 0 }, { text: 8 })).toBeNull()
  // The attention weights of the text have not arrived.
  expect(outcome({ ...ended, word: undefined, share: undefined }, { text: 8 })).toBeNull()
  expect(outcome(ended, { text: 8 })).toMatchObject({
    right: 0,
    text: expect.stringMatching(/83 % of its attention to all tokens of “Japan”/) as string,
  })
  expect(outcome({ ...ended, word: 3 }, { text: 8 })).toMatchObject({ right: 1 })
  expect(outcome({ ...ended, word: 0 }, { text: 8 })).toMatchObject({
    right: 2,
    text: expect.stringContaining('“People”') as string,
  })
})

test('leaving out a word is answered once both texts were completed after the click', () => {
  const { outcome } = stepWithTitle('Without the word')
  const ended = { text: 9, done: 1, same: 0 }
  expect(outcome({ ...ended, done: 0 }, { text: 7 })).toBeNull()
  // The texts of an earlier experiment.
  expect(outcome(ended, { text: 8 })).toBeNull()
  expect(outcome(ended, { text: 7 })).toMatchObject({ right: 1 })
  expect(outcome({ ...ended, same: 1 }, { text: 7 })).toMatchObject({ right: 0 })
})

test('the step about perplexity says what is in progress after the last training token', () => {
  const { progress, running } = guide[1]!
  const at = (now: Values) => [progress!(now, { tokens: 0 }), typeof running === 'function' && running(now)]
  expect(at({ tokens: 32_768, measured: 0 })).toEqual([0.45, 'Training'])
  expect(at({ tokens: 65_536, measured: 0 })).toEqual([0.9, 'Measuring the perplexity'])
  expect(at({ tokens: 65_536, measured: 65_536 })).toEqual([1, 'Finishing the measurement'])
  // Another interval of measurements, whose end is unknown.
  expect(at({ tokens: 9e6, measured: 9e6, earlier: 41e6 })).toEqual([NaN, 'Training'])
})

test('steps about texts hide the settings that they do not explain', () => {
  for (const title of ['Likely is not true', 'Temperature', 'Without the word']) {
    const named = namedBy(
      guide.find((step) => step.title === title)!,
      true,
    )
    for (const id of ['top-k', 'minimum-length', 'trained-model', 'length'])
      expect([title, named]).not.toEqual([title, expect.arrayContaining([id])])
    expect(named.includes('temperature')).toBe(title === 'Temperature')
  }
})
