import { describe, expect, test } from 'vitest'
import { mostSnapshots, snapshotLimit, thin } from './thinning'

/** Returns the kept snapshots of a run that takes a snapshot at each of these steps. */
function recorded(all: readonly number[], most = mostSnapshots): number[] {
  let steps: number[] = []
  for (const step of all) steps = thin([...steps, step], most)
  return steps
}

describe('thinning', () => {
  const evenly = Array.from({ length: 5000 }, (_, i) => i * 8192)

  test('keeps the first and the last, at most 40 in ascending order', () => {
    const steps = recorded(evenly)
    expect(steps).toHaveLength(40)
    expect([steps[0], steps.at(-1)]).toEqual([0, evenly.at(-1)])
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
    expect(thin([0, 10, 20], 40)).toEqual([0, 10, 20])
    expect(thin([5], 40)).toEqual([5])
    expect(thin([], 40)).toEqual([])
  })

  test('spaces them equally on a logarithmic scale', () => {
    // The first gaps equal the distance between iterations.
    const steps = recorded(evenly).slice(8)
    const ratios = steps.slice(1).map((step, i) => step / steps[i]!)
    expect(Math.max(...ratios)).toBeLessThan(1.6)
    expect(Math.max(...ratios.slice(4)) / Math.min(...ratios.slice(4, -1))).toBeLessThan(2.1)
  })

  test('leaves the shown one', () => {
    expect(thin([0, 10, 11, 100], 3)).toEqual([0, 10, 100])
    expect(thin([0, 10, 11, 100], 3, 11)).toEqual([0, 11, 100])
    expect(thin([0, 11, 100], 2, 11)).toEqual([0, 11, 100])
  })

  test('large snapshots are fewer', () => {
    expect([50_000, 2_000_000, 5_000_000, 1e9].map(snapshotLimit)).toEqual([40, 32, 12, 2])
  })
})
