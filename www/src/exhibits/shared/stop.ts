/** Parses the number of steps at which runs stop. */

/** Returns the number of steps of a text such as `100,000` or `1e5`; null for an empty text, undefined for an invalid one. */
export function readStop(text: string): number | null | undefined {
  const digits = text.replaceAll(/[\s,_]/g, '')
  if (digits === '') return null
  const steps = /^\d+(\.\d+)?(e\d+)?$/i.test(digits) ? Number(digits) : NaN
  return Number.isSafeInteger(steps) && steps > 0 ? steps : undefined
}
