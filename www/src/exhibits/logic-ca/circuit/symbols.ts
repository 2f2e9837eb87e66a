/**
 * Distinctive-shape symbols of logic gates (IEEE Std 91), centered at (x, y), `gateWidth` wide including leads.
 */
import { gateFunctions, type GateFunction } from './functions'
import { gateHeight, gateWidth } from './layers'
import { portGap } from './layout'

/** Target of path commands: a `Path2D` or an {@link SvgPen}. */
export type Pen = Pick<
  CanvasPath,
  'moveTo' | 'lineTo' | 'arc' | 'quadraticCurveTo' | 'closePath' | 'rect' | 'roundRect'
>

const half = gateWidth / 2
const bubble = 2.7
/** Half the height of a gate body, in units of the drawing. */
const tall = gateHeight / 2 - 1

/** Adds the filled parts of a gate symbol: body and inversion bubbles. `swapped`: the second input is the upper one. */
export function body(pen: Pen, f: number, swapped: boolean, x: number, y: number): void {
  const gate = gateFunctions[f]!
  const nose = x + (gate.invertOutput ? half - 2 * bubble : half - 3)
  switch (gate.outline) {
    case 'and':
      pen.moveTo(x - 10, y - tall)
      pen.lineTo(nose - tall, y - tall)
      pen.arc(nose - tall, y, tall, -Math.PI / 2, Math.PI / 2)
      pen.lineTo(x - 10, y + tall)
      pen.closePath()
      break
    case 'or':
    case 'xor': {
      const back = x + (gate.outline === 'xor' ? -9 : -11.5)
      pen.moveTo(back, y - tall)
      pen.quadraticCurveTo(nose - 7, y - tall, nose, y)
      pen.quadraticCurveTo(nose - 7, y + tall, back, y + tall)
      pen.quadraticCurveTo(back + 7, y, back, y - tall)
      pen.closePath()
      break
    }
    case 'buffer':
      pen.moveTo(x - 8, y - 9)
      pen.lineTo(gate.invertOutput ? x + 8 : x + 9, y)
      pen.lineTo(x - 8, y + 9)
      pen.closePath()
      break
    case 'constant':
      pen.roundRect(x - 6, y - 8, 16, 16, 3)
  }
  const round = (cx: number, cy: number) => {
    pen.moveTo(cx + bubble, cy)
    pen.arc(cx, cy, bubble, 0, 2 * Math.PI)
  }
  if (gate.invertOutput) round(gate.outline === 'buffer' ? x + 8 + bubble : x + half - bubble, y)
  if (gate.invertA) round(edge(gate, x) - bubble, y + port(gate, false, swapped))
  if (gate.invertB) round(edge(gate, x) - bubble, y + port(gate, true, swapped))
}

/** Adds the line from an input port to the body of a gate symbol. */
export function leadIn(pen: Pen, f: number, second: boolean, swapped: boolean, x: number, y: number): void {
  const gate = gateFunctions[f]!
  if (!(second ? gate.readsB : gate.readsA)) return
  const level = y + port(gate, second, swapped)
  const inverted = second ? gate.invertB : gate.invertA
  pen.moveTo(x - half, level)
  pen.lineTo(edge(gate, x) - (inverted ? 2 * bubble : 0), level)
}

/** Adds the line from the body of a gate symbol to its output port. */
export function leadOut(pen: Pen, f: number, x: number, y: number): void {
  const gate = gateFunctions[f]!
  const end =
    gate.outline === 'buffer'
      ? x + 8 + (gate.invertOutput ? 2 * bubble : 1)
      : gate.outline === 'constant'
        ? x + 10
        : x + half - (gate.invertOutput ? 0 : 3)
  if (end >= x + half) return
  pen.moveTo(end, y)
  pen.lineTo(x + half, y)
}

/** Adds the second curve at the input side of the symbols of XOR and XNOR. */
export function back(pen: Pen, f: number, x: number, y: number): void {
  if (gateFunctions[f]!.outline !== 'xor') return
  pen.moveTo(x - 13, y - tall)
  pen.quadraticCurveTo(x - 6, y, x - 13, y + tall)
}

/** Returns the vertical offset of an input port from the center of the symbol; positive is down. */
function port(gate: GateFunction, second: boolean, swapped: boolean): number {
  if (!gate.readsA || !gate.readsB) return 0
  return second !== swapped ? portGap : -portGap
}

/** Returns the horizontal position at which the body begins, at the height of its inputs. */
function edge(gate: GateFunction, x: number): number {
  switch (gate.outline) {
    case 'and':
      return x - 10
    case 'or':
      return x - 9.2
    case 'xor':
      return x - 6.8
    default:
      return x - 8
  }
}
