/** Scenes of hinged environments: the focused environment is drawn large in a circle, the others around it. */
import type { CanvasTheme } from '../../../lib/canvas-theme'
import { clampPush, Places, type Bounds, type Point, type Scene, type Size, type Stage } from './scene'

export abstract class CircleScene implements Scene {
  protected places = new Places(1)
  /** Distance between neighboring environments in pixels. */
  protected cell = 1
  protected center: Point = { x: 0, y: 0 }
  /** Radius of the circle in pixels. */
  protected circle = 1

  /** `limits`: maximum radius of the circle as fractions of the canvas height and width, and its margin in pixels. */
  constructor(private readonly limits: { height: number; width: number; margin: number }) {}

  layout({ width, height, top }: Size, members: number): void {
    this.center = { x: width / 2, y: (height + top) / 2 }
    this.circle = Math.min((height - top) * this.limits.height, width * this.limits.width)
    this.places = new Places(members)
    const clear = this.circle + this.limits.margin
    const away = (p: Point) => Math.hypot(p.x - this.center.x, p.y - this.center.y)
    let points: Point[] = []
    // The widest hexagonal grid with enough points outside the circle.
    for (this.cell = 120; this.cell > 6; this.cell *= 0.996) {
      points = hexagons(width, height - top, this.cell)
        .map((p) => ({ x: p.x, y: p.y + top }))
        .filter((p) => away(p) > clear + this.cell * 0.42)
      if (points.length >= members) break
    }
    // Surplus points are removed from the corners.
    const kept = new Set([...points].sort((a, b) => away(a) - away(b)).slice(0, members))
    for (const [m, point] of points.filter((p) => kept.has(p)).entries()) {
      this.places.xs[m] = point.x
      this.places.ys[m] = point.y
    }
  }

  /** Draws the disc behind the focused environment. */
  protected drawDisc(context: CanvasRenderingContext2D, look: CanvasTheme): void {
    const { center, circle } = this
    context.beginPath()
    context.arc(center.x, center.y, circle, 0, 2 * Math.PI)
    context.fillStyle = look.glassFar
    context.fill()
    context.strokeStyle = look.line
    context.lineWidth = 1
    context.stroke()
  }

  abstract draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void

  home(): number {
    return this.places.closest(this.center.x + this.circle * 1.16, this.center.y)
  }

  pick(x: number, y: number): number | null {
    if (Math.hypot(x - this.center.x, y - this.center.y) < this.circle) return null
    return this.places.nearest(x, y, this.cell * 0.75)
  }

  neighbor(member: number, dx: number, dy: number): number {
    return this.places.neighbor(member, dx, dy)
  }

  grip(): Bounds {
    const { center, circle } = this
    return { x: center.x - circle, y: center.y - circle, width: 2 * circle, height: 2 * circle }
  }

  /** Returns the torque about the hinge, counterclockwise positive. */
  pull(from: Point, to: Point): number {
    const [ax, ay] = [from.x - this.center.x, from.y - this.center.y]
    const [bx, by] = [to.x - from.x, to.y - from.y]
    const arm = Math.max(20, Math.hypot(ax, ay))
    return clampPush(-(ax * by - ay * bx) / arm / 30)
  }
}

/** Returns the points of a hexagonal grid, at least half a cell from the edges. */
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
