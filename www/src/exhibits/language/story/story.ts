/** The course of a run on paper: tokens go by factors, since the first thousand teach as much as the last million. */
import { linePath } from '../../../kit/plot'
import type { LanguageBaselines, LanguageSample } from '../../../engine/page/session'

export interface Point {
  tokens: number
  loss: number
}

/** Where things are on the paper, in pixels. */
export interface Paper {
  left: number
  right: number
  top: number
  bottom: number
}

export interface Scales {
  x(tokens: number): number
  y(loss: number): number
  /** The tokens at a place across. */
  tokensAt(x: number): number
  /** Powers of ten to label. */
  ticks: number[]
  /** Whole nats to label. */
  levels: number[]
}

/** Fewer tokens than these lie at the left edge. */
const fewest = 1_000

/** Scales that hold all of a run; `most` and `worst` are its tokens and its highest loss. */
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

/** Points that lie at least `apart` pixels from each other across; those between them are averaged. */
export function thinned(points: readonly Point[], x: (tokens: number) => number, apart: number): Point[] {
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

/** A line through points, as the path of an SVG. */
export const path = (points: readonly Point[], { x, y }: Scales): string =>
  linePath(points.map(({ tokens, loss }) => ({ x: x(tokens), y: y(loss) })))

export interface Level {
  name: string
  loss: number
  /** Where its name stands. */
  label: number
}

/** What models that only count achieve, the worst first, with names that do not touch each other. */
export function levelsOf(baselines: LanguageBaselines, y: (loss: number) => number, apart = 15): Level[] {
  const named: [string, number][] = [
    ['every token alike', baselines.uniform],
    ['counting tokens', baselines.unigram],
    ['counting pairs', baselines.bigram],
    ['counting threes', baselines.trigram],
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

/** The place of the sample that was written nearest to a time, by factors; null where there is none. */
export function nearest(samples: readonly LanguageSample[], tokens: number): number | null {
  let best: number | null = null
  const far = (i: number) =>
    Math.abs(Math.log(Math.max(fewest, samples[i]!.tokens)) - Math.log(Math.max(fewest, tokens)))
  samples.forEach((_, i) => {
    if (best === null || far(i) <= far(best)) best = i
  })
  return best
}

/** Places of a few samples for the story: the first, the newest, and some between, evenly by factors. */
export function chapters(samples: readonly LanguageSample[], count: number): number[] {
  const last = samples.length - 1
  if (last < 0) return []
  if (samples.length <= count) return samples.map((_, i) => i)
  const end = Math.log(Math.max(fewest, samples[last]!.tokens))
  const begin = Math.log(fewest)
  const chosen = new Set([0, last])
  for (let k = 1; k < count - 1; k++) {
    const at = nearest(samples, Math.exp(begin + ((end - begin) * k) / (count - 1)))
    if (at !== null) chosen.add(at)
  }
  // Where several fall together, the earliest that were left out fill up: then it learns most.
  for (let i = 1; chosen.size < count && i < last; i++) chosen.add(i)
  return [...chosen].sort((a, b) => a - b)
}
