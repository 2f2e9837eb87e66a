/** Selection of the snapshots of a timeline. */

/** Maximum number of snapshots of a run. */
export const mostSnapshots = 40

/** Maximum size of a run's snapshots in bytes. */
const mostBytes = 64_000_000

/** Returns the number of snapshots of a run if each has this size in bytes. */
export const snapshotLimit = (size: number): number =>
  Math.max(2, Math.min(mostSnapshots, Math.floor(mostBytes / Math.max(1, size))))

/**
 * Removes snapshots until at most `most` are left, such that they stay about equally spaced on a logarithmic scale.
 * `steps`: their numbers of steps, ascending. The first, the last and `kept` stay.
 */
export function thin(steps: readonly number[], most: number, kept: number | null = null): number[] {
  const left = [...steps]
  while (left.length > Math.max(2, most)) {
    let closest = -1
    let ratio = Infinity
    for (let i = 1; i < left.length - 1; i++) {
      const gap = Math.log((left[i + 1]! + 1) / (left[i - 1]! + 1))
      if (left[i] !== kept && gap < ratio) [closest, ratio] = [i, gap]
    }
    if (closest < 0) break
    left.splice(closest, 1)
  }
  return left
}
