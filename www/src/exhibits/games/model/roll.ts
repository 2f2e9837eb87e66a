/** Returns a roll of two dice, such as `31` and `3-1`; null for other text. */
export function rollOf(text: string): [number, number] | null {
  const found = /^([1-6])\s*[-, ]?\s*([1-6])$/.exec(text)
  return found ? [Number(found[1]), Number(found[2])] : null
}
