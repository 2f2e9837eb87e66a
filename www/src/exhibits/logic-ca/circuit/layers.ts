/**
 * The circuit as a layered graph with edges between adjacent layers only: input boards in layer 0, gates in the layer
 * of their depth, outputs in the last layer. A value that is not read in the next layer but in a later one has a *lane*
 * (dummy node) in every layer between, shared by all its readers.
 */
import { places, type Netlist } from './netlist'

export type Kind = 'board' | 'gate' | 'lane' | 'output'

export interface Item {
  kind: Kind
  /** Channel of a board or an output, index of a gate, or value number of a lane. */
  of: number
  layer: number
  /** Segments that end at the item (`before`) and segments that begin at the item (`after`). */
  before: Segment[]
  after: Segment[]
  /** Index of the item in its layer, 0 at the top. */
  order: number
  /** Mean index of the item's neighbors in the adjacent layer (barycenter). */
  wish: number
  /** Height, half the width, and minimum vertical distance to other items, in units of the drawing. */
  height: number
  half: number
  gap: number
  /** Vertical position of the item's center, in units of the drawing. */
  y: number
}

/** Wire segment between adjacent layers. */
export interface Segment {
  value: number
  from: Item
  to: Item
  /**
   * Vertical offsets of the segment's ends from the centers of the items `from` and `to`, and rank of the segment among
   * the segments that leave `from`.
   */
  leaves: number
  arrives: number
  rank: number
  /** Whether the segment ends at the second input of a gate. */
  second: boolean
}

export interface Layers {
  layers: Item[][]
  /** [gates] item of each gate; null if the gate is not drawn. */
  gates: (Item | null)[]
  /** Side of a cell of an input board, in units of the drawing. */
  cell: number
}

export const gateWidth = 34
export const gateHeight = 24
export const outputSize = 20

/** Possible sides of a cell of an input board, in units of the drawing; fewer boards have larger cells. */
const cells = [14, 24, 34, 46] as const

/**
 * Returns the vertical offset, from the center of a board, at which the wire of neighborhood position `place` begins.
 */
export function pin(place: number, cell: number): number {
  return (Math.floor(place / 3) - 1 + 0.3 * ((place % 3) - 1)) * cell
}

/** Builds the layers of a circuit; only the `most` gates with the lowest depth are drawn. */
export function layered(net: Netlist, most = Infinity): Layers {
  const shown = drawn(net, most)
  const last = shownDepth(net, shown) + 1
  const layers: Item[][] = Array.from({ length: last + 1 }, () => [])
  const read = readChannels(net, shown)
  const boardCount = read.reduce((sum, one) => sum + Number(one), 0)
  const cell = cellFor(boardCount, mostAbreast(net, shown))
  const sizes = {
    board: { height: 3 * cell, half: 1.5 * cell, gap: 15 },
    gate: { height: gateHeight, half: gateWidth / 2, gap: 11 },
    lane: { height: 0, half: gateWidth / 2, gap: 8 },
    output: { height: outputSize, half: outputSize / 2, gap: 11 },
  }
  const add = (kind: Kind, of: number, layer: number): Item => {
    const order = layers[layer]!.length
    const item = { kind, of, layer, before: [], after: [], order, wish: 0, y: 0, ...sizes[kind] }
    layers[layer]!.push(item)
    return item
  }

  const boards: (Item | null)[] = []
  for (let c = 0; c < net.channels; c++) boards.push(read[c] ? add('board', c, 0) : null)
  const layerOf = gateLayers(net, shown, last)
  const gates: (Item | null)[] = Array.from({ length: net.gates }, (_, g) =>
    shown[g] ? add('gate', g, layerOf[g]!) : null,
  )
  const outputs = Array.from(net.outputs, (_, c) => add('output', c, last))

  // Items of each value: its source, followed by its lanes.
  const lanes = new Map<number, Item[]>()
  const source = (value: number): Item | null =>
    value < net.inputs ? boards[Math.floor(value / places)]! : gates[value - net.inputs]!
  const join = (value: number, from: Item, to: Item, second: boolean) => {
    const segment = {
      value,
      from,
      to,
      leaves: from.kind === 'board' ? pin(value % places, cell) : 0,
      arrives: 0,
      rank: from.kind === 'board' ? (value % places) - 4 : 0,
      second,
    }
    from.after.push(segment)
    to.before.push(segment)
  }
  const wire = (value: number, to: Item, second: boolean) => {
    const start = source(value)
    if (!start) return
    let way = lanes.get(value)
    if (!way) lanes.set(value, (way = [start]))
    for (let layer = start.layer + way.length; layer < to.layer; layer++) {
      const lane = add('lane', value, layer)
      join(value, way.at(-1)!, lane, false)
      way.push(lane)
    }
    join(value, way[to.layer - 1 - start.layer]!, to, second)
  }
  for (const gate of gates) {
    if (!gate) continue
    const [a, b] = [net.a[gate.of]!, net.b[gate.of]!]
    if (a >= 0) wire(a, gate, false)
    if (b >= 0) wire(b, gate, true)
  }
  for (const output of outputs) wire(net.outputs[output.of]!, output, false)
  return { layers, gates, cell }
}

