/** The circuit on show, with what was computed of it. */
import type { Layout } from './layout'
import type { CircuitFrame, Netlist } from './netlist'

export interface Shown {
  net: Netlist
  layout: Layout
  names: string[]
  frame: CircuitFrame
}
