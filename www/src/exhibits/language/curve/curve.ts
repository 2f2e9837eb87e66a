/** Scales, lines and labels of the learning curve, with a logarithmic token axis. */
import { linePath } from '../../../kit/plot'
import type { LanguageBaselines, LanguageSample } from '../../../engine/page/session'

export interface Point {
  tokens: number
  loss: number
}

/** Edges of the plotted area in pixels. */
export interface Paper {
  left: number
  right: number
  top: number
  bottom: number
}

export interface Scales {
  x(tokens: number): number
  y(loss: number): number
  /** Returns the number of tokens at a horizontal position. */
  tokensAt(x: number): number
  /** Labels of the token axis: powers of ten. */
  ticks: number[]
  /** Labels of the loss axis, in nats per token. */
  levels: number[]
}

/** Lower end of the token axis, in tokens. */
const fewest = 1_000

/** Returns scales for up to `most` tokens and a loss of up to `worst`. */
export function scales(paper: Paper, most: number, worst: number): Scales {
  const [low, high] = [Math.log10(fewest), Math.log10(Math.max(10 * fewest, most * 1.08))]
  const ceiling = Math.max(1, worst) * 1.06
  const width = paper.right - paper.left
  const height = paper.bottom - paper.top
  const step = ceiling > 6 ? 2 : 1
  return {
    x: (tokens) => paper.left + (width * (Math.log10(Math.max(fewest, tokens)) - low)) / (high - low),
    y: (loss) => paper.bottom - (height * Math.max(0, Math.min(ceiling, loss))) / ceiling,
    tokensAt: (x) => 10 ** (low + ((high - low) * (x - paper.left)) / width),
    ticks: Array.from({ length: Math.floor(high) - low + 1 }, (_, i) => 10 ** (low + i)),
    levels: Array.from({ length: Math.floor(ceiling / step) + 1 }, (_, i) => i * step),
  }
}

/** Averages points until they are at least `apart` pixels apart horizontally. */
export function downsample(points: readonly Point[], x: (tokens: number) => number, apart: number): Point[] {
  const thin: Point[] = []
  let [sum, count] = [0, 0]
  for (const [i, { tokens, loss }] of points.entries()) {
    if (!Number.isFinite(loss)) continue
    sum += loss
    count++
    const last = thin.at(-1)
    if (last && i < points.length - 1 && x(tokens) - x(last.tokens) < apart) continue
    thin.push({ tokens, loss: sum / count })
    sum = count = 0
  }
  return thin
}

/** Returns the SVG path of a line through points. */
export const path = (points: readonly Point[], { x, y }: Scales): string =>
  linePath(points.map(({ tokens, loss }) => ({ x: x(tokens), y: y(loss) })))

export interface Level {
  name: string
  loss: number
  /** Vertical position of the label, in pixels. */
  label: number
}

/** Returns the baselines in descending order of loss, with labels at least `apart` pixels from each other. */
export function baselineLabels(
  baselines: LanguageBaselines,
  y: (loss: number) => number,
  apart = 15,
): Level[] {
  const named: [string, number][] = [
    ['uniform', baselines.uniform],
    ['unigram', baselines.unigram],
    ['bigram', baselines.bigram],
    ['trigram', baselines.trigram],
  ]
  let last = -Infinity
  return named
    .filter(([, loss]) => Number.isFinite(loss))
    .sort((a, b) => b[1] - a[1])
    .map(([name, loss]) => {
      last = Math.max(y(loss) - 5, last + apart)
      return { name, loss, label: last }
    })
}

/** Returns the index of the sample nearest to a number of tokens on the logarithmic scale; null without samples. */
export function nearestSample(samples: readonly LanguageSample[], tokens: number): number | null {
  let best: number | null = null
  const far = (i: number) =>
    Math.abs(Math.log(Math.max(fewest, samples[i]!.tokens)) - Math.log(Math.max(fewest, tokens)))
  samples.forEach((_, i) => {
    if (best === null || far(i) <= far(best)) best = i
  })
  return best
}

/** Indices of up to `count` samples: first, newest, and some between them at equal logarithmic distances. */
export function selectSamples(samples: readonly LanguageSample[], count: number): number[] {
  const last = samples.length - 1
  if (last < 0) return []
  if (samples.length <= count) return samples.map((_, i) => i)
  const end = Math.log(Math.max(fewest, samples[last]!.tokens))
  const begin = Math.log(fewest)
  const chosen = new Set([0, last])
  for (let k = 1; k < count - 1; k++) {
    const at = nearestSample(samples, Math.exp(begin + ((end - begin) * k) / (count - 1)))
    if (at !== null) chosen.add(at)
  }
  // Duplicates are replaced by the earliest other samples.
  for (let i = 1; chosen.size < count && i < last; i++) chosen.add(i)
  return [...chosen].sort((a, b) => a - b)
}
