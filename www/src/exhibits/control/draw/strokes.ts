/** Shapes shared by the scenes. */
import { bucket } from '../../../lib/color'
import { qualityColors } from '../../../lib/canvas-theme'
import type { Point } from './scene'

/** Environments bucketed by color, so that drawing needs one fill per color. */
export class Buckets {
  private readonly heads = new Int32Array(qualityColors)
  private next = new Int32Array(0)

  sort(quality: Float32Array, from = 0, to = quality.length): void {
    if (this.next.length < quality.length) this.next = new Int32Array(quality.length)
    this.heads.fill(-1)
    for (let m = to - 1; m >= from; m--) {
      const b = bucket(quality[m]!, qualityColors)
      this.next[m] = this.heads[b]!
      this.heads[b] = m
    }
  }

  /**
   * Draws a glow around environments with a high return. `shape` adds the glow of one, scaled by `spread`, to the path.
   */
  glow(
    context: CanvasRenderingContext2D,
    colors: readonly string[],
    shape: (member: number, spread: number) => void,
  ): void {
    for (const spread of [1, 0.62]) {
      for (let b = shining; b < qualityColors; b++) {
        let m = this.heads[b]!
        if (m < 0) continue
        context.beginPath()
        for (; m >= 0; m = this.next[m]!) shape(m, spread)
        context.globalAlpha = (0.1 * (b - shining + 1)) / (qualityColors - shining)
        context.fillStyle = colors[b]!
        context.fill()
      }
    }
    context.globalAlpha = 1
  }

  /** Fills one path per color. `shape` adds one environment to the path. */
  fill(context: CanvasRenderingContext2D, colors: readonly string[], shape: (member: number) => void): void {
    for (let b = 0; b < qualityColors; b++) {
      let m = this.heads[b]!
      if (m < 0) continue
      context.beginPath()
      for (; m >= 0; m = this.next[m]!) shape(m)
      context.fillStyle = colors[b]!
      context.fill()
    }
  }
}

/** Index of the first quality color with a glow. */
const shining = Math.floor(qualityColors * 0.55)

/** Adds a tapered bar between two points, with its full widths at both ends. */
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
  // Same winding direction as a dot, so that overlaps in one path are filled.
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

/** Draws a straight arrow, unless it is shorter than its head. */
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

/** Draws an arc arrow around a hinge, counterclockwise for positive angles, unless it is shorter than its head. */
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

/** Draws a focus marker below an environment. */
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

/** Draws a ring around the focused environment. */
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
