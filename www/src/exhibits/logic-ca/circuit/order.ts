/**
 * The order of the items in each layer, with few crossings: Sugiyama, Tagawa and Toda, "Methods for Visual
 * Understanding of Hierarchical System Structures" (1981). Sweeps put every item at the mean place of its
 * neighbors in the layer before, then in the layer after; the order with the fewest crossings stays.
 */
import type { Item, Segment } from './layers'

/** Sweeps there and back. */
const sweeps = 12

/** How many fewer crossings are worth a new order where one was seen before. */
const worthwhile = 0.8

/**
 * Orders the layers from the order that they have. Where people have `seen` that order, it stays unless
 * another has far fewer crossings. Boards stay in the order of their channels.
 */
export function reorder(layers: Item[][], seen: boolean): void {
  const remember = () => layers.map((layer) => layer.slice())
  let best = remember()
  let fewest = crossings(layers) * (seen ? worthwhile : 1)
  const rounds = seen ? sweeps >> 2 : sweeps
  for (let round = 0; round < rounds && fewest > 0; round++) {
    for (let l = 1; l < layers.length; l++) sortBy(layers[l]!, 'before')
    for (let l = layers.length - 2; l > 0; l--) sortBy(layers[l]!, 'after')
    // Exchanging neighbors repairs what means cannot see.
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

/** Writes the places into the items. */
export function number(layer: readonly Item[]): void {
  for (let i = 0; i < layer.length; i++) layer[i]!.order = i
}

/** Where an end of a segment lies, in places; the wires of a board leave between its neighbors' places. */
const startOf = (segment: Segment) => segment.from.order + 0.1 * segment.rank
const endOf = (segment: Segment) => segment.to.order

function sortBy(layer: Item[], side: 'before' | 'after'): void {
  for (const item of layer) {
    const segments = item[side]
    let sum = 0
    for (const segment of segments) sum += side === 'before' ? startOf(segment) : endOf(segment)
    // What has no neighbors there stays about where it is.
    item.wish = segments.length > 0 ? sum / segments.length : item.order
  }
  layer.sort((p, q) => p.wish - q.wish || p.order - q.order)
  number(layer)
}

/** Exchanges neighbors in a layer as long as that takes crossings away, a few times over. */
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

/** Crossings between the segments of two items if `upper` is above `lower`. */
function crossed(upper: Item, lower: Item): number {
  let count = 0
  for (const p of upper.before) for (const q of lower.before) if (startOf(p) > startOf(q)) count++
  for (const p of upper.after) for (const q of lower.after) if (endOf(p) > endOf(q)) count++
  return count
}

/** Pairs of segments that cross, over all layers. */
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

/** Pairs that stand in falling order: counted with a binary indexed tree. */
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
