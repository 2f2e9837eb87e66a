/** Layout of the drawing of a circuit; lengths are pixels at scale 1. */
import { spread } from './isotonic'
import { layered, type Item, type Segment } from './layers'
import { straighten } from './lanes'
import type { Netlist } from './netlist'
import { number, reorder } from './order'

/** Vertical distance of a gate's input ports from its center. */
export const portGap = 6

export interface Layout {
  width: number
  height: number
  /** Horizontal centers of the layers, left to right: inputs, gates by depth, outputs. */
  columns: Float64Array
  /** Input boards: channels whose neighborhood is read, with the centers of the boards. */
  boards: { channel: number; x: number; y: number }[]
  /** Side of a cell of a board. */
  cell: number
  /** [gates] horizontal and vertical centers; NaN for gates that are not drawn. */
  gateX: Float32Array
  gateY: Float32Array
  /** [gates] 1 if the second input is above the first. */
  swapped: Uint8Array
  outputs: { channel: number; x: number; y: number }[]
  wires: Wires
  /** Number of drawn gates. */
  drawn: number
  /** Vertical position of each item by its name, for the next layout. */
  known: ReadonlyMap<string, number>
}

/** Wire segments between adjacent layers. */
export interface Wires {
  count: number
  /** [count] number of the value that the segment carries. */
  values: Int32Array
  /** [count, 4] x and y of both ends of the curve. */
  ends: Float32Array
  /** [count] length of the horizontal part after the curve, through a layer that the wire passes; 0 for none. */
  tails: Float32Array
  /** [count] index of the layer of the left end. */
  layers: Int32Array
  /**
   * [count] value number of the gate at the right end; −1 if the wire continues, −2 − channel if it ends at an output.
   */
  readers: Int32Array
  /** [count] keys that identify the same segment in two layouts, for transitions. */
  keys: string[]
}

export interface LayoutOptions {
  /** Maximum number of drawn gates; gates with the lowest depth are preferred. */
  most?: number
  /** Aspect ratio of the view: width / height. */
  aspect?: number
  /** Previous layout; parts that both layouts have keep their positions if possible. */
  before?: Layout | null
  /** [gates] names of the gates, by which gates of different circuits are matched. */
  names?: readonly string[]
}

/** Minimum distance between layers, for tall and for wide views. */
const narrowest = { upright: 28, wide: 46 }
/** Maximum distance between layers. */
const widest = 260

/** Weight of an item's previous position in the relaxation. */
const stay = 2

/** Number of iterations of the relaxation. */
const rounds = 14

export function layout(net: Netlist, options: LayoutOptions = {}): Layout {
  const { most = Infinity, aspect = 1.6, before = null, names = [] } = options
  const graph = layered(net, most)
  const { layers } = graph
  const nameOf = (value: number) =>
    value < net.inputs ? `i${value}` : `g${names[value - net.inputs] ?? value - net.inputs}`
  const itemName = ({ kind, of, layer }: Item): string =>
    kind === 'gate' ? nameOf(net.inputs + of) : kind === 'lane' ? `${nameOf(of)} @ ${layer}` : `${kind} ${of}`
  // Previous vertical position of an item relative to the center, because layouts differ in height.
  const was = (item: Item): number | undefined => {
    const y = before?.known.get(itemName(item))
    return y === undefined ? undefined : y - before!.height / 2
  }

  if (before) asSeen(layers, was)
  reorder(layers, before !== null)
  const swapped = choosePorts(layers, net.gates)
  const height = settle(layers, was)
  straighten(layers)
  const halves = layers.map((layer) => Math.max(0, ...layer.map((item) => item.half)))
  const columns = spaced(layers, halves, height, aspect)

  const gateX = new Float32Array(net.gates).fill(NaN)
  const gateY = new Float32Array(net.gates).fill(NaN)
  const known = new Map<string, number>()
  for (const layer of layers) for (const item of layer) known.set(itemName(item), item.y)
  for (const gate of graph.gates) {
    if (!gate) continue
    gateX[gate.of] = columns[gate.layer]!
    gateY[gate.of] = gate.y
  }
  const at = (item: Item) => ({ channel: item.of, x: columns[item.layer]!, y: item.y })
  return {
    width: columns.at(-1)! + halves.at(-1)!,
    height,
    columns,
    boards: layers[0]!.filter((item) => item.kind === 'board').map(at),
    cell: graph.cell,
    gateX,
    gateY,
    swapped,
    outputs: layers
      .at(-1)!
      .filter((item) => item.kind === 'output')
      .map(at),
    wires: wires(layers, net, columns, halves, nameOf),
    drawn: graph.gates.reduce((sum, gate) => sum + (gate ? 1 : 0), 0),
    known,
  }
}

