/** Returns whether exactly one value is present, so that no line can be drawn. */
export function isSingle(values: ArrayLike<number | null | undefined>): boolean {
  let count = 0
  for (let i = 0; i < values.length && count < 2; i++) if (values[i] != null) count++
  return count === 1
}
