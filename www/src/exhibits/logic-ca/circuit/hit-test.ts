/** Hit testing: the value (gate or input) at a point of the drawing, and keyboard navigation between values. */
import { gateHeight, gateWidth, outputSize } from './layers'
import type { Layout } from './layout'
import { places, type Netlist } from './netlist'

/**
 * Returns the value whose symbol is at (x, y) or at most `reach` away; −1 for none. Lengths are in units of the
 * drawing.
 */
export function valueAt(net: Netlist, layout: Layout, x: number, y: number, reach: number): number {
  for (const board of layout.boards) {
    const column = Math.floor((x - board.x) / layout.cell + 1.5)
    const row = Math.floor((y - board.y) / layout.cell + 1.5)
    if (column >= 0 && column < 3 && row >= 0 && row < 3) return board.channel * places + 3 * row + column
  }
  for (const output of layout.outputs) {
    const far = Math.max(Math.abs(x - output.x), Math.abs(y - output.y))
    if (far <= outputSize / 2 + Math.max(4, reach)) return net.outputs[output.channel]!
  }
  let [best, least] = [-1, reach + 0.01]
  for (let g = 0; g < net.gates; g++) {
    const far = Math.max(
      Math.abs(x - layout.gateX[g]!) - gateWidth / 2,
      Math.abs(y - layout.gateY[g]!) - gateHeight / 2,
      0,
    )
    if (far < least) [best, least] = [net.inputs + g, far]
  }
  return best
}

/** Returns the position of a value in the drawing; null if the value is not drawn. */
export function place(net: Netlist, layout: Layout, value: number): { x: number; y: number } | null {
  if (value >= net.inputs) {
    const g = value - net.inputs
    return Number.isNaN(layout.gateX[g]!) ? null : { x: layout.gateX[g]!, y: layout.gateY[g]! }
  }
  const board = layout.boards.find(({ channel }) => channel === Math.floor(value / places))
  if (!board) return null
  const [column, row] = [value % 3, Math.floor((value % places) / 3)]
  return { x: board.x + (column - 1) * layout.cell, y: board.y + (row - 1) * layout.cell }
}

export type Direction = 'left' | 'right' | 'up' | 'down'

/** Returns the value that an arrow key selects: left and right along wires, up and down within the layer. */
export function neighborOf(net: Netlist, layout: Layout, value: number, way: Direction): number {
  const here = place(net, layout, value)
  if (!here) return value
  const near = (candidates: readonly number[]): number => {
    let [best, least] = [value, Infinity]
    for (const candidate of candidates) {
      const there = place(net, layout, candidate)
      const far = there ? Math.abs(there.y - here.y) + 0.1 * Math.abs(there.x - here.x) : Infinity
      if (far < least) [best, least] = [candidate, far]
    }
    return best
  }
  if (way === 'left') {
    const g = value - net.inputs
    return g < 0 ? value : near([net.a[g]!, net.b[g]!].filter((read) => read >= 0))
  }
  const gates = Array.from({ length: net.gates }, (_, g) => g)
  if (way === 'right') {
    return near(gates.filter((g) => net.a[g] === value || net.b[g] === value).map((g) => net.inputs + g))
  }
  // Inputs in numerical order, gates from top to bottom.
  const alike =
    value < net.inputs
      ? [...new Set(layout.wires.values)].filter((v) => v < net.inputs).sort((p, q) => p - q)
      : gates
          .filter((g) => layout.gateX[g] === here.x)
          .sort((p, q) => layout.gateY[p]! - layout.gateY[q]!)
          .map((g) => net.inputs + g)
  return alike[alike.indexOf(value) + (way === 'up' ? -1 : 1)] ?? value
}
