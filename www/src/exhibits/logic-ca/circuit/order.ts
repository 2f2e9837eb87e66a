/**
 * Crossing minimization: order of the items in each layer by the barycenter heuristic of Sugiyama, Tagawa and Toda,
 * "Methods for Visual Understanding of Hierarchical System Structures" (1981). Sweeps sort items by the mean index of
 * their neighbors in the previous, then in the next layer; the order with the fewest crossings is kept.
 */
import type { Item, Segment } from './layers'

/** Number of forward and backward sweeps. */
const sweeps = 12

/**
 * Threshold for replacing the displayed order: a new order must have at most this fraction of the displayed order's
 * crossings.
 */
const worthwhile = 0.8

/**
 * Reorders the items of all layers to reduce crossings, starting from their current order. If the current order is
 * displayed (`seen`), it changes only if the new order has far fewer crossings. Input boards stay in the order of their
 * channels.
 */
export function reorder(layers: Item[][], seen: boolean): void {
  const remember = () => layers.map((layer) => layer.slice())
  let best = remember()
  let fewest = crossings(layers) * (seen ? worthwhile : 1)
  const rounds = seen ? sweeps >> 2 : sweeps
  for (let round = 0; round < rounds && fewest > 0; round++) {
    for (let l = 1; l < layers.length; l++) sortBy(layers[l]!, 'before')
    for (let l = layers.length - 2; l > 0; l--) sortBy(layers[l]!, 'after')
    // Adjacent exchanges remove crossings that the barycenter heuristic leaves.
    for (let l = 1; l < layers.length; l++) exchange(layers[l]!)
    const count = crossings(layers)
    if (count >= fewest) continue
    fewest = count
    best = remember()
  }
  for (const [l, layer] of best.entries()) {
    layers[l] = layer
    number(layer)
  }
}

/** Sets the index of each item of a layer to its position in the array. */
export function number(layer: readonly Item[]): void {
  for (let i = 0; i < layer.length; i++) layer[i]!.order = i
}

/**
 * Returns the vertical order of the start of a segment: index of the item, plus a fraction for the rank of the segment.
 */
const startOf = (segment: Segment) => segment.from.order + 0.1 * segment.rank
const endOf = (segment: Segment) => segment.to.order

function sortBy(layer: Item[], side: 'before' | 'after'): void {
  for (const item of layer) {
    const segments = item[side]
    let sum = 0
    for (const segment of segments) sum += side === 'before' ? startOf(segment) : endOf(segment)
    // Items without neighbors keep their index.
    item.wish = segments.length > 0 ? sum / segments.length : item.order
  }
  layer.sort((p, q) => p.wish - q.wish || p.order - q.order)
  number(layer)
}

/** Exchanges adjacent items of a layer if that removes crossings, in up to four passes. */
function exchange(layer: Item[]): void {
  for (let again = 0; again < 4; again++) {
    let better = false
    for (let i = 0; i + 1 < layer.length; i++) {
      const [upper, lower] = [layer[i]!, layer[i + 1]!]
      const now = crossed(upper, lower)
      if (now === 0 || now <= crossed(lower, upper)) continue
      layer[i] = lower
      layer[i + 1] = upper
      lower.order = i
      upper.order = i + 1
      better = true
    }
    if (!better) return
  }
}

/** Returns the number of crossings between the segments of two items if `upper` is above `lower`. */
function crossed(upper: Item, lower: Item): number {
  let count = 0
  for (const p of upper.before) for (const q of lower.before) if (startOf(p) > startOf(q)) count++
  for (const p of upper.after) for (const q of lower.after) if (endOf(p) > endOf(q)) count++
  return count
}

/** Returns the number of crossings of segments, over all layers. */
export function crossings(layers: readonly Item[][]): number {
  let total = 0
  for (let l = 1; l < layers.length; l++) {
    const ends: number[] = []
    for (const item of layers[l - 1]!) {
      const leaving = item.after.length > 1 ? item.after.toSorted(byStart) : item.after
      for (const segment of leaving) ends.push(segment.to.order)
    }
    total += inversions(ends, layers[l]!.length)
  }
  return total
}

const byStart = (p: Segment, q: Segment) => p.rank - q.rank || p.to.order - q.to.order

/** Returns the number of inversions of a sequence of integers below `size`, counted with a binary indexed tree. */
function inversions(values: readonly number[], size: number): number {
  const tree = new Int32Array(size + 1)
  let count = 0
  for (const [seen, value] of values.entries()) {
    let notAbove = 0
    for (let i = value + 1; i > 0; i -= i & -i) notAbove += tree[i]!
    count += seen - notAbove
    for (let i = value + 1; i <= size; i += i & -i) tree[i]!++
  }
  return count
}
