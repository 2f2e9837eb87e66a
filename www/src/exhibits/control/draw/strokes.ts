/** Shapes that several worlds are drawn with. */
import { bucket } from '../../../lib/color'
import { doingColors } from '../../../lib/look'
import type { Point } from './scene'

/** Members sorted by color, so that each color is one path: a preview costs as many fills as there are colors. */
export class Buckets {
  private readonly heads = new Int32Array(doingColors)
  private next = new Int32Array(0)

  sort(doing: Float32Array, from = 0, to = doing.length): void {
    if (this.next.length < doing.length) this.next = new Int32Array(doing.length)
    this.heads.fill(-1)
    for (let m = to - 1; m >= from; m--) {
      const b = bucket(doing[m]!, doingColors)
      this.next[m] = this.heads[b]!
      this.heads[b] = m
    }
  }

  /** A soft light around those who do well; `shape` adds a member's light, `spread` times as wide, to the path. */
  glow(
    context: CanvasRenderingContext2D,
    colors: readonly string[],
    shape: (member: number, spread: number) => void,
  ): void {
    for (const spread of [1, 0.62]) {
      for (let b = shining; b < doingColors; b++) {
        let m = this.heads[b]!
        if (m < 0) continue
        context.beginPath()
        for (; m >= 0; m = this.next[m]!) shape(m, spread)
        context.globalAlpha = (0.1 * (b - shining + 1)) / (doingColors - shining)
        context.fillStyle = colors[b]!
        context.fill()
      }
    }
    context.globalAlpha = 1
  }

  /** Draws one path a color; `shape` adds a member to it. */
  fill(context: CanvasRenderingContext2D, colors: readonly string[], shape: (member: number) => void): void {
    for (let b = 0; b < doingColors; b++) {
      let m = this.heads[b]!
      if (m < 0) continue
      context.beginPath()
      for (; m >= 0; m = this.next[m]!) shape(m)
      context.fillStyle = colors[b]!
      context.fill()
    }
  }
}

/** From which color on a light shines. */
const shining = Math.floor(doingColors * 0.55)

/** Adds a tapering bar from one point to another. Widths are whole widths, at either end. */
export function taper(
  context: CanvasRenderingContext2D,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  width0: number,
  width1: number,
): void {
  const length = Math.hypot(x1 - x0, y1 - y0) || 1
  const nx = (y0 - y1) / length / 2
  const ny = (x1 - x0) / length / 2
  // The same way round as a dot, so that where the two overlap in one path nothing is left out.
  context.moveTo(x0 - nx * width0, y0 - ny * width0)
  context.lineTo(x1 - nx * width1, y1 - ny * width1)
  context.lineTo(x1 + nx * width1, y1 + ny * width1)
  context.lineTo(x0 + nx * width0, y0 + ny * width0)
  context.closePath()
}

export function dot(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.moveTo(x + radius, y)
  context.arc(x, y, radius, 0, 2 * Math.PI)
}

/** A straight arrow; nothing where it would be shorter than its head. */
export function arrow(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  dx: number,
  dy: number,
  width: number,
  color: string,
): void {
  const length = Math.hypot(dx, dy)
  const head = width * 3.2
  if (length < head * 0.6) return
  const [ux, uy] = [dx / length, dy / length]
  const [tipX, tipY] = [x + dx, y + dy]
  const neck = Math.max(0, length - head)
  context.beginPath()
  if (neck > 0) taper(context, x, y, x + ux * neck, y + uy * neck, width * 0.5, width)
  context.moveTo(tipX, tipY)
  context.lineTo(x + ux * neck - uy * head * 0.5, y + uy * neck + ux * head * 0.5)
  context.lineTo(x + ux * neck + uy * head * 0.5, y + uy * neck - ux * head * 0.5)
  context.closePath()
  context.fillStyle = color
  context.fill()
}

/** An arrow bent round a hinge; positive turns counterclockwise. Nothing where it would be shorter than its head. */
export function turn(
  context: CanvasRenderingContext2D,
  hinge: Point,
  angle: number,
  radius: number,
  width: number,
  color: string,
): void {
  if (Math.abs(angle) < 0.12) return
  const { x, y } = hinge
  const start = -Math.PI / 2
  const end = start - angle
  context.beginPath()
  context.arc(x, y, radius, start, end, angle > 0)
  context.strokeStyle = color
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
  context.fillStyle = color
  context.fill()
}

/** A small mark below a member that says it is in focus. */
export function mark(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  color: string,
): void {
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x + size, y + size * 1.3)
  context.lineTo(x - size, y + size * 1.3)
  context.closePath()
  context.fillStyle = color
  context.fill()
}

/** A thin ring that says which of the preview is in focus. */
export function ring(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  radius: number,
  color: string,
): void {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  context.strokeStyle = color
  context.lineWidth = 1.5
  context.stroke()
}