/** Returns an array [gates] with 1 for the `most` gates with the lowest depth, else 0. */
export function drawn(net: Netlist, most: number): Uint8Array {
  if (net.gates <= most) return new Uint8Array(net.gates).fill(1)
  const depth = (g: number) => net.depth[net.inputs + g]!
  const byDepth = Array.from({ length: net.gates }, (_, g) => g).sort((p, q) => depth(p) - depth(q) || p - q)
  const shown = new Uint8Array(net.gates)
  for (const g of byDepth.slice(0, most)) shown[g] = 1
  return shown
}

/** Returns the maximum number of drawn gates of the same depth. */
function mostAbreast(net: Netlist, shown: Uint8Array): number {
  const abreast = new Int32Array(net.deepest + 1)
  for (let g = 0; g < net.gates; g++) if (shown[g]) abreast[net.depth[net.inputs + g]!]!++
  return Math.max(...abreast)
}

/** Returns the cell side for which all boards together are about two thirds as high as the tallest column of gates. */
function cellFor(boards: number, abreast: number): number {
  const room = (0.66 * abreast * (gateHeight + 11)) / Math.max(1, 3 * boards)
  return cells.findLast((cell) => cell <= room) ?? cells[boards > 16 ? 0 : 1]
}

function shownDepth(net: Netlist, shown: Uint8Array): number {
  let deepest = 0
  for (let g = 0; g < net.gates; g++) {
    // Constants have depth 0 but are drawn in a gate layer.
    if (shown[g]) deepest = Math.max(deepest, 1, net.depth[net.inputs + g]!)
  }
  return deepest
}

/** Returns the layer of each gate, [gates]: its depth or, for a constant, the layer before its first reader. */
function gateLayers(net: Netlist, shown: Uint8Array, last: number): Int32Array {
  const layerOf = net.depth.slice(net.inputs)
  const first = new Int32Array(net.gates).fill(last)
  for (let g = 0; g < net.gates; g++) {
    if (!shown[g]) continue
    for (const value of [net.a[g]!, net.b[g]!]) {
      const read = value - net.inputs
      if (value >= net.inputs) first[read] = Math.min(first[read]!, Math.max(2, layerOf[g]!))
    }
  }
  for (let g = 0; g < net.gates; g++) {
    if (net.a[g]! < 0 && net.b[g]! < 0) layerOf[g] = Math.max(1, first[g]! - 1)
  }
  return layerOf
}

/** Returns an array [channels]: whether a drawn gate or an output reads the channel. */
function readChannels(net: Netlist, shown: Uint8Array): boolean[] {
  const read = Array.from({ length: net.channels }, () => false)
  const mark = (value: number) => {
    if (value >= 0 && value < net.inputs) read[Math.floor(value / places)] = true
  }
  for (let g = 0; g < net.gates; g++) {
    if (!shown[g]) continue
    mark(net.a[g]!)
    mark(net.b[g]!)
  }
  net.outputs.forEach(mark)
  return read
}
