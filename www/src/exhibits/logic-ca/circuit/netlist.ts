/**
 * A circuit as a graph. **Value numbers**: first the inputs, 9·channel + position in the 3×3 neighborhood (0 to 8, row
 * by row, 4 = the cell itself), then the gates in topological order. A gate reads only values with lower numbers.
 */
import { number } from '../../../lib/format'
import { gateFunctions, valueOf } from './functions'

/** Number of cells of a neighborhood, and neighborhood position of the cell itself. */
export const places = 9
export const center = 4

/** Circuit data of a frame. */
export interface CircuitFrame {
  /** [gates, 4] function number, values of the first and second input, and index of the trained gate or −1. */
  gates: Float32Array
  /** [channels] value numbers of the cell's next channels. */
  outputs: Float32Array
  /** Number that identifies the circuit. */
  version: number
  /** Number of gates of the circuit before and after simplification. */
  before: number
  after: number
}

/**
 * Returns the number of channels that the next step of a cell changes. `signals`: [inputs + gates] bit on each wire. Returns null
 * if the signals belong to another circuit.
 */
export function changedBits(outputs: ArrayLike<number>, signals: ArrayLike<number>): number | null {
  let changed = 0
  for (let channel = 0; channel < outputs.length; channel++) {
    const [now, next] = [signals[places * channel + center], signals[outputs[channel]!]]
    if (now === undefined || next === undefined) return null
    if (now !== next) changed++
  }
  return changed
}

/**
 * Returns the bit of the first channel of the cell, which belongs to the target, and its bit after the next step; null as
 * {@link changedBits}.
 */
export function targetBits(
  outputs: ArrayLike<number>,
  signals: ArrayLike<number>,
): [now: number, next: number] | null {
  const [now, next] = [signals[center], signals[outputs[0] ?? -1]]
  return now === undefined || next === undefined ? null : [now, next]
}

/** Returns the number of gates of a simplified circuit by function, [16]. */
export function functionCounts({ gates }: CircuitFrame): Float32Array {
  const counts = new Float32Array(gateFunctions.length)
  for (let at = 0; at < gates.length; at += 4) counts[gates[at]!]!++
  return counts
}

export interface Netlist {
  channels: number
  inputs: number
  gates: number
  /** [gates] function numbers. */
  functions: Uint8Array
  /** [gates] value numbers of the inputs; −1 if the function does not depend on the input. */
  a: Int32Array
  b: Int32Array
  /** [gates] index of the trained gate that the gate was derived from, or −1 for a circuit from a file. */
  trainedGates: Int32Array
  /** [channels] value numbers of the cell's next channels. */
  outputs: Int32Array
  /** [values] logic depth: maximum number of gates from an input. Inputs and constants have depth 0. */
  depth: Int32Array
  /** Maximum depth of a value. */
  deepest: number
}

/** Builds the graph of a frame's circuit. */
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
    trainedGates: new Int32Array(gates),
    outputs: Int32Array.from(frame.outputs),
    depth: new Int32Array(inputs + gates),
    deepest: 0,
  }
  for (let g = 0; g < gates; g++) {
    const [f, a, b, trained] = frame.gates.subarray(4 * g, 4 * g + 4) as unknown as [
      number,
      number,
      number,
      number,
    ]
    const { readsA, readsB } = gateFunctions[f]!
    net.functions[g] = f
    net.trainedGates[g] = trained
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

/** Evaluates the circuit for the input bits `bits`. Returns the bit of each value, [values]. */
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
 * Returns the cone of a value as marks, [values]: 1 for values that it depends on, 2 for values that depend on it, 3
 * for the value itself, else 0.
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

/** Returns the number of bits of the neighborhood that the next bit of channel `output` depends on, for each channel. */
export function inputCounts(net: Netlist, output: number): number[] {
  const marks = cone(net, net.outputs[output]!)
  return Array.from({ length: net.channels }, (_, channel) =>
    marks.subarray(places * channel, places * (channel + 1)).reduce((count, mark) => count + (mark & 1), 0),
  )
}

/** Returns the number of gates that read each value (fan-out), [values]. */
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

/** Returns the name of a value: `g12`, or `neighbor NE, channel 0` (the channel only if there are several channels). */
export function valueName(net: Netlist, value: number, channelNames: readonly string[] = []): string {
  if (value >= net.inputs) return `g${value - net.inputs}`
  const channel = Math.floor(value / places)
  const place = compass[value % places]!
  return net.channels === 1 ? place : `${place}, ${channelName(channel, channelNames)}`
}

export function channelName(channel: number, names: readonly string[] = []): string {
  return names[channel] ?? `channel ${channel}`
}

/** Returns a description of a gate, such as `XOR of g12 and neighbor NE, channel 0`. */
export function gateSentence(net: Netlist, gate: number, channelNames: readonly string[] = []): string {
  const { name } = gateFunctions[net.functions[gate]!]!
  const [a, b] = [net.a[gate]!, net.b[gate]!].map((v) => (v < 0 ? '' : valueName(net, v, channelNames)))
  if (a && b) {
    // A semicolon separates names that contain commas.
    const both = (a + b).includes(',') ? `${a}; and ${b}` : `${a} and ${b}`
    return /[AB]/.test(name.replace(/AND|NAND/g, '')) ? worded(name, a, b) : `${name} of ${both}`
  }
  if (a || b) return name.startsWith('NOT') ? `NOT ${a || b}` : `${a || b}, passed through`
  return name === 'TRUE' ? 'Always 1' : 'Always 0'
}

/** Replaces A and B in a function name, such as `A AND NOT B`, by the names of the inputs. */
function worded(name: string, a: string, b: string): string {
  return name
    .split(' ')
    .map((word) => (word === 'A' ? a : word === 'B' ? b : word))
    .join(' ')
}

/**
 * Describes the circuit before simplification. `trained` is the number of trained gates, or null for a circuit from a
 * file.
 */
export function unsimplified(gates: number, trained: number | null): string {
  const whole = `Before simplification: ${number(gates, 0)} gates`
  return trained === null || trained === gates
    ? `${whole}.`
    : `${whole}, from ${number(trained, 0)} trained gates; kernel gates count once per channel.`
}
