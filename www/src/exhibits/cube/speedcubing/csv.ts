/** Solves in the CSV format of csTimer, which has no column for the turns of a solve. */
import { cutTime, solveText, timeText, type Penalty, type Solve } from './timer'

const header = 'No.;Time;Comment;Scramble;Date;P.1'

/** Writes a date as csTimer does, in local time. */
function dateText(date: number): string {
  const local = new Date(date - new Date(date).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 19).replace('T', ' ')
}

/** Writes a field of a CSV file, in quotation marks if necessary. */
const csvField = (text: string): string => (/[;"\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Writes all solves in the format that csTimer exports, which timers and spreadsheets read. */
export const solvesCsv = (solves: readonly Solve[]): string =>
  [
    header,
    ...solves.map((solve, i) => {
      const date = solve.date === undefined ? '' : dateText(solve.date)
      const { comment = '', scramble = '' } = solve
      return [String(i + 1), solveText(solve), comment, scramble, date, timeText(solve.time)]
        .map(csvField)
        .join(';')
    }),
  ].join('\n')

interface Row {
  /** Number of the first line, from 1. */
  line: number
  fields: string[]
}

/** Divides a CSV text into rows. Fields in quotation marks may have separators and several lines. */
function rowsOf(text: string, separator: string): { rows: Row[]; isClosed: boolean } {
  const rows: Row[] = []
  let [line, field, isQuoted] = [1, '', false]
  let row: Row = { line, fields: [] }
  const endField = () => {
    row.fields.push(field)
    field = ''
  }
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!
    if (character === '\n') line++
    if (isQuoted) {
      if (character !== '"') field += character
      else if (text[i + 1] === '"') field += text[++i]
      else isQuoted = false
    } else if (character === '"' && field === '') isQuoted = true
    else if (character === separator) endField()
    else if (character === '\n') {
      endField()
      rows.push(row)
      row = { line, fields: [] }
    } else if (character !== '\r') field += character
  }
  endField()
  rows.push(row)
  return { rows: rows.filter(({ fields }) => fields.some((text) => text.trim() !== '')), isClosed: !isQuoted }
}

/** Parses a time such as `12.34` or `1:02.34`; null if invalid. */
function readTime(text: string): number | null {
  const parts = /^(?:(?:(\d+):)?(\d+):)?(\d+(?:\.\d+)?)$/.exec(text)
  if (!parts) return null
  const [hours, minutes, seconds] = [parts[1] ?? 0, parts[2] ?? 0, parts[3]].map(Number) as [
    number,
    number,
    number,
  ]
  // Decimal fractions are not exact: 2.01 s must not become 2.00 s.
  return cutTime(Math.round(1000 * (3600 * hours + 60 * minutes + seconds)))
}

/** Parses a result such as `12.34`, `14.34+`, `DNF(12.34)` or `DNF`; null if invalid. */
function readResult(text: string): { time: number; penalty: Penalty } | null {
  const dnf = /^DNF(?:\((.+)\))?$/.exec(text)
  const penalty = dnf ? 'DNF' : text.endsWith('+') ? '+2' : 'none'
  const result = readTime(dnf ? (dnf[1] ?? '0') : text.replace(/\+$/, ''))
  const time = result === null ? NaN : result - (penalty === '+2' ? 2000 : 0)
  return time >= 0 ? { time, penalty } : null
}

/** Parses a local date such as `2026-11-29 01:02:03`; null if invalid. */
function readDate(text: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)$/.exec(text)
  if (!parts) return null
  const [year, month, ...rest] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const date = new Date(year, month - 1, ...rest).getTime()
  return dateText(date) === text.replace('T', ' ') ? date : null
}

/**
 * Reads solves from the CSV format of csTimer, oldest first. The separator is that of the header: a semicolon, a comma or
 * a tab. `errors` name the lines that cannot be read.
 */
export function readSolvesCsv(text: string): { solves: Solve[]; errors: string[] } {
  const content = text.replace(/^\uFEFF/, '')
  const separator = /[;,\t]/.exec(content.split('\n', 1)[0]!)?.[0] ?? ';'
  const { rows, isClosed } = rowsOf(content, separator)
  const names = (rows[0]?.fields ?? []).map((name) => name.trim())
  const solves: Solve[] = []
  const errors: string[] = []
  if (!names.includes('Time'))
    return {
      solves,
      errors: [`Line 1: the column “Time” is missing. A file of csTimer begins with “${header}”.`],
    }
  for (const { line, fields } of rows.slice(1)) {
    const field = (name: string) => fields[names.indexOf(name)]?.trim() ?? ''
    const result = readResult(field('Time'))
    const date = field('Date') === '' ? undefined : readDate(field('Date'))
    if (!result)
      errors.push(`Line ${line}: “${field('Time')}” is not a time such as 12.34, 14.34+ or DNF(12.34).`)
    if (date === null)
      errors.push(`Line ${line}: “${field('Date')}” is not a date such as 2026-11-29 13:05:00.`)
    if (!result || date === null) continue
    const [comment, scramble] = ['Comment', 'Scramble'].map((name) => field(name).replace(/\s*\n\s*/g, ' '))
    solves.push({
      ...result,
      moves: 0,
      ...(date !== undefined && { date }),
      ...(scramble && { scramble }),
      ...(comment && { comment }),
    })
  }
  if (!isClosed) errors.push(`Line ${rows.at(-1)!.line}: a quotation mark is not closed.`)
  return { solves, errors }
}
