/**
 * Animated transition between two layouts: parts of both layouts move, new parts fade in, removed parts fade out.
 */
import type { Layout } from './layout'

export interface Placement {
  gateX: Float32Array
  gateY: Float32Array
  /** [wire segments, 4] x and y of both ends. */
  ends: Float32Array
  /** Side of a cell of an input board, in units of the drawing. */
  cell: number
  boardY: Float32Array
  outputX: Float32Array
  outputY: Float32Array
  /** [gates] and [wire segments] 1 for new parts, else 0. */
  freshGates: Uint8Array
  freshWires: Uint8Array
}

/** Returns the placement of a layout when no transition runs. */
export function restPlacement(layout: Layout): Placement {
  return {
    gateX: layout.gateX,
    gateY: layout.gateY,
    ends: layout.wires.ends,
    cell: layout.cell,
    boardY: Float32Array.from(layout.boards, ({ y }) => y),
    outputX: Float32Array.from(layout.outputs, ({ x }) => x),
    outputY: Float32Array.from(layout.outputs, ({ y }) => y),
    freshGates: new Uint8Array(layout.gateX.length),
    freshWires: new Uint8Array(layout.wires.count),
  }
}

/** Transition from one layout to another, as a function of time. */
export interface Transition {
  /** Returns the placement of the new layout's parts at time t, 0 (old positions) to 1 (new positions). */
  at(t: number): Placement
  /** Indices of the gates and wire segments of the old layout that the new layout does not have. */
  gone: { gates: number[]; wires: number[] }
}

/** Creates a transition; gates with the same name correspond to each other. */
export function transition(
  from: { layout: Layout; names: readonly string[] },
  to: { layout: Layout; names: readonly string[] },
): Transition {
  const start = restPlacement(to.layout)
  const rest = restPlacement(to.layout)
  start.gateX = rest.gateX.slice()
  start.gateY = rest.gateY.slice()
  start.ends = rest.ends.slice()
  start.cell = from.layout.cell

  const gatesBefore = new Map(from.names.map((name, g) => [name, g]))
  const gates = new Set<number>()
  for (const [g, name] of to.names.entries()) {
    const old = gatesBefore.get(name)
    if (old === undefined || Number.isNaN(from.layout.gateX[old]!)) {
      start.freshGates[g] = 1
      continue
    }
    gates.add(old)
    start.gateX[g] = from.layout.gateX[old]!
    start.gateY[g] = from.layout.gateY[old]!
  }

  const wiresBefore = new Map(from.layout.wires.keys.map((key, s) => [key, s]))
  const wires = new Set<number>()
  for (const [s, key] of to.layout.wires.keys.entries()) {
    const old = wiresBefore.get(key)
    if (old === undefined) {
      start.freshWires[s] = 1
      continue
    }
    wires.add(old)
    start.ends.set(from.layout.wires.ends.subarray(4 * old, 4 * old + 4), 4 * s)
  }

  const boards = new Map(from.layout.boards.map((board) => [board.channel, board]))
  const outputs = new Map(from.layout.outputs.map((output) => [output.channel, output]))
  for (const [i, { channel, y }] of to.layout.boards.entries()) start.boardY[i] = boards.get(channel)?.y ?? y
  for (const [i, { channel, x, y }] of to.layout.outputs.entries()) {
    start.outputX[i] = outputs.get(channel)?.x ?? x
    start.outputY[i] = outputs.get(channel)?.y ?? y
  }

  const mix = (a: Float32Array, b: Float32Array, t: number) => a.map((v, i) => v + (b[i]! - v) * t)
  const all = (count: number) => Array.from({ length: count }, (_, i) => i)
  return {
    at: (t) => ({
      ...start,
      gateX: mix(start.gateX, rest.gateX, t),
      gateY: mix(start.gateY, rest.gateY, t),
      ends: mix(start.ends, rest.ends, t),
      cell: start.cell + (rest.cell - start.cell) * t,
      boardY: mix(start.boardY, rest.boardY, t),
      outputX: mix(start.outputX, rest.outputX, t),
      outputY: mix(start.outputY, rest.outputY, t),
    }),
    gone: {
      gates: all(from.names.length).filter((g) => !gates.has(g) && !Number.isNaN(from.layout.gateX[g]!)),
      wires: all(from.layout.wires.count).filter((s) => !wires.has(s)),
    },
  }
}
