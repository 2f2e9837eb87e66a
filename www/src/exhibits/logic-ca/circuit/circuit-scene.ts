/** Displayed circuit with its netlist, layout and gate names. */
import type { Layout } from './layout'
import type { CircuitFrame, Netlist } from './netlist'

export interface CircuitScene {
  net: Netlist
  layout: Layout
  names: string[]
  frame: CircuitFrame
}
