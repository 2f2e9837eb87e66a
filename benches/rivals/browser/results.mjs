// Statistics, equality check and formatting of the results.

/** Tolerance of an array, relative to its largest element: libraries sum f32 products in different orders. */
export const tolerance = 1e-4

/** Returns the median of numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * Returns the largest difference of two arrays, relative to the largest element of `expected`; infinite for different lengths and
 * for numbers that are not finite.
 */
export function difference(expected, found) {
  if (expected.length !== found.length) return Infinity
  let [largest, worst] = [0, 0]
  for (let i = 0; i < expected.length; i++) {
    const distance = Math.abs(expected[i] - found[i])
    if (!Number.isFinite(distance)) return Infinity
    largest = Math.max(largest, Math.abs(expected[i]))
    worst = Math.max(worst, distance)
  }
  return worst === 0 ? 0 : worst / largest
}

/** Returns the largest difference over groups of named arrays, and the name of the array. A missing array differs infinitely. */
export function largestDifference(expected, found) {
  let most = { name: '', value: 0 }
  for (const [group, arrays] of Object.entries(expected))
    for (const [name, { data }] of Object.entries(arrays)) {
      const value = difference(data, found[group]?.[name]?.data ?? [])
      if (value > most.value) most = { name: `${group}/${name}`, value }
    }
  return most
}

/**
 * Returns the result of a rival beside Vivarium's in the format of `vivarium bench --json`: the fastest repetition of all rounds, and
 * `pairedRatio`, the median over the rounds of the ratio of the mean speeds. `ours` and `theirs` have the `fastest` and `mean` calls
 * per second of each round.
 */
export function figure(workload, threads, rival, ours, theirs) {
  const { name, unit, work } = workload
  const fastest = (rounds) => work * Math.max(...rounds.map(({ fastest }) => fastest))
  return {
    name,
    value: fastest(ours),
    unit,
    threads,
    rival: { name: rival, value: fastest(theirs) },
    pairedRatio: pairedRatio(ours, theirs),
  }
}

/** Returns the median over the rounds of the ratio of the mean speeds. */
export const pairedRatio = (ours, theirs) => median(ours.map(({ mean }, round) => mean / theirs[round].mean))

/** Returns a figure with four significant digits. */
export function rounded({ value, rival, pairedRatio, ...rest }) {
  const digits = (number) => Number(number.toPrecision(4))
  return {
    ...rest,
    value: digits(value),
    rival: { ...rival, value: digits(rival.value) },
    pairedRatio: digits(pairedRatio),
  }
}

/** Formats a number with three significant digits and a prefix for thousands or millions. */
export function short(value) {
  if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`
  if (value >= 1e3) return `${Number((value / 1e3).toPrecision(3))}K`
  return String(Number(value.toPrecision(3)))
}

/** Formats figures as a table. */
export function table(figures) {
  const rows = figures.map(({ name, value, unit, threads, rival, pairedRatio }) => [
    name,
    String(threads),
    `${short(value)} ${unit}`,
    rival.name,
    short(rival.value),
    `${(value / rival.value).toFixed(2)}×`,
    `${pairedRatio.toFixed(2)}×`,
  ])
  const lines = [
    ['figure', 'threads', 'Vivarium', 'rival', 'rival’s value', 'ratio', 'median of rounds'],
    ...rows,
  ]
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
