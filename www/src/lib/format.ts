/** Formatting of numbers, durations and sizes. */

const MINUS = '−'
/** Space at which no line breaks, between a number and its unit or suffix. */
const NBSP = '\u00a0'

/** Formats a number with `digits` decimals, grouped thousands and a true minus sign. */
export function number(value: number, digits = 1): string {
  if (!Number.isFinite(value)) return '–'
  const text = Math.abs(value).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  return value < 0 && /[1-9]/.test(text) ? MINUS + text : text
}

const scales = [
  ['G', 1e9],
  ['M', 1e6],
  ['k', 1e3],
] as const

/** Formats a number with three significant digits and k, M or G: `412 k`, `1.20 M`. */
export function compact(value: number): string {
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  for (const [unit, scale] of scales) {
    // From 999.5, the number would round to four digits in the next lower unit.
    if (size >= scale * 0.9995) return `${number(value / scale, digitsFor(size / scale))}${NBSP}${unit}`
  }
  return number(value, Number.isInteger(value) ? 0 : digitsFor(size))
}

function digitsFor(size: number): number {
  return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2
}

/** Formats a number briefly, in at most about `room` characters and `digits` significant digits; small numbers become `5e−5`. */
export function short(value: number, room = 7, digits = 3): string {
  if (value === 0) return '0'
  if (!Number.isFinite(value)) return '–'
  const size = Math.abs(value)
  for (const [unit, scale] of scales) {
    if (size >= Math.max(10_000, scale))
      return short(Number((value / scale).toPrecision(digits)), room, digits) + unit
  }
  const plain = String(Number(size.toPrecision(size < 0.001 ? 2 : digits)))
  const text = size < 0.001 && (size < 1e-5 || plain.length > room) ? powerOfTen(size) : plain
  return value < 0 ? MINUS + text : text
}

function powerOfTen(size: number): string {
  const [factor, exponent] = size.toExponential(1).split('e')
  return `${Number(factor)}e${exponent!.replace('-', MINUS)}`
}

/** Formats a duration: `4.2 s`, `3 min 05 s`, `1 h 12 min`. */
export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–'
  if (seconds < 60) return `${number(seconds, seconds < 10 ? 1 : 0)}${NBSP}s`
  const s = Math.round(seconds)
  if (s < 3600) return `${Math.floor(s / 60)}${NBSP}min ${String(s % 60).padStart(2, '0')}${NBSP}s`
  return `${Math.floor(s / 3600)}${NBSP}h ${String(Math.floor((s % 3600) / 60)).padStart(2, '0')}${NBSP}min`
}

/** Appends the unit, if any, in the same line. */
export function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text}${NBSP}${unit}`
}

/** Formats a size in bytes: `12 KB`, `1.4 MB`, `2.1 GB`. */
export function bytes(size: number): string {
  if (size >= 1e9) return `${number(size / 1e9, 1)}${NBSP}GB`
  return size < 1e6 ? `${number(Math.max(1, size / 1e3), 0)}${NBSP}KB` : `${number(size / 1e6, 1)}${NBSP}MB`
}

const times = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/**
 * Formats the time since `when` (milliseconds since 1970): `just now`, `9 seconds ago`, `yesterday`; after a month the
 * date.
 */
export function ago(when: number, now = Date.now()): string {
  const seconds = (now - when) / 1000
  if (seconds > 30 * 86_400) return new Date(when).toLocaleDateString('en', { dateStyle: 'medium' })
  const found = times.find(([, long]) => seconds >= long)
  if (!found) return 'just now'
  const [unit, long] = found
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return format.format(-Math.floor(seconds / long), unit)
}

/** Keeps each number of a text in one line with its unit or suffix, such as `93 %`, `0.5 m/s²` or `2.05 k`. */
export const withoutBreaks = (text: string): string =>
  text.replace(
    /(?<=\d) (?=(?:%|°|[kMG]|[KMG]B|ms|s|min|h|mm|cm|m|km|kg|g|N|Nm|rad|million)(?![\p{L}\d]))/gu,
    NBSP,
  )
