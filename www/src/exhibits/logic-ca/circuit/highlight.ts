/**
 * The highlighted part of a circuit: a selected value, the values that it depends on, and the values that depend on it.
 */
import type { Layout } from './layout'
import { cone, type Netlist } from './netlist'

export interface Highlight {
  /** Number of the selected value. */
  value: number
  /** [values] marks of [`cone`](./netlist.ts); 0 for values that are not highlighted. */
  values: Uint8Array
  /** [wire segments] 1 for highlighted segments, else 0. */
  wires: Uint8Array
}

const reads = 1
const isRead = 2

export function highlightOf(net: Netlist, layout: Layout, value: number): Highlight {
  const marks = cone(net, value)
  const { count, values, readers, layers } = layout.wires
  const wires = new Uint8Array(count)
  // From right to left, because a segment that continues is highlighted if its continuation is highlighted.
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
  return { value, values: marks, wires }
}
