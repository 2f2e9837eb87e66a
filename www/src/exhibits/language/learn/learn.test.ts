import { describe, expect, it } from 'vitest'
import { entropy, softmax } from '../../../lib/softmax'
import { attend, sentence } from './attention-head'
import { encode, learnMerges } from './byte-pairs'
import { crossEntropy, gradientStep, logitGradient } from './gradient-step'
import { head, layerNorm, parts, prediction, streamOf } from './residual-stream'
import { drawIndex, samplingProbabilities } from './sampling'

describe('softmax', () => {
  it('is a distribution, and independent of a constant', () => {
    const p = softmax([Math.log(1), Math.log(2), Math.log(5)])
    ;[0.125, 0.25, 0.625].forEach((expected, i) => expect(p[i]).toBeCloseTo(expected))
    expect(softmax([1000, 1000])).toEqual([0.5, 0.5])
    expect(softmax([0, -Infinity])).toEqual([1, 0])
    expect(entropy([0.25, 0.25, 0.25, 0.25])).toBeCloseTo(Math.log(4))
    expect(entropy([1, 0])).toBeCloseTo(0)
  })
})

describe('a gradient step on one prediction', () => {
  const logits = [1, -0.5, 2, 0.3]

  it('has the gradient of finite differences', () => {
    const gradient = logitGradient(logits, 1)
    for (let i = 0; i < logits.length; i++) {
      const at = (by: number) =>
        crossEntropy(
          logits.map((z, j) => (i === j ? z + by : z)),
          1,
        )
      expect(gradient[i]).toBeCloseTo((at(1e-5) - at(-1e-5)) / 2e-5, 6)
    }
    expect(gradient.reduce((a, b) => a + b, 0)).toBeCloseTo(0)
  })

  it('lowers the loss of the token that followed, and converges to certainty', () => {
    let now = logits
    for (let step = 0; step < 300; step++) {
      const after = gradientStep(now, 1, 0.5)
      expect(crossEntropy(after, 1)).toBeLessThan(crossEntropy(now, 1))
      now = after
    }
    expect(softmax(now)[1]).toBeGreaterThan(0.97)
  })
})

describe('byte-pair encoding', () => {
  const text = 'low lower lowest'

  it('merges the most frequent pair first, within words', () => {
    const merges = learnMerges(text, 9)
    expect(merges[0]).toEqual({ pair: ['l', 'o'], count: 3 })
    expect(merges[1]).toEqual({ pair: ['lo', 'w'], count: 3 })
    expect(encode(text, [])).toEqual([...text])
    expect(encode('lowest low', merges.slice(0, 2))).toEqual(['low', 'e', 's', 't', ' ', 'low'])
    expect(merges.every(({ count }) => count >= 2)).toBe(true)
  })

  it('keeps the text', () => {
    const merges = learnMerges('the cat and the hat and the mat', 40)
    for (let n = 0; n <= merges.length; n++)
      expect(encode('that hat there', merges.slice(0, n)).join('')).toBe('that hat there')
  })
})

describe('an attention head', () => {
  it('computes weights over the token and the tokens before it', () => {
    for (let row = 0; row < sentence.length; row++) {
      const { weights, output } = attend(sentence, row)
      expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1)
      expect(weights.slice(row + 1).every((weight) => weight === 0)).toBe(true)
      expect(output).toHaveLength(3)
    }
    expect(attend(sentence, 0, { causal: false }).weights[7]).toBeGreaterThan(0)
  })

  it('looks from “it” to “cat”', () => {
    const row = sentence.findIndex(({ text }) => text === ' it')
    const { scores, weights, output } = attend(sentence, row)
    expect(scores[1]).toBeCloseTo((3 * 3 + 1) / Math.sqrt(3))
    expect(weights.indexOf(Math.max(...weights))).toBe(1)
    expect(weights[1]).toBeGreaterThan(0.8)
    expect(output[0]).toBeGreaterThan(0.8)
    const flat = attend(sentence, row, { scale: 0 }).weights
    expect(flat.slice(0, row + 1).every((weight) => Math.abs(weight - 1 / (row + 1)) < 1e-9)).toBe(true)
  })
})

describe('the residual stream', () => {
  const on = (count: number) => parts.map((_, i) => i < count)

  it('is the sum of its parts, and the head reads it after normalization', () => {
    expect(streamOf(parts, on(0))).toEqual([0, 0, 0, 0])
    expect(streamOf(parts, on(2))[0]).toBeCloseTo(1.2)
    const normal = layerNorm([1, 2, 3, 6])
    expect(normal.reduce((a, b) => a + b, 0)).toBeCloseTo(0)
    expect(normal.reduce((a, b) => a + b * b, 0) / 4).toBeCloseTo(1, 4)
  })

  it('moves from words that follow “is” to a capital, to the capital of France', () => {
    const best = (count: number) => {
      const p = prediction(streamOf(parts, on(count)))
      return head[p.indexOf(Math.max(...p))]!.text
    }
    expect([2, 4, 5, 6].map(best)).toEqual([' a', ' Lyon', ' Paris', ' Paris'])
    const paris = (count: number) => prediction(streamOf(parts, on(count)))[2]!
    expect(paris(6)).toBeGreaterThan(0.5)
  })
})

describe('sampling', () => {
  const logits = [1, 4, 3, 2].map(Math.log)

  it('has the probabilities of the crate', () => {
    const cases = [
      [1, 0, [0.1, 0.4, 0.3, 0.2]],
      [1, 2, [0, 4 / 7, 3 / 7, 0]],
      [0.5, 0, [1 / 30, 16 / 30, 9 / 30, 4 / 30]],
      [0, 0, [0, 1, 0, 0]],
    ] as const
    for (const [temperature, topK, expected] of cases)
      samplingProbabilities(logits, temperature, topK).forEach((p, i) => expect(p).toBeCloseTo(expected[i]!))
  })

  it('draws each token with its probability', () => {
    const p = [0.1, 0, 0.4, 0.5]
    const draws = Array.from({ length: 1000 }, (_, i) => drawIndex(p, (i + 0.5) / 1000))
    expect(p.map((_, token) => draws.filter((drawn) => drawn === token).length)).toEqual([100, 0, 400, 500])
    expect(drawIndex([0.5, 0.5 - 1e-12, 0], 1 - 1e-13)).toBe(1)
  })
})
