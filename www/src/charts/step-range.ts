/** Ranges of steps that charts display. */

/** First and last step. */
export type StepRange = readonly [first: number, last: number]

/** Minimum number of data points in a range, on average. */
const leastPoints = 4

/** Returns the range of all data points. */
export const wholeRun = (steps: readonly number[]): StepRange => [steps[0] ?? 0, steps.at(-1) ?? 0]

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
export const stepAt = ([first, last]: StepRange, fraction: number): number =>
  first + (last - first) * fraction

/** Returns the range zoomed by a factor; the step at the fraction `at` of the range keeps its place. */
export function zoomed(
  steps: readonly number[],
  range: StepRange | null,
  factor: number,
  at: number,
): StepRange | null {
  const [first, last] = range ?? wholeRun(steps)
  const fixed = stepAt([first, last], at)
  return stepRange(steps, fixed - (fixed - first) / factor, fixed + (last - fixed) / factor)
}

/** Returns the range moved by a fraction of its width. */
export function panned(
  steps: readonly number[],
  range: StepRange | null,
  fraction: number,
): StepRange | null {
  const [first, last] = range ?? wholeRun(steps)
  const by = (last - first) * fraction
  return stepRange(steps, first + by, last + by)
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
