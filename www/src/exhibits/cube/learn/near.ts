/** The states near the solved one, computed once for all figures that show them. */
import { countScrambles, findNearStates, type NearStates } from './near-states'

/** Largest distance of the states. */
export const nearDepth = 6

export interface Near extends NearStates {
  counts: readonly Float64Array[]
}

let computed: Near | null = null

/** Returns the states and the scrambles to them; the first call takes some 100 ms. */
export function near(): Near {
  if (!computed) {
    const found = findNearStates(nearDepth)
    computed = { ...found, counts: countScrambles(found) }
  }
  return computed
}
