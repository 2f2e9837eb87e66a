/** All states of the 2×2×2 cube near the solved one, and the number of scrambles that lead to each of them. */
import { solved, turned } from '../model/stickers'
import { inverse, readTurn, writeTurn, type Turn } from '../model/turns'

/** The six turns of the 2×2×2 cube; the corner at the lower left back stays in place. */
export const turnNames = ['U', "U'", 'R', "R'", 'F', "F'"] as const
export const turns: readonly Turn[] = turnNames.map((name) => readTurn(name)!)

/** Index of the inverse of each turn. */
export const inverses: readonly number[] = turns.map((turn) =>
  turnNames.findIndex((name) => name === writeTurn(inverse(turn))),
)

export interface NearStates {
  /** Stickers of each state, in ascending order of distance; the solved state is first. */
  stickers: readonly string[]
  distance: Uint8Array
  /** [states × 6] index of the state after each turn; −1 if it is further away than `depth`. */
  next: Int32Array
  depth: number
}

/** Finds all states that are at most `depth` turns away, by breadth-first search. */
export function findNearStates(depth: number): NearStates {
  const stickers = [solved(2)]
  const index = new Map([[stickers[0]!, 0]])
  const distance = [0]
  const next: number[] = []
  for (let state = 0; state < stickers.length; state++)
    for (const turn of turns) {
      const after = turned(stickers[state]!, turn)
      let found = index.get(after) ?? -1
      if (found < 0 && distance[state]! < depth) {
        found = stickers.length
        index.set(after, found)
        stickers.push(after)
        distance.push(distance[state]! + 1)
      }
      next.push(found)
    }
  return { stickers, distance: Uint8Array.from(distance), next: Int32Array.from(next), depth }
}

/**
 * Returns the number of scrambles of each length from 0 to `depth` that lead to each state, [length][states]. A scramble is a
 * sequence of random turns, none of which undoes the previous one.
 *
 * The count is by last turn, because the next turn depends on it: [length][states × 6].
 */
export function countScrambles({ stickers, next, depth }: NearStates): Float64Array[] {
  const before = new Float64Array(stickers.length * 6)
  const counts = [before]
  for (let length = 1; length <= depth; length++) {
    const now = new Float64Array(before.length)
    for (let state = 0; state < stickers.length; state++)
      for (let last = 0; last < 6; last++) {
        const ways = length === 1 ? Number(state === 0 && last === 0) : counts[length - 1]![6 * state + last]!
        if (ways === 0) continue
        for (let turn = 0; turn < 6; turn++)
          if (length === 1 || turn !== inverses[last]) now[6 * next[6 * state + turn]! + turn]! += ways
      }
    counts.push(now)
  }
  return counts
}

/** A turn that may lead back from a scrambled state to the solved state. */
export interface WayBack {
  turn: string
  /** Fraction of the scrambles to this state whose last turn this turn undoes. */
  share: number
  optimal: boolean
}

/** Returns the ways back from a state after all scrambles of up to `length` turns, in the order of `turnNames`. */
export function waysBack(
  near: NearStates,
  counts: readonly Float64Array[],
  state: number,
  length: number,
): WayBack[] {
  const ways = turnNames.map((_, turn) =>
    counts.slice(1, length + 1).reduce((sum, count) => sum + count[6 * state + inverses[turn]!]!, 0),
  )
  const total = ways.reduce((a, b) => a + b, 0)
  return turnNames.map((turn, i) => {
    const after = near.next[6 * state + i]!
    const optimal = after >= 0 && near.distance[after]! < near.distance[state]!
    return { turn, share: total > 0 ? ways[i]! / total : 0, optimal }
  })
}

/** Returns the fraction of the states at a distance in which the most frequent way back is optimal. */
export function optimalShare(
  near: NearStates,
  counts: readonly Float64Array[],
  distance: number,
  length: number,
): number {
  let [right, all] = [0, 0]
  near.distance.forEach((far, state) => {
    if (far !== distance) return
    const ways = waysBack(near, counts, state, length)
    all++
    right += Number(ways.reduce((best, way) => (way.share > best.share ? way : best)).optimal)
  })
  return right / all
}
