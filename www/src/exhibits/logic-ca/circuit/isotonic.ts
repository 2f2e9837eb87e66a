/**
 * Computes an isotonic regression with gaps: the positions nearest to the desired positions in weighted least squares,
 * each at least `gaps[i]` after the previous position (`gaps[0]` is not read). Pool adjacent violators algorithm:
 * Barlow et al., "Statistical Inference under Order Restrictions" (1972); linear time.
 */
export function spread(
  wished: Float64Array,
  weights: Float64Array,
  gaps: Float64Array,
  count: number,
  positions: Float64Array,
): void {
  // After subtraction of the gaps the result is nondecreasing; the positions of a block share one value.
  const values: number[] = []
  const masses: number[] = []
  const ends: number[] = []
  let offset = 0
  for (let i = 0; i < count; i++) {
    if (i > 0) offset += gaps[i]!
    let value = wished[i]! - offset
    let mass = weights[i]!
    while (values.length > 0 && values.at(-1)! >= value) {
      const [v, m] = [values.pop()!, masses.pop()!]
      ends.pop()
      value = (value * mass + v * m) / (mass + m)
      mass += m
    }
    values.push(value)
    masses.push(mass)
    ends.push(i + 1)
  }
  offset = 0
  for (let block = 0, i = 0; block < values.length; block++) {
    for (; i < ends[block]!; i++) {
      if (i > 0) offset += gaps[i]!
      positions[i] = values[block]! + offset
    }
  }
}
