/** Greedy moves and beam search on states near the solved one, with values that have errors. */
import type { NearStates } from './near-states'
import { normals } from './overestimation'

/** Returns the value of each state: minus its distance, plus a normal error with the deviation `noise`. The solved state has no error. */
export function noisyValues({ distance }: NearStates, noise: number, seed: number): Float64Array {
  const normal = normals(seed)
  return Float64Array.from(distance, (far) => {
    const error = noise * normal()
    return far === 0 ? 0 : -far + error
  })
}

/**
 * Returns the number of turns after which a beam search solves a state; null after `limit` turns. After each turn, the `width`
 * states with the largest values are kept; states that were visited before are dropped. Width 1 without `memory` is the greedy
 * policy.
 */
export function beamSearch(
  { next, distance }: NearStates,
  values: Float64Array,
  start: number,
  { width, limit, memory = true }: { width: number; limit: number; memory?: boolean },
): number | null {
  if (distance[start] === 0) return 0
  const visited = new Set([start])
  let beam = [start]
  for (let turn = 1; turn <= limit; turn++) {
    const candidates = new Set<number>()
    for (const state of beam)
      for (let action = 0; action < 6; action++) {
        const after = next[6 * state + action]!
        if (after >= 0 && !(memory && visited.has(after))) candidates.add(after)
      }
    if (candidates.has(0)) return turn
    beam = [...candidates].sort((a, b) => values[b]! - values[a]! || a - b).slice(0, width)
    if (beam.length === 0) return null
    for (const state of beam) visited.add(state)
  }
  return null
}

/** Returns every `stride`-th state at a distance. */
export const statesAt = ({ distance }: NearStates, wanted: number, stride: number): number[] =>
  Array.from(distance.keys())
    .filter((state) => distance[state] === wanted)
    .filter((_, i) => i % stride === 0)
