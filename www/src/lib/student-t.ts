/** Student's t-distribution (Student, 1908, https://doi.org/10.1093/biomet/6.1.1). */

/**
 * Returns P(|T| < t) for a whole number of degrees of freedom: Abramowitz and Stegun, Handbook of Mathematical Functions (1964),
 * 26.7.3 and 26.7.4.
 */
export function centralProbability(t: number, freedom: number): number {
  const angle = Math.atan(t / Math.sqrt(freedom))
  const [cos2, isOdd] = [Math.cos(angle) ** 2, freedom % 2 === 1]
  if (freedom === 1) return (2 * angle) / Math.PI
  let [term, sum] = [isOdd ? Math.cos(angle) : 1, 0]
  for (let k = isOdd ? 2 : 1; k < freedom; k += 2) {
    sum += term
    term *= (k / (k + 1)) * cos2
  }
  const series = Math.sin(angle) * sum
  return isOdd ? (2 / Math.PI) * (angle + series) : series
}

/** Returns the t with P(|T| < t) = `probability`, for a whole number of degrees of freedom. */
export function criticalValue(probability: number, freedom: number): number {
  let [low, high] = [0, 1]
  while (centralProbability(high, freedom) < probability) high *= 2
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (centralProbability(middle, freedom) < probability) low = middle
    else high = middle
  }
  return high
}

/**
 * Returns half of the width of the confidence interval of the mean of independent, normally distributed values; infinite for
 * fewer than two.
 */
export function halfInterval(values: readonly number[], probability = 0.95): number {
  return values.length < 2
    ? Infinity
    : criticalValue(probability, values.length - 1) * Math.sqrt(squaredError(values))
}

/**
 * Returns half of the width of the confidence interval of the difference of two means: Welch's t-test (Welch, 1947,
 * https://doi.org/10.1093/biomet/34.1-2.28) with its degrees of freedom rounded down. Infinite for fewer than two values on a
 * side. The variances may differ.
 */
export function halfIntervalOfDifference(
  a: readonly number[],
  b: readonly number[],
  probability = 0.95,
): number {
  if (a.length < 2 || b.length < 2) return Infinity
  const [errorA, errorB] = [squaredError(a), squaredError(b)]
  const error = errorA + errorB
  if (error === 0) return 0
  const freedom = error ** 2 / (errorA ** 2 / (a.length - 1) + errorB ** 2 / (b.length - 1))
  return criticalValue(probability, Math.floor(freedom)) * Math.sqrt(error)
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Returns the squared standard error of the mean of at least two values. */
function squaredError(values: readonly number[]): number {
  const mean = meanOf(values)
  const { length } = values
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (length - 1) / length
}
