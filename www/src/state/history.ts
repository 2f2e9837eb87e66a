/** Metric history of a run of any length in bounded memory. */
import type { MetricRow } from '../engine/page/session'

/** A history as plain data for a file. */
export interface HistoryData {
  steps: number[]
  columns: Record<string, (number | null)[]>
}

/** A value of a metric, and the steps of the run at it. */
export interface Point {
  steps: number
  value: number
}

/** Number of values in the means of {@link History.recent}. */
const recentCount = 3

/** Training time in seconds, without pauses; the name of its column in the metrics of the native program. */
export const elapsed = 'elapsed'

/**
 * Columns by metric name over a shared axis of steps. Rows are averaged to one point until the point spans 1/`resolution` of the
 * steps of the run: the early rows of a run stay as they are, and the number of points grows with the logarithm of its steps.
 * Steps and training time of a point are those of its last row.
 */
export class History {
  readonly steps: number[] = []
  private readonly columns = new Map<string, (number | null)[]>()
  /** Sums of the rows of the last point by metric name; null if the last point is complete. */
  private sums: Map<string, { sum: number; count: number }> | null = null

  constructor(private readonly resolution = 256) {}

  get length(): number {
    return this.steps.length
  }

  column(name: string): (number | null)[] {
    return this.columns.get(name) ?? this.steps.map(() => null)
  }

  /** Returns the mean of the last three values of each metric that has as many: matches and evaluations are noisy. */
  recent(): Record<string, number> {
    const means: Record<string, number> = {}
    for (const [name, column] of this.columns) {
      let [sum, count] = [0, 0]
      for (let i = column.length - 1; i >= 0 && count < recentCount; i--) {
        const value = column[i] ?? null
        if (value === null) continue
        sum += value
        count++
      }
      if (count === recentCount) means[name] = sum / recentCount
    }
    return means
  }

  /** Returns the first value of a metric; undefined if none. */
  first(name: string): number | undefined {
    return this.column(name).find((value) => value !== null) ?? undefined
  }

  /** Returns the first point of a metric that a test accepts; undefined if none. */
  find(name: string, accepts: (point: Point) => boolean): Point | undefined {
    for (const [i, value] of (this.columns.get(name) ?? []).entries()) {
      const point = value === null ? null : { steps: this.steps[i]!, value }
      if (point && accepts(point)) return point
    }
    return undefined
  }

  /** Returns the steps of the last value of a metric; undefined if none. */
  lastSteps(name: string): number | undefined {
    return this.steps[this.column(name).findLastIndex((value) => value !== null)]
  }

  push({ steps, values }: MetricRow): void {
    const last = this.steps.at(-1)
    const continues = last !== undefined && (steps <= last || !this.spansItsShare())
    if (!this.sums || !continues) {
      this.sums = new Map()
      for (const column of this.columns.values()) column.push(null)
      this.steps.push(steps)
    } else this.steps[this.length - 1] = Math.max(last, steps)
    for (const [name, value] of values) {
      if (!Number.isFinite(value)) continue
      const { sum, count } = this.sums.get(name) ?? { sum: 0, count: 0 }
      this.sums.set(name, { sum: sum + value, count: count + 1 })
      if (!this.columns.has(name)) this.columns.set(name, Array(this.length).fill(null))
      this.columns.get(name)![this.length - 1] = name === elapsed ? value : (sum + value) / (count + 1)
    }
  }

  /** Drops the points after `steps`, when a run resumes from an older checkpoint. */
  rewind(steps: number): void {
    let saved = this.length
    while (saved > 0 && this.steps[saved - 1]! > steps) saved--
    if (saved === this.length) return
    this.sums = null
    this.steps.length = saved
    for (const column of this.columns.values()) column.length = saved
  }

  clear(): void {
    this.sums = null
    this.steps.length = 0
    this.columns.clear()
  }

  dump(): HistoryData {
    const columns: HistoryData['columns'] = {}
    for (const [name, column] of this.columns) columns[name] = [...column]
    return { steps: [...this.steps], columns }
  }

  /** Replaces the history by the points of another one, which are averaged if their resolution is higher. */
  load({ steps, columns }: HistoryData): void {
    this.clear()
    const entries = Object.entries(columns)
    for (const [i, step] of steps.entries()) {
      const values = entries.map(([name, column]): [string, number] => [name, column[i] ?? NaN])
      this.push({ steps: step, values })
    }
  }

  /** Returns whether the last point spans its share of the steps of the run. */
  private spansItsShare(): boolean {
    const [before, last] = [this.steps.at(-2) ?? 0, this.steps.at(-1)!]
    return last - before >= last / this.resolution
  }
}
