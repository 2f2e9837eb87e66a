/** Whether there is a value in only one of the places, which no line can be drawn through. */
export function isSingle(values: ArrayLike<number | null | undefined>): boolean {
  let count = 0
  for (let i = 0; i < values.length && count < 2; i++) if (values[i] != null) count++
  return count === 1
}
