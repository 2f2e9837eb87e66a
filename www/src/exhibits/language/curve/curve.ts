/** Scales, lines and labels of the learning curve: perplexity over tokens or training time, on logarithmic axes. */
import { timeUnit } from '../../../charts/axis-unit'
import { logarithmicAxis, type StepAxis, type StepRange } from '../../../charts/step-range'
import { areaPath, linePath, type PlotPoint } from '../../../kit/plot'
import type { LanguageBaselines, LanguageSample } from '../../../engine/page/session'

export interface Point {
  /** Position on the x axis: tokens, or seconds of training. */
  position: number
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
  x(position: number): number
  y(loss: number): number
  /** Returns the position on the x axis at a horizontal position in pixels. */
  positionAt(x: number): number
  /** Labels of the x axis. */
  ticks: number[]
  /** Labels of the perplexity axis, in tokens. */
  levels: number[]
}

/** Logarithmic x axis. */
export interface CurveAxis extends StepAxis {
  /** Lower end. */
  least: number
  ticks(low: number, high: number): number[]
}

/** Lower end of the token axis, in tokens. */
const fewest = 1_000

export const tokenAxis: CurveAxis = {
  ...logarithmicAxis(fewest),
  least: fewest,
  ticks: (low, high) => logarithmicTicks(low, high),
}

/** Axis of training time in seconds. */
export const timeAxis: CurveAxis = {
  ...logarithmicAxis(1),
  least: 1,
  ticks(low, high) {
    const within = timeUnit.increments!.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001)
    // 1 and 10 of each unit.
    const few = within.filter((tick) => /^10*\D/.test(timeUnit.labels([tick])[0]!))
    return few.length > 1
      ? few
      : within.length > 1
        ? within
        : multiples(niceStep((high - low) / 4), low, high)
  },
}

/** Returns the range of the x axis for a run whose last position is `most`. */
export const wholeAxis = (most: number, { least } = tokenAxis): StepRange => [
  least,
  Math.max(10 * least, most * 1.08),
]

/** Returns the smallest of 1, 2, 5, 10, … times a power of ten that is at least `least`. */
function niceStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * [1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9))!
}

/** Returns the multiples of `step` from `low` to `high`. */
function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step - 1e-9)
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1)
  return Array.from({ length: count }, (_, i) => Number(((first + i) * step).toPrecision(12)))
}

/** Returns labels of a logarithmic axis: powers of ten; in a small range also 2 and 5 times these, or equal steps. */
function logarithmicTicks(low: number, high: number): number[] {
  const powers = multiples(1, Math.floor(Math.log10(low)), Math.log10(high)).map((power) => 10 ** power)
  const within = (ticks: number[]) => ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001)
  const tens = within(powers)
  if (tens.length > 1) return tens
  const parts = within(powers.flatMap((power) => [power, 2 * power, 5 * power]))
  return parts.length > 1 ? parts : multiples(niceStep((high - low) / 4), low, high)
}

/** Returns scales for a range of the x axis and a range of losses in nats per token, which are logarithms of perplexities. */
export function scales(
  paper: Paper,
  [first, last]: StepRange,
  [floor, ceiling]: readonly [low: number, high: number],
  axis = tokenAxis,
): Scales {
  const low = Math.max(axis.least, first)
  const high = Math.max(low * 1.001, last)
  const [start, end] = [low, high].map(axis.position) as [number, number]
  const width = paper.right - paper.left
  const height = paper.bottom - paper.top
  return {
    x: (position) => paper.left + (width * (axis.position(position) - start)) / (end - start),
    y: (loss) =>
      paper.bottom - (height * (Math.max(floor, Math.min(ceiling, loss)) - floor)) / (ceiling - floor),
    positionAt: (x) => axis.step(start + ((end - start) * (x - paper.left)) / width),
    ticks: axis.ticks(low, high),
    levels: logarithmicTicks(Math.exp(floor), Math.exp(ceiling)),
  }
}

/**
 * Returns the range of the loss axis: from 0 to the worst loss for the whole run, otherwise the losses in the displayed part.
 * `lines`: the drawn lines.
 */
