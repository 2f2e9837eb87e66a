import { describe, expect, test } from 'vitest'
import type { LanguageSample } from '../../../engine/page/session'
import {
  area,
  baselineLabels,
  downsample,
  lossRange,
  nearestSample,
  openedName,
  path,
  scales,
  selectSamples,
  timeAxis,
  wholeAxis,
} from './curve'

const paper = { left: 30, right: 630, top: 10, bottom: 210 }
const sample = (tokens: number): LanguageSample => ({ updates: tokens / 1000, tokens, loss: 3, text: 'a' })

describe('learning curve', () => {
  test('both axes are logarithmic: the loss is the logarithm of the perplexity', () => {
    const { x, y, positionAt, ticks, levels } = scales(paper, wholeAxis(1_000_000), lossRange([], null, 7))
    expect(x(0)).toBe(30)
    expect(x(1_000)).toBe(30)
    expect(x(100_000) - x(10_000)).toBeCloseTo(x(1_000_000) - x(100_000))
    expect(x(1_080_000)).toBeCloseTo(630)
    expect(positionAt(x(54_321))).toBeCloseTo(54_321)
    expect(y(0)).toBe(210)
    expect(y(7)).toBeGreaterThan(10)
    expect(y(1000)).toBe(10)
    expect(ticks.map(Math.round)).toEqual([1_000, 10_000, 100_000, 1_000_000])
    expect(levels).toEqual([1, 10, 100, 1000])
  })

  test('a band is the area between its edges', () => {
    const scale = scales(paper, [1_000, 100_000], [0, 4])
    const edge = (loss: number) => [1_000, 100_000].map((position) => ({ position, loss }))
    expect(area(edge(1), edge(2), scale)).toBe('M30 110L630 110L630 160L30 160Z')
    expect(area(edge(1).slice(1), edge(2).slice(1), scale)).toBe('')
  })

  test('a part of the run has its own labels and the range of its losses', () => {
    const { ticks, levels } = scales(paper, [15_000, 90_000], [2.1, 2.9])
    expect([ticks, levels]).toEqual([
      [20_000, 50_000],
      [10, 15],
    ])
    expect(scales(paper, [21_000, 29_000], [2, 3]).ticks).toEqual([22_000, 24_000, 26_000, 28_000])
    const line = [9, 3, 2, 1].map((loss, i) => ({ position: 10_000 * (i + 1), loss }))
    expect(lossRange([line, []], [20_000, 30_000], 9)).toEqual([1.9, 3.1])
    expect(lossRange([line], [50_000, 60_000], 1)).toEqual([0, 1.06])
  })

  test('over training time, labels are 1 and 10 of each unit, or other numbers of one unit in a part of the run', () => {
    const { x, positionAt, ticks } = scales(paper, wholeAxis(5000, timeAxis), [0, 7], timeAxis)
    expect(ticks).toEqual([1, 10, 60, 600, 3600])
    expect(x(0.2)).toBe(30)
    expect(positionAt(x(54))).toBeCloseTo(54)
    expect(scales(paper, [15, 100], [2, 3], timeAxis).ticks).toEqual([20, 30, 60])
    expect(scales(paper, [41, 49], [2, 3], timeAxis).ticks).toEqual([42, 44, 46, 48])
  })

  test('an empty run has a scale', () => {
    const { x, ticks } = scales(paper, wholeAxis(1), lossRange([], null, 0))
    expect(Number.isFinite(x(1))).toBe(true)
    expect(ticks.length).toBeGreaterThan(0)
  })

  test('downsampling keeps the mean and the newest point', () => {
    const points = Array.from({ length: 4000 }, (_, i) => ({ position: 1000 * (i + 1), loss: i % 2 ? 2 : 4 }))
    const { x } = scales(paper, wholeAxis(4_000_000), lossRange([], null, 7))
    const thin = downsample(points, x, 2)
    expect(thin.length).toBeLessThan(320)
    expect(thin.at(-1)!.position).toBe(4_000_000)
    expect(thin.at(-2)!.loss).toBeCloseTo(3, 1)
    for (let i = 1; i < thin.length - 1; i++) {
      expect(x(thin[i]!.position) - x(thin[i - 1]!.position)).toBeGreaterThanOrEqual(2)
    }
    expect(downsample([{ position: 1, loss: NaN }], x, 2)).toEqual([])
  })

  test('a line goes through its points', () => {
    expect(path([], scales(paper, wholeAxis(1e6), lossRange([], null, 7)))).toBe('')
    expect(
      path(
        [1e4, 1e5].map((position) => ({ position, loss: 3 })),
        scales(paper, wholeAxis(1e6), lossRange([], null, 7)),
      ),
    ).toMatch(/^M[\d. ]+L[\d. ]+$/)
  })

  test('baseline labels do not overlap', () => {
    const { y } = scales(paper, wholeAxis(1e6), lossRange([], null, 7))
    const levels = baselineLabels({ uniform: 6.9, unigram: 6.8, bigram: 6.7, trigram: 2 }, y)
    expect(levels.map(({ loss }) => loss)).toEqual([6.9, 6.8, 6.7, 2])
    for (let i = 1; i < levels.length; i++)
      expect(levels[i]!.label - levels[i - 1]!.label).toBeGreaterThanOrEqual(15)
    expect(
      baselineLabels({ uniform: 6.9, unigram: 6.8, bigram: 2.5, trigram: 1.3 }, y, 15, [
        [openedName, 0.3],
      ]).at(-1),
    ).toMatchObject({
      name: openedName,
      loss: 0.3,
    })
    expect(baselineLabels({ uniform: 6.9, unigram: 5, bigram: NaN, trigram: NaN }, y)).toHaveLength(2)
  })

  test('the sample closest to a gradient step is selected', () => {
    const samples = [0, 2_000, 20_000, 200_000]
    expect(nearestSample(samples, 0)).toBe(0)
    expect(nearestSample(samples, 15_000)).toBe(2)
    expect(nearestSample(samples, 1e9)).toBe(3)
    expect(nearestSample([], 5)).toBeNull()
    expect(nearestSample([0, 30, null, null], 40, timeAxis)).toBe(1)
  })

  test('the selected samples include the first and the newest', () => {
    const samples = Array.from({ length: 60 }, (_, i) => sample(i * 20_000))
    const places = selectSamples(samples, 6)
    expect(places).toHaveLength(6)
    expect(places[0]).toBe(0)
    expect(places.at(-1)).toBe(59)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(selectSamples(samples.slice(0, 3), 6)).toEqual([0, 1, 2])
    expect(selectSamples([], 6)).toEqual([])
  })
})
