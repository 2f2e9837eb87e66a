import { expect, test } from 'vitest'
import { guide } from './guide'

test('the model is compared with the bigram model, whose loss is reached soon', () => {
  const { outcome, isFinal } = guide[2]!
  const lines = { bigram: 2.52, trigram: 1.33 }
  const early = { ...lines, held: 4.35, measured: 131_072, tokens: 150_000, recent: 2.9 }
  expect(outcome(early, {})).toMatch(/^Counting is still better\. .* 4\.35 .* 2\.90 of 2\.52\.$/)
  expect(isFinal?.(early, {})).toBe(false)
  const late = { ...lines, held: 2.4, measured: 262_144, tokens: 300_000 }
  expect(outcome(late, { held: 4.35 })).toMatchObject({ right: 0 })
  expect(outcome(late, { held: 4.35 })).toMatchObject({
    text: expect.stringMatching(/because it uses more .* Counting triples \(1\.33\) is harder/) as string,
  })
  expect(isFinal?.(late, {})).toBe(true)
  expect(outcome({ ...early, tokens: 600_000 }, {})).toMatchObject({ right: 1 })
  // The model was better before the click, after more tokens than the question names.
  const trained = { ...lines, held: 0.4, earlier: 10e6, measured: 0 }
  expect(outcome(trained, { held: 0.4 })).toMatch(/also beats counting triples/)
})

test('the first step answers its question after little training only', () => {
  const { outcome, keepsAnswer } = guide[0]!
  const text = { text: 2, length: 40, unigram: 5.62, bigram: 2.52 }
  expect(outcome({ ...text, tokens: 4_096, loss: 6.9 }, { text: -1, tokens: 0 })).toMatchObject({ right: 0 })
  expect(outcome({ ...text, tokens: 160_000, loss: 4.1 }, { text: 1, tokens: 154_000 })).toMatch(
    /^After more training, the text consists of common words/,
  )
  expect(keepsAnswer).toBe(true)
})

test('a model that knows a topic has learned facts, whatever its result of the whole quiz', () => {
  const { outcome } = guide.find(({ title }) => title === 'Facts')!
  const model = { held: 0.28, topics: 13, earlier: 41e6, tokens: 4_096 }
  expect(outcome({ ...model, quiz: 0.42, known: 1, asked: 200 }, {})).toMatchObject({
    right: 1,
    text: expect.stringMatching(/42 % .* about 1 of 13 topics\. Many .* wrong facts/) as string,
  })
  expect(outcome({ ...model, quiz: 0.3, known: 1, asked: 50 }, {})).toMatchObject({ right: 1 })
  expect(outcome({ ...model, quiz: 0.3, known: 0, asked: 50 }, {})).toMatchObject({ right: 0 })
  // The range of guessing is smaller with more questions.
  expect(outcome({ ...model, quiz: 0.33, known: 0, asked: 50 }, {})).toMatchObject({ right: 0 })
  expect(outcome({ ...model, quiz: 0.33, known: 0, asked: 200 }, {})).toMatchObject({ right: 1 })
})
