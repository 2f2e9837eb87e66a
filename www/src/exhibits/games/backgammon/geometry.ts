/** Geometry of the board in pixels, for any box size. */
import { BAR, OFF, slots, type Seat, type Slot } from '../model/checkers'
import type { Token } from './tokens'

export interface Point {
  x: number
  y: number
}

export interface Box extends Point {
  width: number
  height: number
}

/** Font sizes on the board, CSS pixels. */
export interface TextSizes {
  number: number
  name: number
}

const pageText: TextSizes = { number: 10, name: 12.5 }

export interface Geometry {
  width: number
  height: number
  /** Diameter of a checker. */
  checker: number
  /** Width of a point. */
  column: number
  /** Height of a triangle. */
  triangle: number
  /** Playing area, without the text lines above and below. */
  field: Box
  bar: Box
  tray: Box
  /** Height of the text lines above and below the playing area. */
  strip: number
  /** Font sizes of the text lines: numbers of the points and names of the players. */
  text: TextSizes
}

/** Maximum number of checkers in an uncompressed stack. */
const deep = 5

export function geometry(width: number, height: number, text: TextSizes = pageText): Geometry {
  const narrow = width < 560
  const pad = narrow ? 4 : 12
  const strip = Math.round(7 + 0.75 * text.number + 8 + 0.75 * text.name + 6)
  // Twelve points, a bar and a tray, all nearly as wide as a checker.
  const [barWide, trayWide] = [1.06, 1.16]
  const columns = 12 + barWide + trayWide
  const high = height - 2 * strip
  const tallest = high / (2 * deep + 1.7)
  const column = Math.min((width - 2 * pad) / columns, tallest * 1.24)
  const checker = Math.min(column * (narrow ? 0.96 : 0.92), tallest)
  const wide = column * columns
  // On a narrow page the board has the height of its stacks and is centered.
  const tall = Math.min(high, checker * (2 * deep + (narrow ? 3 : 2.4)))
  const field = { x: (width - wide) / 2, y: (height - tall) / 2, width: wide, height: tall }
  return {
    width,
    height,
    checker,
    column,
    triangle: Math.min(tall / 2 - checker * 0.35, checker * (deep + 0.12)),
    field,
    bar: { x: field.x + 6 * column, y: field.y, width: barWide * column, height: tall },
    tray: {
      x: field.x + (12 + barWide) * column,
      y: field.y,
      width: trayWide * column,
      height: tall,
    },
    strip,
    text,
  }
}

/** Returns whether a slot is in the upper half of the board: points 13 to 24, and the tray and bar of seat 1. */
export function isUpper(slot: Slot): boolean {
  return slot >= 13 && slot !== BAR
}

/** Returns the center of a slot's column. */
export function columnX(g: Geometry, slot: Slot): number {
  if (slot === BAR || slot === 26) return g.bar.x + g.bar.width / 2
  if (slot === OFF || slot === 27) return g.tray.x + g.tray.width / 2
  // From the left: 12 … 7, bar, 6 … 1 below; 13 … 18, bar, 19 … 24 above.
  const at = slot <= 12 ? 12 - slot : slot - 13
  return g.field.x + (at + 0.5) * g.column + (at >= 6 ? g.bar.width : 0)
}

/** Returns the height of a borne-off checker, which is shown from the side. */
export function edge(g: Geometry): number {
  return Math.min(g.checker * 0.3, (g.field.height / 2 - g.checker * 0.5) / 15)
}

/** Returns the center of a checker: index `level` (from 0 at the rim) in a stack of `count` checkers. */
export function spot(g: Geometry, slot: Slot, level: number, count: number): Point {
  const x = columnX(g, slot)
  const up = isUpper(slot)
  const { y, height } = g.field
  const rim = (distance: number) => ({ x, y: up ? y + distance : y + height - distance })
  if (slot === OFF || slot === 27) return rim(g.checker * 0.12 + (level + 0.5) * edge(g))
  if (slot === BAR || slot === 26) {
    // From the middle of the bar outwards, leaving the middle free.
    const step = Math.min(g.checker * 1.02, (height / 2 - g.checker * 1.6) / Math.max(1, count - 1))
    const distance = g.checker * 0.9 + level * step
    return { x, y: y + height / 2 + (up ? -distance : distance) }
  }
  const step = count <= deep ? g.checker : (g.checker * (deep - 1)) / (count - 1)
  return rim(g.checker * 0.5 + 1 + level * step)
}

export interface CheckerShape {
  width: number
  height: number
  /** Whether the checker is borne off and shown from the side. */
  isOff: boolean
  /** Number of checkers, shown on the top checker of a compressed stack; null on the others. */
  count: number | null
}

/** Returns how a checker is drawn at its place. */
export function checkerShape(g: Geometry, { place, level, count }: Token): CheckerShape {
  if (place === OFF)
    return { width: g.checker * 0.94, height: Math.max(3, edge(g) - 1), isOff: true, count: null }
  const isCompressed = count > (place === BAR ? 3 : deep)
  return {
    ...{ width: g.checker, height: g.checker, isOff: false },
    count: isCompressed && level === count - 1 ? count : null,
  }
}

/** Returns the SVG path of the triangle of a point. */
export function triangle(g: Geometry, slot: Slot): string {
  const x = columnX(g, slot)
  const half = g.column * 0.46
  const { y, height } = g.field
  const [rim, tip] = isUpper(slot) ? [y, y + g.triangle] : [y + height, y + height - g.triangle]
  return `M${x - half} ${rim}H${x + half}L${x} ${tip}Z`
}

