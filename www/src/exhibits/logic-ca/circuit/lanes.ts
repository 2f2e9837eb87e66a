/**
 * Straightening of lanes (see `layers.ts`): a wire that passes several layers gets as few bends as the items above and
 * below its lanes allow.
 */
import type { Item } from './layers'

/** Minimum distance between two lanes, and between a lane and other items. */
const toLane = 6
const toOthers = 5.5

/** Number of passes over all lanes; a lane that moves may make room for another lane. */
const passes = 3

/**
 * Moves lanes vertically between the items above and below them. Also moves an output if that makes the last segment of
 * its wire horizontal.
 */
export function straighten(layers: readonly Item[][]): void {
  for (let pass = 0; pass < passes; pass++) {
    for (const layer of layers) {
      for (const item of layer) {
        if (item.kind === 'lane' && item.before[0]!.from.kind !== 'lane') pull(item, layers)
      }
    }
  }
  const outputs = layers.at(-1)!
  for (const output of outputs) {
    const wire = output.before[0]
    if (!wire) continue
    const [low, high] = room(output, layers)
    const level = Math.min(high, Math.max(low, wire.from.y + wire.leaves))
    if (Math.abs(level - output.y) < output.height) output.y = level
  }
}

/** Moves the lanes of the chain that begins with `start` so that the wire has few bends. */
function pull(start: Item, layers: readonly Item[][]): void {
  const chain: Item[] = []
  for (let lane: Item | undefined = start; lane; lane = onwards(lane)) chain.push(lane)
  const source = start.before[0]!
  const goal = chain.at(-1)!.after[0]
  let wish = source.from.y + source.leaves
  for (let i = 0; i < chain.length;) {
    let [low, high] = room(chain[i]!, layers)
    let end = i + 1
    for (; end < chain.length; end++) {
      const [l, h] = room(chain[end]!, layers)
      if (Math.max(low, l) > Math.min(high, h)) break
      low = Math.max(low, l)
      high = Math.min(high, h)
    }
    // The first horizontal part is at the height of the wire's source, the last one at the height of its target.
    if (end === chain.length && i > 0 && goal) wish = goal.to.y + goal.arrives
    const level = Math.min(high, Math.max(low, wish))
    for (; i < end; i++) chain[i]!.y = level
    wish = level
  }
}

function onwards(lane: Item): Item | undefined {
  return lane.after.find((segment) => segment.to.kind === 'lane')?.to
}

/** Returns the range of vertical positions of an item between its neighbors in the layer. */
function room(item: Item, layers: readonly Item[][]): [number, number] {
  const layer = layers[item.layer]!
  const [above, below] = [layer[item.order - 1], layer[item.order + 1]]
  const apart = (other: Item) =>
    (item.height + other.height) / 2 + (item.kind === 'lane' && other.kind === 'lane' ? toLane : toOthers)
  const low = above ? above.y + apart(above) : -Infinity
  const high = below ? below.y - apart(below) : Infinity
  // If there is not enough space, the item keeps its position.
  return low <= high ? [low, high] : [item.y, item.y]
}
