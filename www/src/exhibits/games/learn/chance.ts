/** Outcomes of a chance node, sampled by a low-discrepancy sequence as in the crate `vivarium-mcts`. */

/** The 21 rolls of two dice, each with its probability: 1/36 for a double, 2/36 for the others. */
export const rolls = [1, 2, 3, 4, 5, 6].flatMap((high) =>
  [1, 2, 3, 4, 5, 6]
    .filter((low) => low <= high)
    .map((low) => ({ name: `${high}${low}`, probability: high === low ? 1 / 36 : 2 / 36 })),
)

/** Step of the sequence: the fractional part of the golden ratio. */
const golden = (Math.sqrt(5) - 1) / 2

/** Returns the index of the roll at a point of the unit interval, which is divided in proportion to the probabilities. */
export function rollAt(point: number): number {
  let rest = point
  const found = rolls.findIndex(({ probability }) => (rest -= probability) < 0)
  return found < 0 ? rolls.length - 1 : found
}

/** Returns how often each roll occurs among `count` points of the sequence. */
export function goldenCounts(count: number, start = 0): number[] {
  return counts(count, (n) => (start + n * golden) % 1)
}

/** Returns how often each roll occurs among `count` independent draws. */
export function randomCounts(count: number, random: () => number): number[] {
  return counts(count, random)
}

function counts(count: number, point: (n: number) => number): number[] {
  const found = Array<number>(rolls.length).fill(0)
  for (let n = 0; n < count; n++) found[rollAt(point(n))]!++
  return found
}

/** Returns the mean distance between the counts and their expectation, in samples. */
export function deviation(found: readonly number[]): number {
  const total = found.reduce((a, b) => a + b, 0)
  return found.reduce((sum, n, i) => sum + Math.abs(n - total * rolls[i]!.probability), 0) / found.length
}
