/** Ranges of steps that charts display. */

/** First and last step. */
export type StepRange = readonly [first: number, last: number]

/** A range that a button displays. */
export interface NamedRange {
  label: 'Learning phase' | 'Common steps' | 'Common time'
  range: StepRange
}

/** Scale of the x axis: positions are linear on the screen. */
export interface StepAxis {
  /** Returns the position of a step on the axis. */
  position(step: number): number
  /** Returns the step at a position. */
  step(position: number): number
}

export const linearAxis: StepAxis = { position: (step) => step, step: (position) => position }

/** Returns a logarithmic axis. `least`: the first step on the axis; smaller steps have the same position. */
export const logarithmicAxis = (least: number): StepAxis => ({
  position: (step) => Math.log(Math.max(least, step)),
  step: Math.exp,
})

/** Minimum number of data points in a range, on average. */
const leastPoints = 4

/**
 * Returns the range of all data points. It begins at step 0 if the first data point is one of the first steps of the run;
 * a run that was opened from a file may begin later.
 */
export function wholeRun(steps: readonly number[]): StepRange {
  const [first = 0, second = Infinity] = steps
  return [first <= 2 * (second - first) ? 0 : first, steps.at(-1) ?? 0]
}

/** Returns the largest number of steps that all runs have reached in their curves. */
export const lastCommonStep = (runs: readonly { curves: { steps: readonly number[] } }[]): number =>
  Math.min(...runs.map(({ curves }) => curves.steps.at(-1) ?? 0))

/**
 * Returns the steps of several runs on one axis, ascending, as a new array. The axis begins at step 0 if it does so for one of
 * the runs.
 */
export function commonSteps(runs: readonly (readonly number[])[]): readonly number[] {
  if (runs.length === 1) return [...runs[0]!]
  const isFromStart = runs.some((steps) => steps.length > 0 && wholeRun(steps)[0] === 0)
  const steps = new Set(runs.flat())
  return [...(isFromStart ? steps.add(0) : steps)].sort((a, b) => a - b)
}

/**
 * Returns the range from `from` to `to`, widened to the minimum and moved into the run; null for the whole run. `steps`:
 * steps of the data points.
 */
export function stepRange(steps: readonly number[], from: number, to: number): StepRange | null {
  const [first, last] = wholeRun(steps)
  const width = Math.max(to - from, (leastPoints * (last - first)) / steps.length)
  if (!(width < 0.999 * (last - first))) return null
  const start = Math.min(last - width, Math.max(first, (from + to - width) / 2))
  return [start, start + width]
}

/** Returns the step at a fraction of the range. */
export function stepAt([first, last]: StepRange, fraction: number, axis = linearAxis): number {
  const [from, to] = [axis.position(first), axis.position(last)]
  return axis.step(from + (to - from) * fraction)
}

/** Returns the displayed range zoomed by a factor; the step at the fraction `at` of the range keeps its place. */
export function zoomed(
  steps: readonly number[],
  shown: StepRange,
  factor: number,
  at: number,
  axis = linearAxis,
): StepRange | null {
  const edge = (fraction: number) => stepAt(shown, at + (fraction - at) / factor, axis)
  return stepRange(steps, edge(0), edge(1))
}

/** Returns the displayed range moved by a fraction of its width, at most to the end of the run. */
export function panned(
  steps: readonly number[],
  shown: StepRange,
  fraction: number,
  axis = linearAxis,
): StepRange | null {
  const [from, to] = shown.map(axis.position) as [number, number]
  const [first, last] = wholeRun(steps).map(axis.position) as [number, number]
  const by = Math.max(Math.min(0, first - from), Math.min(Math.max(0, last - to), (to - from) * fraction))
  return stepRange(steps, axis.step(from + by), axis.step(to + by))
}

/**
 * Formats the ticks of an axis with the minimum number of digits at which all ticks differ. `format` formats a number
 * with `digits` significant digits.
 */
export function tickLabels(
  ticks: readonly number[],
  format: (tick: number, digits: number) => string,
): string[] {
  const labels = (digits: number) => ticks.map((tick) => format(tick, digits))
  const digits = [3, 4].find((digits) => new Set(labels(digits)).size === ticks.length)
  return labels(digits ?? 5)
}