export function lossRange(
  lines: readonly (readonly Point[])[],
  visible: StepRange | null,
  worst: number,
): readonly [low: number, high: number] {
  const whole = [0, Math.max(1, worst) * 1.06] as const
  if (!visible) return whole
  const inside = lines.flatMap((line) =>
    line.filter(({ position }) => position >= visible[0] && position <= visible[1]).map(({ loss }) => loss),
  )
  if (inside.length === 0) return whole
  const [low, high] = [Math.min(...inside), Math.max(...inside)]
  const room = Math.max(0.02, (high - low) * 0.1)
  return [Math.max(0, low - room), high + room]
}

/** Averages points until they are at least `apart` pixels apart horizontally. */
export function downsample(
  points: readonly Point[],
  x: (position: number) => number,
  apart: number,
): Point[] {
  const thin: Point[] = []
  let [sum, count] = [0, 0]
  for (const [i, { position, loss }] of points.entries()) {
    if (!Number.isFinite(loss)) continue
    sum += loss
    count++
    const last = thin.at(-1)
    if (last && i < points.length - 1 && x(position) - x(last.position) < apart) continue
    thin.push({ position, loss: sum / count })
    sum = count = 0
  }
  return thin
}

/** Returns the SVG path of a line through points. */
export const path = (points: readonly Point[], scale: Scales): string => linePath(placed(points, scale))

/** Returns the SVG path of the area between two lines. */
export const area = (low: readonly Point[], high: readonly Point[], scale: Scales): string =>
  areaPath(placed(low, scale), placed(high, scale))

const placed = (points: readonly Point[], { x, y }: Scales): PlotPoint[] =>
  points.map(({ position, loss }) => ({ x: x(position), y: y(loss) }))

export interface Level {
  name: string
  loss: number
  /** Vertical position of the label, in pixels. */
  label: number
}

/** Plain names of the baselines. The help names the models. */
const baselineNames = {
  uniform: 'guesses blindly',
  unigram: 'counts single tokens',
  bigram: 'counts pairs',
  trigram: 'counts triples',
} as const satisfies Record<keyof LanguageBaselines, string>

/** Names of the model of an opened file before this run, and of the model of this run. */
export const openedName = 'trained before'
export const ownName = 'this model'

/**
 * Returns the baselines in descending order of loss, with labels at least `apart` pixels from each other. `models`:
 * further models, with their names.
 */
export function baselineLabels(
  baselines: LanguageBaselines,
  y: (loss: number) => number,
  apart = 15,
  models: readonly (readonly [name: string, loss: number])[] = [],
): Level[] {
  const named: (readonly [name: string, loss: number])[] = (
    Object.keys(baselineNames) as (keyof LanguageBaselines)[]
  ).map((model) => [baselineNames[model], baselines[model]])
  let last = -Infinity
  return [...named, ...models]
    .filter(([, loss]) => Number.isFinite(loss))
    .sort((a, b) => b[1] - a[1])
    .map(([name, loss]) => {
      last = Math.max(y(loss) - 5, last + apart)
      return { name, loss, label: last }
    })
}

/** Returns the index of the sample nearest to a position on the x axis; null without samples. `positions`: positions of all samples. */
export function nearestSample(
  positions: readonly (number | null)[],
  position: number,
  axis = tokenAxis,
): number | null {
  let [best, least]: [number | null, number] = [null, Infinity]
  for (const [i, own] of positions.entries()) {
    if (own === null) continue
    const distance = Math.abs(axis.position(own) - axis.position(position))
    if (distance <= least) [best, least] = [i, distance]
  }
  return best
}

/** Indices of up to `count` samples: first, newest, and some between them at equal logarithmic distances. */
export function selectSamples(samples: readonly LanguageSample[], count: number): number[] {
  const last = samples.length - 1
  if (last < 0) return []
  if (samples.length <= count) return samples.map((_, i) => i)
  const tokens = samples.map(({ tokens }) => tokens)
  const end = Math.log(Math.max(fewest, tokens[last]!))
  const begin = Math.log(fewest)
  const chosen = new Set([0, last])
  for (let k = 1; k < count - 1; k++) {
    const at = nearestSample(tokens, Math.exp(begin + ((end - begin) * k) / (count - 1)))
    if (at !== null) chosen.add(at)
  }
  // Duplicates are replaced by the earliest other samples.
  for (let i = 1; chosen.size < count && i < last; i++) chosen.add(i)
  return [...chosen].sort((a, b) => a - b)
}
