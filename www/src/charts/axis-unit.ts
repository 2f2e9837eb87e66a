/** Units of the horizontal axis of charts: distances of ticks, labels, and positions in words. */
import { duration, number, short } from '../lib/format'
import { tickLabels } from './step-range'

export interface AxisUnit {
  /** Distances of ticks to select from, ascending; null for 1, 2 and 5 times the powers of ten. */
  increments: readonly number[] | null
  /** Returns the title of the axis. */
  title(ticks: readonly number[]): string
  /** Returns labels for an axis with a title. */
  titledLabels(ticks: readonly number[]): string[]
  /** Returns labels for an axis without a title. */
  labels(ticks: readonly number[]): string[]
  /** Returns a range in words. */
  range(first: number, last: number): string
}

/** Returns the unit of an axis of steps. `name`: such as “epochs”; `steps` means environment steps. */
export function stepUnit(name: string): AxisUnit {
  const labels = (ticks: readonly number[], zero: string) =>
    tickLabels(ticks, (tick, digits) => (tick === 0 ? zero : short(tick, 7, digits)))
  return {
    increments: null,
    title: () => (name === 'steps' ? 'Environment steps' : name.slice(0, 1).toUpperCase() + name.slice(1)),
    titledLabels: (ticks) => labels(ticks, '0'),
    labels: (ticks) => labels(ticks, `0 ${name}`),
    range: (first, last) => `${number(first, 0)} to ${number(last, 0)} ${name}`,
  }
}

const minute = 60
const hour = 60 * minute

/** Returns name and length, in seconds, of the largest unit in which all ticks are whole numbers, or else seconds. */
function timeUnitOf(ticks: readonly number[]): readonly [name: string, seconds: number] {
  const isWhole = (seconds: number) =>
    ticks.every((tick) => Math.abs(tick / seconds - Math.round(tick / seconds)) < 1e-6)
  if (!ticks.some((tick) => tick > 0)) return ['s', 1]
  return isWhole(hour) ? ['h', hour] : isWhole(minute) ? ['min', minute] : ['s', 1]
}

/** Returns the multiples of a tick's unit, without rounding errors. */
function timeNumbers(ticks: readonly number[]): string[] {
  const [, seconds] = timeUnitOf(ticks)
  return ticks.map((tick) => String(Number((tick / seconds).toPrecision(9))))
}

/** Unit of an axis of training time in seconds. */
export const timeUnit: AxisUnit = {
  increments: [
    ...[0.01, 0.1, 1].flatMap((power) => [power, 2 * power, 5 * power]),
    ...[10, 20, 30, minute, 2 * minute, 5 * minute, 10 * minute, 20 * minute, 30 * minute],
    ...[1, 10, 100, 1000].flatMap((power) => [power * hour, 2 * power * hour, 5 * power * hour]),
  ],
  title: (ticks) => `Training time (${timeUnitOf(ticks)[0]})`,
  titledLabels: timeNumbers,
  labels: (ticks) => timeNumbers(ticks).map((text) => `${text}\u00a0${timeUnitOf(ticks)[0]}`),
  range: (first, last) => `${duration(first)} to ${duration(last)} of training`,
}
