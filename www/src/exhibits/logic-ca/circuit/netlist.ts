/**
 * A circuit as a graph. **Values** are numbered: first the inputs, 9·channel + place with the places of the
 * neighborhood row by row, so that 4 is the cell itself; then the gates in their order. A gate reads values
 * of lower numbers only.
 */
import { gateFunctions, valueOf } from './functions'

/** Cells of a neighborhood, and which of them is the cell itself. */
export const places = 9
export const center = 4

/** A circuit as it comes in frames. */
export interface CircuitFrame {
  /** [gates, 4]: function, first input, second input, and the learned gate that it comes from or −1. */
  gates: Float32Array
  /** [channels]: the values that become the cell's next channels. */
  outputs: Float32Array
  /** Another number for another circuit. */
  version: number
  /** Gates of a cell before and after what makes no difference was taken away. */
  before: number
  after: number
}

export interface Netlist {
  channels: number
  inputs: number
  gates: number
  /** [gates] */
  functions: Uint8Array
  /** [gates] the values read; −1 where an input makes no difference. */
  a: Int32Array
  b: Int32Array
  /** [gates] the learned gate that it comes from, or −1. */
  learned: Int32Array
  /** [channels] */
  outputs: Int32Array
  /** [values] the longest way from an input, in gates. Inputs and constants have depth 0. */
  depth: Int32Array
  /** The greatest depth. */
  deepest: number
}

/** The graph of a circuit. */
export function netlist(frame: Pick<CircuitFrame, 'gates' | 'outputs'>): Netlist {
  const channels = frame.outputs.length
  const inputs = places * channels
  const gates = frame.gates.length >> 2
  const net: Netlist = {
    channels,
    inputs,
    gates,
    functions: new Uint8Array(gates),
    a: new Int32Array(gates),
    b: new Int32Array(gates),
    learned: new Int32Array(gates),
    outputs: Int32Array.from(frame.outputs),
    depth: new Int32Array(inputs + gates),
    deepest: 0,
  }
  for (let g = 0; g < gates; g++) {
    const [f, a, b, learned] = frame.gates.subarray(4 * g, 4 * g + 4) as unknown as [
      number,
      number,
      number,
      number,
    ]
    const { readsA, readsB } = gateFunctions[f]!
    net.functions[g] = f
    net.learned[g] = learned
    net.a[g] = readsA ? a : -1
    net.b[g] = readsB ? b : -1
    if (readsA || readsB) {
      const depth = 1 + Math.max(readsA ? net.depth[a]! : 0, readsB ? net.depth[b]! : 0)
      net.depth[inputs + g] = depth
      net.deepest = Math.max(net.deepest, depth)
    }
  }
  return net
}

/** The values of all wires where the inputs have these values. */
export function evaluate(net: Netlist, bits: ArrayLike<number>): Uint8Array {
  const values = new Uint8Array(net.inputs + net.gates)
  for (let i = 0; i < net.inputs; i++) values[i] = bits[i] ? 1 : 0
  for (let g = 0; g < net.gates; g++) {
    const [a, b] = [net.a[g]!, net.b[g]!]
    values[net.inputs + g] = valueOf(net.functions[g]!, a < 0 ? 0 : values[a]!, b < 0 ? 0 : values[b]!)
  }
  return values
}

/**
 * For every value whether `value` depends on it (1), it depends on `value` (2), or it is `value` itself (3).
 */
export function cone(net: Netlist, value: number): Uint8Array {
  const marks = new Uint8Array(net.inputs + net.gates)
  const mark = (read: number) => {
    if (read >= 0) marks[read] = 1
  }
  marks[value] = 1
  for (let v = value; v >= net.inputs; v--) {
    if (!marks[v]) continue
    mark(net.a[v - net.inputs]!)
    mark(net.b[v - net.inputs]!)
  }
  marks[value] = 3
  for (let v = Math.max(net.inputs, value + 1); v < marks.length; v++) {
    const [a, b] = [net.a[v - net.inputs]!, net.b[v - net.inputs]!]
    if ((a >= 0 && marks[a]! & 2) || (b >= 0 && marks[b]! & 2)) marks[v] = 2
  }
  return marks
}

/** For every value how many gates read it. */
export function readers(net: Netlist): Int32Array {
  const count = new Int32Array(net.inputs + net.gates)
  for (let g = 0; g < net.gates; g++) {
    if (net.a[g]! >= 0) count[net.a[g]!]!++
    if (net.b[g]! >= 0 && net.b[g] !== net.a[g]) count[net.b[g]!]!++
  }
  return count
}

const compass = [
  'neighbor NW',
  'neighbor N',
  'neighbor NE',
  'neighbor W',
  'the cell itself',
  'neighbor E',
  'neighbor SW',
  'neighbor S',
  'neighbor SE',
] as const

/** What a value is called: `g12`, or `neighbor NE, channel 0` (the channel only if there are several). */
export function valueName(net: Netlist, value: number, channelNames: readonly string[] = []): string {
  if (value >= net.inputs) return `g${value - net.inputs}`
  const channel = Math.floor(value / places)
  const place = compass[value % places]!
  return net.channels === 1 ? place : `${place}, ${channelName(channel, channelNames)}`
}

export function channelName(channel: number, names: readonly string[] = []): string {
  return names[channel] ?? `channel ${channel}`
}

/** A gate in words: `XOR of g12 and neighbor NE, channel 0`. */
export function gateSentence(net: Netlist, gate: number, channelNames: readonly string[] = []): string {
  const { name } = gateFunctions[net.functions[gate]!]!
  const [a, b] = [net.a[gate]!, net.b[gate]!].map((v) => (v < 0 ? '' : valueName(net, v, channelNames)))
  if (a && b) {
    // Between two names with commas in them, a plain "and" is hard to see.
    const both = (a + b).includes(',') ? `${a}; and ${b}` : `${a} and ${b}`
    return /[AB]/.test(name.replace(/AND|NAND/g, '')) ? worded(name, a, b) : `${name} of ${both}`
  }
  if (a || b) return name.startsWith('NOT') ? `NOT ${a || b}` : `${a || b}, handed on`
  return name === 'TRUE' ? 'Always 1' : 'Always 0'
}

/** `A AND NOT B` with the names of its inputs. */
function worded(name: string, a: string, b: string): string {
  return name
    .split(' ')
    .map((word) => (word === 'A' ? a : word === 'B' ? b : word))
    .join(' ')
}
