/** Acrobot: many two-link arms, and the focused one large in the center with the line that its tip must cross. */
import { canvasFont, typeScale, type CanvasTheme } from '../../../lib/canvas-theme'
import { CircleScene } from './circle'
import type { Point, Stage, SceneOf } from './scene'
import { Buckets, dot, ring, taper, turn } from './strokes'

/**
 * Returns the end of a link relative to its start. Angle 0 hangs down, counterclockwise is positive; screen y points
 * down.
 */
export const linkEnd = (angle: number, length: number): Point => ({
  x: Math.sin(angle) * length,
  y: Math.cos(angle) * length,
})

/**
 * Returns the height of the tip: 0 when hanging, 1 at or above the goal line. The goal line is one link length above
 * the hinge.
 */
export const tipHeight = (upper: number, lower: number): number =>
  Math.min(1, (2 - Math.cos(upper) - Math.cos(upper + lower)) / 3)

export class AcrobotScene extends CircleScene {
  private readonly buckets = new Buckets()
  private quality = new Float32Array(0)

  constructor() {
    super({ height: 0.465, width: 0.36, margin: 8 })
  }

  /** Returns joint and tip of an environment's arm relative to the hinge, given the link length. */
  private arm(stage: Stage, member: number, link: number): [joint: Point, tip: Point] {
    const upper = stage.state[member * stage.dims]!
    const lower = upper + stage.state[member * stage.dims + 1]!
    const joint = linkEnd(upper, link)
    const end = linkEnd(lower, link)
    return [joint, { x: joint.x + end.x, y: joint.y + end.y }]
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { places, cell } = this
    const link = cell * 0.28
    context.beginPath()
    for (let m = 0; m < places.count; m++)
      dot(context, places.xs[m]!, places.ys[m]!, Math.max(0.8, cell * 0.035))
    context.fillStyle = look.lineStrong
    context.fill()
    this.quality = stage.returns.map((_, m) =>
      tipHeight(stage.state[m * stage.dims]!, stage.state[m * stage.dims + 1]!),
    )
    this.buckets.sort(this.quality)
    const light = (m: number, spread: number) => {
      const [, tip] = this.arm(stage, m, link)
      dot(context, places.xs[m]! + tip.x, places.ys[m]! + tip.y, spread * cell * 0.24)
    }
    if (look.theme === 'dark') this.buckets.glow(context, look.quality, light)
    const width = Math.max(1.2, cell * 0.075)
    this.buckets.fill(context, look.quality, (m) => {
      const [x, y] = [places.xs[m]!, places.ys[m]!]
      const [joint, tip] = this.arm(stage, m, link)
      taper(context, x, y, x + joint.x, y + joint.y, width, width)
      dot(context, x + joint.x, y + joint.y, width * 0.5)
      taper(context, x + joint.x, y + joint.y, x + tip.x, y + tip.y, width, width)
      dot(context, x + tip.x, y + tip.y, Math.max(1.2, cell * 0.07))
    })
    ring(context, places.xs[stage.focus]!, places.ys[stage.focus]!, cell * 0.52, look.ink)
    this.drawFocus(context, stage, look)
  }

  private drawFocus(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { center, circle } = this
    const link = circle * 0.47
    this.drawDisc(context, look)

    const [joint, tip] = this.arm(stage, stage.focus, link)
    const [jointX, jointY] = [center.x + joint.x, center.y + joint.y]
    const [tipX, tipY] = [center.x + tip.x, center.y + tip.y]
    const there = tip.y < -link

    // The goal line, one link length above the hinge, across the circle.
    const half = Math.sqrt(circle ** 2 - link ** 2)
    const line = center.y - link
    context.beginPath()
    context.moveTo(center.x - half, line)
    context.lineTo(center.x + half, line)
    context.strokeStyle = there ? look.accent : look.muted
    context.lineWidth = there ? 2 : 1.5
    context.setLineDash([6, 5])
    context.stroke()
    context.setLineDash([])
    context.font = canvasFont(11 * typeScale())
    context.fillStyle = look.muted
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText('goal', center.x, line - 10)

    const quality = Math.floor(this.quality[stage.focus]! * look.quality.length)
    const width = link * 0.17
    context.beginPath()
    taper(context, center.x, center.y, jointX, jointY, width, width)
    dot(context, center.x, center.y, width * 0.5)
    dot(context, jointX, jointY, width * 0.5)
    taper(context, jointX, jointY, tipX, tipY, width, width)
    dot(context, tipX, tipY, width * 0.75)
    context.fillStyle = look.quality[Math.max(0, Math.min(look.quality.length - 1, quality))]!
    context.fill()
    context.beginPath()
    dot(context, center.x, center.y, width * 0.34)
    dot(context, jointX, jointY, width * 0.34)
    context.fillStyle = look.ink
    context.fill()
    // The motor acts at the joint, a push at the hinge.
    turn(context, { x: jointX, y: jointY }, stage.action * 1.5, link * 0.3, 3, look.accent)
    if (stage.push !== 0) turn(context, center, stage.push * 0.6, link * 0.44, 6, look.counter)
  }
}

export const scene: SceneOf = () => new AcrobotScene()