/** Sorts each layer by the positions in the previous layout; new items are placed beside their inputs. */
function asSeen(layers: Item[][], was: (item: Item) => number | undefined): void {
  for (const layer of layers.slice(1)) {
    for (const item of layer) {
      const read = item.before.map((segment) => segment.from.y + segment.leaves)
      item.y = was(item) ?? (read.length > 0 ? read.reduce((p, q) => p + q) / read.length : 0)
    }
    layer.sort((p, q) => p.y - q.y || p.order - q.order)
    number(layer)
  }
}

/**
 * Chooses for each gate which input is the upper one, to avoid crossings. Returns an array [gates] with 1 if the second
 * input is above the first.
 */
function choosePorts(layers: readonly Item[][], gates: number): Uint8Array {
  const swapped = new Uint8Array(gates)
  const height = (segment: Segment) => segment.from.order + 0.1 * segment.rank
  for (const layer of layers) {
    for (const item of layer) {
      if (item.kind !== 'gate' || item.before.length < 2) continue
      const first = item.before.find((segment) => !segment.second)!
      const second = item.before.find((segment) => segment.second)!
      const swap = height(second) < height(first)
      swapped[item.of] = swap ? 1 : 0
      first.arrives = swap ? portGap : -portGap
      second.arrives = swap ? -portGap : portGap
    }
  }
  return swapped
}

/** Computes the vertical positions of all items by relaxation; returns the total height. */
function settle(layers: readonly Item[][], was: (item: Item) => number | undefined): number {
  const widestLayer = Math.max(...layers.map((layer) => layer.length))
  const wished = new Float64Array(widestLayer)
  const weights = new Float64Array(widestLayer)
  const apart = new Float64Array(widestLayer)
  const positions = new Float64Array(widestLayer)

  const place = (layer: readonly Item[], left: boolean, right: boolean) => {
    for (const [i, item] of layer.entries()) {
      let [sum, mass] = [0, 0]
      if (left) {
        for (const { from, leaves, arrives } of item.before) {
          const weight = pull(from, item)
          sum += weight * (from.y + leaves - arrives)
          mass += weight
        }
      }
      if (right) {
        for (const { to, leaves, arrives } of item.after) {
          const weight = pull(item, to)
          sum += weight * (to.y + arrives - leaves)
          mass += weight
        }
      }
      const seen = was(item)
      if (seen !== undefined) {
        sum += stay * seen
        mass += stay
      }
      wished[i] = mass > 0 ? sum / mass : item.y
      weights[i] = Math.max(mass, 0.01)
      apart[i] = i > 0 ? distance(layer[i - 1]!, item) : 0
    }
    spread(wished, weights, apart, layer.length, positions)
    for (const [i, item] of layer.entries()) item.y = positions[i]!
  }

  // Initial positions: items of a layer stacked and centered, then relaxed layer by layer.
  for (const layer of layers) {
    let top = 0
    for (const [i, item] of layer.entries()) {
      top += i > 0 ? distance(layer[i - 1]!, item) : 0
      item.y = top
    }
    for (const item of layer) item.y -= top / 2
  }
  for (let l = 1; l < layers.length; l++) place(layers[l]!, true, false)
  for (let l = layers.length - 2; l >= 0; l--) place(layers[l]!, false, true)
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) for (let l = 0; l < layers.length; l++) place(layers[l]!, true, true)
    else for (let l = layers.length - 1; l >= 0; l--) place(layers[l]!, true, true)
  }

  let [low, high] = [Infinity, -Infinity]
  for (const layer of layers) {
    for (const item of layer) {
      low = Math.min(low, item.y - item.height / 2)
      high = Math.max(high, item.y + item.height / 2)
    }
  }
  for (const layer of layers) for (const item of layer) item.y -= low
  return high > low ? high - low : 0
}

