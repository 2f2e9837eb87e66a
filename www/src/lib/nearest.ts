/** Returns the index of the number nearest to a value. */
export function nearest(numbers: readonly number[], value: number): number {
  const distances = numbers.map((number) => Math.abs(number - value))
  return distances.indexOf(Math.min(...distances))
}
