/**
 * The map of all states of the small cube: rings are distances from the solved state, angles places in a tree in which each
 * state hangs on the one that a shortest way goes through next.
 */
import type { Frame, FrameArray } from '../../../engine/page/session'

/** A state on the map. */
export interface Place {
  distance: number
  /** From 0 to 1, once round. */
  angle: number
}

export class CubeMap {
  rings = 0
  bins = 0
  /** How many states there are in each ring and bin. */
  counts: Float32Array | null = null
  /** The share of them that the network solves; −1 where nothing is known. */
  solved: Float32Array | null = null
  /** The states of the history, and then those that the network would come through. */
  path: readonly Place[] = []
  /** How many of them are of the history. */
  behind = 0
  /** Counts changes of `counts` and `solved`. */
  painted = 0

  /** Takes in what a picture brings; whether anything. */
  take(frame: Frame): boolean {
    const counts = floats(frame.arrays['map/counts'])
    const solved = floats(frame.arrays['map/solved'])
    const path = floats(frame.arrays['map/path'])
    const behind = frame.arrays['map/ahead']?.data
    if (counts) {
      this.counts = counts
      const [rings = 0, bins = 0] = frame.arrays['map/counts']!.shape
      this.rings = rings
      this.bins = bins
      this.solved ??= new Float32Array(counts.length).fill(-1)
    }
    if (solved && (!this.counts || solved.length === this.counts.length)) this.solved = solved
    if (counts || solved) this.painted++
    if (path) this.path = places(path)
    if (behind && behind.length > 0) this.behind = Number(behind[0])
    return Boolean(counts || solved || path || behind)
  }

  clear(): void {
    this.counts = null
    this.solved = null
    this.path = []
    this.behind = 0
    this.painted++
  }
}

function floats(array: FrameArray | undefined): Float32Array | null {
  if (!array || array.data.length === 0) return null
  return array.data instanceof Float32Array ? array.data : Float32Array.from(array.data, Number)
}

function places(rows: Float32Array): Place[] {
  return Array.from({ length: rows.length / 2 }, (_, i) => ({
    distance: rows[2 * i]!,
    angle: rows[2 * i + 1]!,
  }))
}