/** Returns the weight of the attraction between two items; it is higher for lanes, to keep wires straight. */
function pull(from: Item, to: Item): number {
  const lanes = Number(from.kind === 'lane') + Number(to.kind === 'lane')
  return lanes === 2 ? 8 : lanes === 1 ? 2 : 1
}

function distance(upper: Item, lower: Item): number {
  return (upper.height + lower.height) / 2 + Math.max(upper.gap, lower.gap)
}

/**
 * Returns the horizontal centers of the layers. The distances are chosen so that the drawing has the aspect ratio of
 * the view; they are larger between layers with steep wires.
 */
function spaced(
  layers: readonly Item[][],
  halves: readonly number[],
  height: number,
  aspect: number,
): Float64Array {
  const shares = layers.slice(1).map((layer) => {
    const steps = layer.flatMap((item) =>
      item.before.map(({ from, leaves, arrives }) => Math.abs(item.y + arrives - from.y - leaves)),
    )
    const mean = steps.length > 0 ? steps.reduce((p, q) => p + q) / steps.length : 0
    return 0.6 + (3 * mean) / Math.max(1, height)
  })
  const taken = 2 * halves.reduce((p, q) => p + q, 0)
  const room = (height * aspect - taken) / shares.reduce((p, q) => p + q, 0)
  const columns = new Float64Array(halves.length)
  columns[0] = halves[0]!
  for (let l = 1; l < halves.length; l++) {
    const gap =
      Math.min(
        Math.max(widest, 0.6 * (height - 1000)),
        Math.max(aspect < 1.1 ? narrowest.upright : narrowest.wide, room),
      ) * shares[l - 1]!
    columns[l] = columns[l - 1]! + halves[l - 1]! + gap + halves[l]!
  }
  return columns
}

function wires(
  layers: readonly Item[][],
  net: Netlist,
  columns: Float64Array,
  halves: readonly number[],
  nameOf: (value: number) => string,
): Wires {
  const segments = layers.flatMap((layer) => layer.flatMap((item) => item.after))
  const count = segments.length
  const result: Wires = {
    count,
    values: new Int32Array(count),
    ends: new Float32Array(4 * count),
    tails: new Float32Array(count),
    layers: new Int32Array(count),
    readers: new Int32Array(count),
    keys: [],
  }
  for (const [s, { value, from, to, leaves, arrives, second }] of segments.entries()) {
    const [left, right] = [from.layer, to.layer]
    result.values[s] = value
    result.ends[4 * s] = columns[left]! + halves[left]!
    result.ends[4 * s + 1] = from.y + leaves
    result.ends[4 * s + 2] = columns[right]! - halves[right]!
    result.ends[4 * s + 3] = to.y + arrives
    result.tails[s] = to.kind === 'lane' ? 2 * halves[right]! : 0
    result.layers[s] = left
    result.readers[s] = to.kind === 'lane' ? -1 : to.kind === 'gate' ? net.inputs + to.of : -2 - to.of
    const end = to.kind === 'lane' ? '' : to.kind === 'gate' ? nameOf(net.inputs + to.of) : `output ${to.of}`
    result.keys.push(`${nameOf(value)} ${left} ${end}${second ? ' b' : ''}`)
  }
  return result
}
