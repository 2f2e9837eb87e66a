/** Pendulum: a sea of rods like compass needles, and the focused one large in their midst. */
import { canvasFont, type Look } from '../../../lib/look'
import { clampPush, Places, type Bounds, type Point, type Scene, type Size, type Stage } from './scene'
import { Buckets, dot, ring, taper } from './strokes'

/** A rod's tip as seen from its pivot; angle 0 is upright and grows counterclockwise, the screen's y points down. */
export const tip = (angle: number, length: number): Point => ({
  x: -Math.sin(angle) * length,
  y: -Math.cos(angle) * length,
})

/** 0 for hanging, 1 for upright; steeper towards the top, where it counts. */
export const uprightness = (angle: number): number => ((1 + Math.cos(angle)) / 2) ** 2

export class PendulumScene implements Scene {
  private places = new Places(1)
  private cell = 1
  private centre: Point = { x: 0, y: 0 }
  private radius = 1
  private readonly buckets = new Buckets()
  private doing = new Float32Array(0)

  layout({ width, height, top }: Size, members: number): void {
    this.centre = { x: width / 2, y: (height + top) / 2 }
    this.radius = Math.min((height - top) * 0.38, width * 0.29)
    this.places = new Places(members)
    // The circle, and the labels around it.
    const clear = this.radius * 1.12 + 14
    const away = (p: Point) => Math.hypot(p.x - this.centre.x, p.y - this.centre.y)
    let points: Point[] = []
    // The widest hexagonal grid that still has a place for everyone outside of the focused one's circle.
    for (this.cell = 120; this.cell > 6; this.cell *= 0.996) {
      points = hexagons(width, height - top, this.cell)
        .map((p) => ({ x: p.x, y: p.y + top }))
        .filter((p) => away(p) > clear + this.cell * 0.42)
      if (points.length >= members) break
    }
    // The few places that are over are those in the corners.
    const kept = new Set([...points].sort((a, b) => away(a) - away(b)).slice(0, members))
    for (const [m, point] of points.filter((p) => kept.has(p)).entries()) {
      this.places.xs[m] = point.x
      this.places.ys[m] = point.y
    }
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: Look): void {
    const { places, cell } = this
    const length = cell * 0.4
    const angle = (m: number) => stage.state[m * stage.dims]!
    context.beginPath()
    for (let m = 0; m < places.count; m++)
      dot(context, places.xs[m]!, places.ys[m]!, Math.max(0.8, cell * 0.035))
    context.fillStyle = look.lineStrong
    context.fill()
    this.doing = stage.returns.map((_, m) => uprightness(angle(m)))
    this.buckets.sort(this.doing)
    const light = (m: number, spread: number) => {
      const end = tip(angle(m), length)
      dot(context, places.xs[m]! + end.x, places.ys[m]! + end.y, spread * cell * 0.24)
    }
    if (look.theme === 'dark') this.buckets.glow(context, look.doing, light)
    this.buckets.fill(context, look.doing, (m) => {
      const [x, y] = [places.xs[m]!, places.ys[m]!]
      const end = tip(angle(m), length)
      taper(context, x, y, x + end.x, y + end.y, Math.max(1, cell * 0.045), Math.max(1.4, cell * 0.075))
      dot(context, x + end.x, y + end.y, Math.max(1.2, cell * 0.085))
    })
    ring(context, places.xs[stage.focus]!, places.ys[stage.focus]!, cell * 0.52, look.ink)
    this.drawFocus(context, stage, look, angle(stage.focus))
  }

