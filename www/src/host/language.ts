/**
 * Makes English the language of the page if `navigator.language` is not a valid language tag, as in the POSIX locale `C`.
 * uPlot passes it to `Intl.NumberFormat`, which throws a RangeError then.
 */
export function repairLanguage(): void {
  try {
    new Intl.NumberFormat(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: 'en' })
  }
}
