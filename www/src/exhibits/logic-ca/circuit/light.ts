/** The highlighted part of a circuit: a value, the values it depends on, and those that depend on it. */
import type { Layout } from './layout'
import { cone, type Netlist } from './netlist'

export interface Light {
  /** [values] as [`cone`](./netlist.ts) marks them: 0 outside. */
  values: Uint8Array
  /** [pieces of wire] */
  wires: Uint8Array
}

const reads = 1
const isRead = 2

export function lightOn(net: Netlist, layout: Layout, value: number): Light {
  const marks = cone(net, value)
  const { count, values, readers, layers } = layout.wires
  const wires = new Uint8Array(count)
  // From right to left, as they are listed by layer: a piece that leads to another one is in the light if
  // that one is.
  const lit = new Set<number>()
  const numbered = layout.columns.length + 1
  for (let s = count - 1; s >= 0; s--) {
    const [source, reader] = [values[s]!, readers[s]!]
    const shared = reader >= 0 ? marks[source]! & marks[reader]! : reader < -1 ? marks[source]! & isRead : 0
    const onwards = reader === -1 && lit.has(source * numbered + layers[s]! + 1)
    if (!onwards && (shared & (reads | isRead)) === 0) continue
    wires[s] = 1
    lit.add(source * numbered + layers[s]!)
  }
  return { values: marks, wires }
}
