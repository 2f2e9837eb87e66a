/**
 * Data of the map of all states of the 2×2×2 cube. Rings are distances from the solved state; angles are positions in
 * a spanning tree of optimal moves.
 */
import type { Frame, FrameArray } from '../../../engine/page/session'
import type { Table } from '../../../lib/csv'

/** Position of a state on the map, in polar coordinates. */
export interface Place {
  distance: number
  /** Fraction of a full turn, 0 to 1. */
  angle: number
}

export class CubeMap {
  rings = 0
  bins = 0
  /** Number of states by ring and bin. */
  counts: Float32Array | null = null
  /** Fraction of the states in each ring and bin that is solved; −1 without an evaluation. */
  solved: Float32Array | null = null
  /** States of the turn history, followed by the states of the greedy policy's path. */
  path: readonly Place[] = []
  /** Number of states in `path` that belong to the turn history. */
  behind = 0
  /** Number of changes of `counts` and `solved`. */
  painted = 0

  /** Reads the arrays of a frame. Returns whether the frame has map data. */
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

  /** Returns a row for each sector of each ring that has states; null before the first map. */
  table(): Table | null {
    const { counts, solved, bins } = this
    if (!counts || !solved) return null
    const used = [...counts.keys()].filter((i) => counts[i]! > 0)
    return {
      distance: used.map((i) => Math.floor(i / bins)),
      'angle (turns)': used.map((i) => ((i % bins) + 0.5) / bins),
      states: used.map((i) => counts[i]!),
      'solved fraction': used.map((i) => (solved[i]! >= 0 ? solved[i]! : null)),
    }
  }

  /** Returns the solved share of all states; null if some are not evaluated. */
  solvedShare(): number | null {
    const { counts, solved } = this
    if (!counts || !solved) return null
    let [states, sum] = [0, 0]
    for (const [i, count] of counts.entries()) {
      if (count === 0) continue
      if (!(solved[i]! >= 0)) return null
      states += count
      sum += count * solved[i]!
    }
    return sum / states
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
