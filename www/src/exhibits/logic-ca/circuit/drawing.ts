/**
 * A drawing of a circuit as a few large paths, so that thousands of gates cost a dozen canvas calls. Separate paths for
 * signals 0 and 1, highlighted and other parts, and new parts.
 */
import { gateHeight, gateWidth, outputSize, pin } from './layers'
import type { Layout } from './layout'
import type { Highlight } from './highlight'
import { center, places, type Netlist } from './netlist'
import type { Placement } from './transition'
import { back, body, leadIn, leadOut } from './symbols'

/** Paths with the same style. */
export interface Group {
  /** Whether the signal of the parts is 1. */
  lit: boolean
  /** Whether the parts are outside of the highlight. */
  aside: boolean
  /** Whether the parts are new, that is, absent in the previous circuit. */
  fresh: boolean
  wires: Path2D
  bodies: Path2D
  lines: Path2D
  cells: Path2D
  pins: Path2D
}

export interface Drawing {
  groups: Group[]
  /** Cells of the input boards that no gate reads. */
  unread: Path2D
}

export interface Subject {
  net: Netlist
  layout: Layout
  placement: Placement
  /** [values] signal (0 or 1) of each input and gate; null before the first signals. */
  signals: Uint8Array | null
  /** Highlighted part of the circuit; null if all parts have the same emphasis. */
  light: Highlight | null
}

/** Level of detail of a drawing. */
export interface Detail {
  /** Whether gates are drawn as symbols. */
  symbols: boolean
  /** Whether the start points of wires on input boards are drawn. */
  pins: boolean
}

export function detailAt(scale: number, layout: Layout): Detail {
  return { symbols: scale * gateHeight >= 4.5, pins: scale * layout.cell >= 9 }
}

export function drawing(subject: Subject, detail: Detail): Drawing {
  const { net, layout, placement, signals, light } = subject
  const groups: Group[] = Array.from({ length: 8 }, (_, i) => ({
    lit: (i & 1) > 0,
    aside: (i & 2) > 0,
    fresh: (i & 4) > 0,
    wires: new Path2D(),
    bodies: new Path2D(),
    lines: new Path2D(),
    cells: new Path2D(),
    pins: new Path2D(),
  }))
  const group = (lit: number | boolean | undefined, inLight: number | undefined, fresh: number | undefined) =>
    groups[(lit ? 1 : 0) + (inLight ? 0 : 2) + (fresh ? 4 : 0)]!
  const unread = new Path2D()

  const { wires } = layout
  for (let s = 0; s < wires.count; s++) {
    const path = group(signals?.[wires.values[s]!], light ? light.wires[s] : 1, placement.freshWires[s]).wires
    wire(path, placement.ends, s, wires.tails[s]!)
  }

  for (let g = 0; g < net.gates; g++) {
    const [x, y] = [placement.gateX[g]!, placement.gateY[g]!]
    if (Number.isNaN(x)) continue
    const value = net.inputs + g
    const fresh = placement.freshGates[g]
    const to = group(signals?.[value], light ? light.values[value] : 1, fresh)
    if (detail.symbols) {
      const swapped = layout.swapped[g] === 1
      const f = net.functions[g]!
      body(to.bodies, f, swapped, x, y)
      back(to.lines, f, x, y)
      leadOut(to.wires, f, x, y)
      for (const [second, read] of [[false, net.a[g]!] as const, [true, net.b[g]!] as const]) {
        if (read < 0) continue
        const from = group(signals?.[read], light ? light.values[value]! & light.values[read]! : 1, fresh)
        leadIn(from.wires, f, second, swapped, x, y)
      }
    } else {
      to.bodies.rect(x - gateWidth / 2, y - gateHeight / 2, gateWidth, gateHeight)
    }
  }

  const used = inputsRead(layout, net)
  const { cell } = placement
  for (const [i, { channel }] of layout.boards.entries()) {
    const y = placement.boardY[i]!
    for (let place = 0; place < places; place++) {
      const value = channel * places + place
      const to = group(signals?.[value], light ? light.values[value] : 1, 0)
      const [left, top] = [(place % 3) * cell, y + (Math.floor(place / 3) - 1.5) * cell]
      const room = 0.05 * cell
      const path = used[value] ? to.cells : to.lit ? to.cells : unread
      path.roundRect(left + room, top + room, cell - 2 * room, cell - 2 * room, 0.13 * cell)
      if (place === center) {
        to.lines.roundRect(left - 1, top - 1, cell + 2, cell + 2, 0.17 * cell)
      }
      if (!used[value] || !detail.pins) continue
      const level = y + pin(place, cell)
      const start = left + cell / 2
      to.pins.moveTo(3 * cell, level)
      to.pins.lineTo(start + 1.6, level)
      to.pins.arc(start, level, 1.6, 0, 2 * Math.PI)
    }
  }

  for (const [i, { channel }] of layout.outputs.entries()) {
    const [x, y] = [placement.outputX[i]!, placement.outputY[i]!]
    const value = net.outputs[channel]!
    const to = group(signals?.[value], light ? light.values[value] : 1, 0)
    to.cells.roundRect(x - outputSize / 2, y - outputSize / 2, outputSize, outputSize, 3.5)
    to.lines.roundRect(x - outputSize / 2 - 2, y - outputSize / 2 - 2, outputSize + 4, outputSize + 4, 5)
  }
  return { groups, unread }
}

/**
 * Adds wire segment `s` to a path: an S-curve between its `ends`, followed by a straight part of length `tail` through
 * a layer that the wire passes.
 */
export function wire(path: Path2D, ends: Float32Array, s: number, tail: number): void {
  const x0 = ends[4 * s]!
  const y0 = ends[4 * s + 1]!
  const x1 = ends[4 * s + 2]!
  const y1 = ends[4 * s + 3]!
  path.moveTo(x0, y0)
  if (Math.abs(y1 - y0) < 0.3) {
    path.lineTo(x1, y1)
  } else {
    const bend = (x1 - x0) * 0.5
    path.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1, y1)
  }
  if (tail > 0) path.lineTo(x1 + tail, y1)
}

/** Returns an array [values] with 1 for each input that a drawn gate or output reads. */
function inputsRead(layout: Layout, net: Netlist): Uint8Array {
  const used = new Uint8Array(net.inputs)
  for (const value of layout.wires.values) if (value < net.inputs) used[value] = 1
  return used
}