  private drawFocus(context: CanvasRenderingContext2D, stage: Stage, look: Look, angle: number): void {
    const { centre, radius } = this
    context.beginPath()
    context.arc(centre.x, centre.y, radius * 1.12, 0, 2 * Math.PI)
    context.fillStyle = look.glassFar
    context.fill()
    context.strokeStyle = look.line
    context.lineWidth = 1
    context.stroke()
    context.beginPath()
    for (let i = 0; i < 24; i++) {
      const [inner, outer] = [i % 6 === 0 ? 1.03 : 1.07, 1.12]
      const [from, to] = [
        tip((i / 24) * 2 * Math.PI, radius * inner),
        tip((i / 24) * 2 * Math.PI, radius * outer),
      ]
      context.moveTo(centre.x + from.x, centre.y + from.y)
      context.lineTo(centre.x + to.x, centre.y + to.y)
    }
    context.strokeStyle = look.lineStrong
    context.stroke()
    context.font = canvasFont(11)
    context.fillStyle = look.muted
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText('0°', centre.x, centre.y - radius * 1.12 - 11)
    context.fillText('±180°', centre.x, centre.y + radius * 1.12 + 12)

    const doing = Math.floor(this.doing[stage.focus]! * look.doing.length)
    const end = tip(angle, radius * 0.8)
    context.beginPath()
    taper(context, centre.x, centre.y, centre.x + end.x, centre.y + end.y, radius * 0.075, radius * 0.115)
    dot(context, centre.x + end.x, centre.y + end.y, radius * 0.095)
    context.fillStyle = look.doing[Math.max(0, Math.min(look.doing.length - 1, doing))]!
    context.fill()
    context.beginPath()
    dot(context, centre.x, centre.y, radius * 0.055)
    context.fillStyle = look.ink
    context.fill()
    this.turn(context, stage.action * 1.5, radius * 0.3, 3, look.accent)
    if (stage.push !== 0) this.turn(context, stage.push * 0.6, radius * 0.44, 6, look.counter)
  }

  /** An arrow bent round the pivot; positive turns counterclockwise. */
  private turn(
    context: CanvasRenderingContext2D,
    angle: number,
    radius: number,
    width: number,
    colour: string,
  ): void {
    if (Math.abs(angle) < 0.12) return
    const { x, y } = this.centre
    const start = -Math.PI / 2
    const end = start - angle
    context.beginPath()
    context.arc(x, y, radius, start, end, angle > 0)
    context.strokeStyle = colour
    context.lineWidth = width
    context.stroke()
    const [headX, headY] = [x + radius * Math.cos(end), y + radius * Math.sin(end)]
    const way = angle > 0 ? end - Math.PI / 2 : end + Math.PI / 2
    const head = width * 2.6
    context.beginPath()
    context.moveTo(headX + Math.cos(way) * head, headY + Math.sin(way) * head)
    context.lineTo(headX + Math.cos(end) * head * 0.7, headY + Math.sin(end) * head * 0.7)
    context.lineTo(headX - Math.cos(end) * head * 0.7, headY - Math.sin(end) * head * 0.7)
    context.closePath()
    context.fillStyle = colour
    context.fill()
  }

  home(): number {
    return this.places.closest(this.centre.x + this.radius * 1.3, this.centre.y)
  }

  pick(x: number, y: number): number | null {
    if (Math.hypot(x - this.centre.x, y - this.centre.y) < this.radius * 1.12) return null
    return this.places.nearest(x, y, this.cell * 0.75)
  }

  neighbour(member: number, dx: number, dy: number): number {
    return this.places.neighbour(member, dx, dy)
  }

  grip(): Bounds {
    const reach = this.radius * 1.12
    return { x: this.centre.x - reach, y: this.centre.y - reach, width: 2 * reach, height: 2 * reach }
  }

  /** The turn about the pivot, right-handed as the torque is. */
  pull(from: Point, to: Point): number {
    const [ax, ay] = [from.x - this.centre.x, from.y - this.centre.y]
    const [bx, by] = [to.x - from.x, to.y - from.y]
    const arm = Math.max(20, Math.hypot(ax, ay))
    return clampPush(-(ax * by - ay * bx) / arm / 30)
  }
}

/** Points of a hexagonal grid that keep half a cell from the edges. */
export function hexagons(width: number, height: number, cell: number): Point[] {
  const rowHeight = cell * 0.88
  const rows = Math.max(1, Math.floor((height - cell) / rowHeight) + 1)
  const columns = Math.max(1, Math.floor((width - cell) / cell) + 1)
  const [restX, restY] = [width - (columns - 1) * cell, height - (rows - 1) * rowHeight]
  return Array.from({ length: rows }, (_, r) =>
    Array.from({ length: r % 2 === 0 ? columns : columns - 1 }, (_, c) => ({
      x: restX / 2 + c * cell + (r % 2 === 0 ? 0 : cell / 2),
      y: restY / 2 + r * rowHeight,
    })),
  ).flat()
}