/** Returns the SVG path of the lines of the tray: its edge, and the middle. */
export const trayLines = ({ tray: { x, y, width, height } }: Geometry): string =>
  `M${x} ${y}v${height}M${x + width * 0.2} ${y + height / 2}h${width * 0.6}`

/** Returns the baselines of the text lines below (0) and above (1) the playing area: numbers of the points, and names. */
export function textLines({ field, text }: Geometry): { numbers: [number, number]; names: [number, number] } {
  const [below, above] = [field.y + field.height + 7 + 0.8 * text.number, field.y - 7]
  return {
    numbers: [below, above],
    names: [below + 7 + 0.8 * text.name, above - 0.75 * text.number - 8],
  }
}

/** Returns the center of the dice of a seat, and the size of a die. Seat 1 rolls in the left half. */
export const diceSpot = (g: Geometry, seat: Seat): Point & { size: number } => ({
  x: g.field.x + g.column * (seat === 1 ? 3 : 9) + (seat === 1 ? 0 : g.bar.width),
  y: g.field.y + g.field.height / 2,
  size: Math.min(44, g.checker * 0.86),
})

/** Returns center and size of the doubling cube: in the middle of the bar, or at the end of the bar of its owner. */
export function cubeSpot(g: Geometry, owner: 0 | 1 | null): Point & { size: number } {
  const size = Math.min(g.bar.width, g.checker) * 0.76
  const { y, height } = g.bar
  const rim = size / 2 + 2
  return {
    x: g.bar.x + g.bar.width / 2,
    y: owner === null ? y + height / 2 : owner === 0 ? y + height - rim : y + rim,
    size,
  }
}

/** Returns the box of a slot, which accepts the pointer. */
export function slotBox(g: Geometry, slot: Slot): Box {
  const half = g.field.height / 2
  const y = isUpper(slot) ? g.field.y : g.field.y + half
  const wide =
    slot === BAR || slot === 26 ? g.bar.width : slot === OFF || slot === 27 ? g.tray.width : g.column
  return { x: columnX(g, slot) - wide / 2, y, width: wide, height: half }
}

/** Returns the slot at a point: the nearest slot above or below the board, null beside the board. */
export function slotAt(g: Geometry, { x, y }: Point): Slot | null {
  const level = Math.max(g.field.y, Math.min(g.field.y + g.field.height - 1, y))
  const inside = (box: Box) =>
    x >= box.x && x < box.x + box.width && level >= box.y && level < box.y + box.height
  return slots.find((slot) => inside(slotBox(g, slot))) ?? null
}

/** Returns the slot among `some` that is nearest to a dropped checker; null if all are about a column away or more. */
export function nearest(g: Geometry, point: Point, some: readonly Slot[]): Slot | null {
  const at = slotAt(g, point)
  if (at !== null && some.includes(at)) return at
  const middle = g.field.y + g.field.height / 2
  const aside = (slot: Slot) => Math.abs(columnX(g, slot) - point.x)
  const near = some
    .filter((slot) => isUpper(slot) === point.y < middle && aside(slot) < g.column * 0.9)
    .sort((a, b) => aside(a) - aside(b))
  return near[0] ?? null
}

const rows: readonly (readonly Slot[])[] = [
  [13, 14, 15, 16, 17, 18, 26, 19, 20, 21, 22, 23, 24, 27],
  [12, 11, 10, 9, 8, 7, BAR, 6, 5, 4, 3, 2, 1, OFF],
]

/** Returns the neighbor of a slot in the direction of an arrow key; at an edge the slot itself. */
export function neighbor(slot: Slot, across: number, down: number): Slot {
  const row = rows[0]!.includes(slot) ? 0 : 1
  const at = rows[row]!.indexOf(slot)
  const next = rows[Math.max(0, Math.min(1, row + down))]!
  return next[Math.max(0, Math.min(next.length - 1, at + across))]!
}

export interface Arrow {
  /** SVG path of the shaft. */
  line: string
  /** SVG path of the filled head. */
  head: string
}

/** Returns an arrow between two spots that bends toward the middle of the board. */
export function arrow(g: Geometry, from: Point, to: Point): Arrow {
  const middle = g.field.y + g.field.height / 2
  const mid = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }
  const far = Math.hypot(to.x - from.x, to.y - from.y)
  // Within one half the curve rises from the rim; between the halves it bends sideways.
  const lean = Math.min(far * 0.3, g.checker * 2.4)
  const sameHalf = from.y > middle === to.y > middle
  const control = sameHalf
    ? { x: mid.x, y: mid.y + (mid.y > middle ? -lean : lean) }
    : { x: mid.x + lean * 0.35, y: mid.y }
  const length = Math.hypot(to.x - control.x, to.y - control.y) || 1
  const [dx, dy] = [(to.x - control.x) / length, (to.y - control.y) / length]
  const size = Math.max(7, g.checker * 0.3)
  const back = (along: number, aside: number): Point => ({
    x: to.x - dx * along - dy * aside,
    y: to.y - dy * along + dx * aside,
  })
  const n = (v: number) => Math.round(v * 10) / 10
  const at = ({ x, y }: Point) => `${n(x)} ${n(y)}`
  const neck = back(size * 0.8, 0)
  return {
    line: `M${at(from)}Q${at(control)} ${at(neck)}`,
    head: `M${at(to)}L${at(back(size, size * 0.55))}L${at(neck)}L${at(back(size, -size * 0.55))}Z`,
  }
}
