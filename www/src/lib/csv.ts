/** Metrics and tables as CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180). */

/** Significant digits of a value: the metrics are computed in single precision, which has no more. */
const digits = 7

/** Columns of a table by name, all of the same length. */
export type Table = Readonly<Record<string, ArrayLike<number | string | null>>>

/** Returns a table with one line per row. */
export function tableCsv(columns: Table): string {
  const names = Object.keys(columns)
  const rows = Array.from({ length: columns[names[0]!]?.length ?? 0 }, (_, row) =>
    names.map((name) => cell(columns[name]![row] ?? null)),
  )
  return lines([names.map(quoted), ...rows])
}

/** Columns of metrics over a shared axis of steps. */
export interface MetricColumns {
  steps: readonly number[]
  columns: Readonly<Record<string, readonly (number | null)[]>>
}

/**
 * Returns a table with one row per step: the column `step`, then one column per metric. Rows of the same step are one
 * row, in which the later value of a metric is kept. A cell is empty if the step has no value, or a value that is not
 * finite. `vivarium export --to csv` follows the same rules, except that it does not round values.
 */
export const metricsCsv = (metrics: MetricColumns): string =>
  table([], Object.keys(metrics.columns), [[[], metrics]])

export interface TableRun {
  name: string
  /** The settings, equal for runs that differ in the seed only. */
  settings: string
  seed: number
  metrics: MetricColumns
}

/** Returns the metrics of several runs as one table, with the columns `run`, `settings` and `seed` before the others. */
export function runsCsv(runs: readonly TableRun[]): string {
  const names = new Set(runs.flatMap(({ metrics }) => Object.keys(metrics.columns)))
  const rows = runs.map(
    ({ name, settings, seed, metrics }) => [[quoted(name), quoted(settings), String(seed)], metrics] as const,
  )
  return table(['run', 'settings', 'seed'], [...names], rows)
}

/** `first`: names of the columns before `step`, whose cells each run has. `names`: the metrics. */
function table(
  first: readonly string[],
  names: readonly string[],
  runs: readonly (readonly [cells: readonly string[], metrics: MetricColumns])[],
): string {
  return lines([
    [...first, 'step', ...names.map(quoted)],
    ...runs.flatMap(([cells, metrics]) =>
      rowsOf(metrics, names).map(({ step, values }) => [...cells, String(step), ...values.map(cell)]),
    ),
  ])
}

const lines = (rows: readonly (readonly string[])[]) => rows.map((cells) => `${cells.join(',')}\r\n`).join('')

/** Returns a value as a cell; numbers that are not finite are empty. */
function cell(value: number | string | null): string {
  if (typeof value === 'string') return quoted(value)
  return value !== null && Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : ''
}

/** Returns the values of the metrics `names` at each step. */
function rowsOf({ steps, columns }: MetricColumns, names: readonly string[]) {
  const rows: { step: number; values: (number | null)[] }[] = []
  for (const [i, step] of steps.entries()) {
    const values = names.map((name) => columns[name]?.[i] ?? null)
    const last = rows.at(-1)
    if (last?.step === step) last.values = values.map((value, k) => value ?? last.values[k]!)
    else rows.push({ step, values })
  }
  return rows
}

/** Returns the text as a cell: in quotation marks if it contains a comma, a quotation mark or a line break. */
function quoted(text: string): string {
  return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
