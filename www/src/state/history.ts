/** Metric history of a run of any length in bounded memory. */
import type { MetricRow } from '../engine/page/session'

/** A history as plain data for a file. */
export interface HistoryData {
  steps: number[]
  columns: Record<string, (number | null)[]>
  stride: number
}

/** Number of values in the means of {@link History.recent}. */
const recentCount = 3

/**
 * Columns by metric name over a shared axis of steps. At capacity, adjacent points are averaged in pairs, and each
 * later point averages twice as many rows, so that the whole run stays at uniform resolution.
 */
export class History {
  readonly steps: number[] = []
  private readonly columns = new Map<string, (number | null)[]>()
  /** Number of metric rows that are averaged to one point. */
  private stride = 1
  private pending: MetricRow[] = []

  constructor(private readonly capacity = 1024) {}

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

  /** Returns the steps of the last value of a metric; undefined if none. */
  lastSteps(name: string): number | undefined {
    return this.steps[this.column(name).findLastIndex((value) => value !== null)]
  }

  push(row: MetricRow): void {
    this.pending.push(row)
    if (this.pending.length < this.stride) return
    this.append(this.pending)
    this.pending = []
    if (this.length >= this.capacity) this.halve()
  }

  /** Drops the rows after `steps`, when a run resumes from an older checkpoint. */
  rewind(steps: number): void {
    this.pending = this.pending.filter((row) => row.steps <= steps)
    let saved = this.length
    while (saved > 0 && this.steps[saved - 1]! > steps) saved--
    this.steps.length = saved
    for (const column of this.columns.values()) column.length = saved
  }

  clear(): void {
    this.load({ steps: [], columns: {}, stride: 1 })
  }

  dump(): HistoryData {
    const columns: HistoryData['columns'] = {}
    for (const [name, column] of this.columns) columns[name] = [...column]
    return { steps: [...this.steps], columns, stride: this.stride }
  }

  /** Replaces the history. Points above the capacity are averaged in pairs. */
  load({ steps, columns, stride }: HistoryData): void {
    this.steps.splice(0, Infinity, ...steps)
    this.columns.clear()
    for (const [name, column] of Object.entries(columns)) this.columns.set(name, [...column])
    this.stride = stride
    this.pending = []
    while (this.length > this.capacity) this.halve()
  }

  private append(rows: readonly MetricRow[]): void {
    this.steps.push(rows.at(-1)!.steps)
    const sums = new Map<string, { sum: number; count: number }>()
    for (const [name, value] of rows.flatMap((row) => row.values)) {
      if (!Number.isFinite(value)) continue
      const at = sums.get(name) ?? { sum: 0, count: 0 }
      sums.set(name, { sum: at.sum + value, count: at.count + 1 })
    }
    for (const name of sums.keys()) {
      if (!this.columns.has(name)) this.columns.set(name, Array(this.length - 1).fill(null))
    }
    for (const [name, column] of this.columns) {
      const at = sums.get(name)
      column.push(at ? at.sum / at.count : null)
    }
  }

  private halve(): void {
    const pairs = Math.floor(this.length / 2)
    for (const column of this.columns.values()) {
      for (let i = 0; i < pairs; i++) column[i] = mean(column[2 * i]!, column[2 * i + 1]!)
      column.length = pairs
    }
    for (let i = 0; i < pairs; i++) this.steps[i] = this.steps[2 * i + 1]!
    this.steps.length = pairs
    this.stride *= 2
  }
}

function mean(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : (a + b) / 2
}
