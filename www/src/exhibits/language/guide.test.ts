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
