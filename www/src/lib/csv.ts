/** Metrics as CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180). */

/** Columns of metrics over a shared axis of steps. */
export interface MetricColumns {
  steps: readonly number[]
  columns: Readonly<Record<string, readonly (number | null)[]>>
}

/**
 * Returns a table with one row per step: the column `step`, then one column per metric. Rows of the same step are one
 * row, in which the later value of a metric is kept. A cell is empty if the step has no value, or a value that is not
 * finite. `vivarium export --to csv` follows the same rules.
 */
export function metricsCsv({ steps, columns }: MetricColumns): string {
  const names = Object.keys(columns)
  const rows: { step: number; values: (number | null)[] }[] = []
  for (const [i, step] of steps.entries()) {
    const values = names.map((name) => columns[name]![i] ?? null)
    const last = rows.at(-1)
    if (last?.step === step) last.values = values.map((value, k) => value ?? last.values[k]!)
    else rows.push({ step, values })
  }
  const cell = (value: number | null) => (value !== null && Number.isFinite(value) ? String(value) : '')
  const lines = [
    ['step', ...names.map(quoted)],
    ...rows.map(({ step, values }) => [String(step), ...values.map(cell)]),
  ]
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('')
}

/** Returns the text as a cell: in quotation marks if it contains a comma, a quotation mark or a line break. */
function quoted(text: string): string {
  return /[,"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
