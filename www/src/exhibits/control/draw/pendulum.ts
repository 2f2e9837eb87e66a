/** Pendulum: many rods, and the focused one large in the center. */
import { canvasFont, typeScale, type CanvasTheme } from '../../../lib/canvas-theme'
import { CircleScene } from './circle'
import type { Point, Stage, SceneOf } from './scene'
import { Buckets, dot, ring, taper, turn } from './strokes'

/**
 * Returns the tip of a rod relative to its pivot. Angle 0 is upright, counterclockwise is positive; screen y points
 * down.
 */
export const tip = (angle: number, length: number): Point => ({
  x: -Math.sin(angle) * length,
  y: -Math.cos(angle) * length,
})

/** Returns the quality of an angle: 0 when hanging, 1 when upright, steeper near the top. */
export const uprightness = (angle: number): number => ((1 + Math.cos(angle)) / 2) ** 2

export class PendulumScene extends CircleScene {
  private readonly buckets = new Buckets()
  private quality = new Float32Array(0)

  constructor() {
    // The margin leaves space for labels around the circle.
    super({ height: 0.425, width: 0.325, margin: 14 })
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { places, cell } = this
    const length = cell * 0.4
    const angle = (m: number) => stage.state[m * stage.dims]!
    context.beginPath()
    for (let m = 0; m < places.count; m++)
      dot(context, places.xs[m]!, places.ys[m]!, Math.max(0.8, cell * 0.035))
    context.fillStyle = look.lineStrong
    context.fill()
    this.quality = stage.returns.map((_, m) => uprightness(angle(m)))
    this.buckets.sort(this.quality)
    const light = (m: number, spread: number) => {
      const end = tip(angle(m), length)
      dot(context, places.xs[m]! + end.x, places.ys[m]! + end.y, spread * cell * 0.24)
    }
    if (look.theme === 'dark') this.buckets.glow(context, look.quality, light)
    this.buckets.fill(context, look.quality, (m) => {
      const [x, y] = [places.xs[m]!, places.ys[m]!]
      const end = tip(angle(m), length)
      taper(context, x, y, x + end.x, y + end.y, Math.max(1, cell * 0.045), Math.max(1.4, cell * 0.075))
      dot(context, x + end.x, y + end.y, Math.max(1.2, cell * 0.085))
    })
    ring(context, places.xs[stage.focus]!, places.ys[stage.focus]!, cell * 0.52, look.ink)
    this.drawFocus(context, stage, look, angle(stage.focus))
  }

  private drawFocus(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme, angle: number): void {
    const { center, circle } = this
    const radius = circle / 1.12
    this.drawDisc(context, look)
    context.beginPath()
    for (let i = 0; i < 24; i++) {
      const [inner, outer] = [i % 6 === 0 ? 1.03 : 1.07, 1.12]
      const [from, to] = [
        tip((i / 24) * 2 * Math.PI, radius * inner),
        tip((i / 24) * 2 * Math.PI, radius * outer),
      ]
      context.moveTo(center.x + from.x, center.y + from.y)
      context.lineTo(center.x + to.x, center.y + to.y)
    }
    context.strokeStyle = look.lineStrong
    context.stroke()
    context.font = canvasFont(11 * typeScale())
    context.fillStyle = look.muted
    context.textAlign = 'center'
    context.textBaseline = 'middle'
    context.fillText('0°', center.x, center.y - circle - 11)
    context.fillText('±180°', center.x, center.y + circle + 12)

    const quality = Math.floor(this.quality[stage.focus]! * look.quality.length)
    const end = tip(angle, radius * 0.8)
    context.beginPath()
    taper(context, center.x, center.y, center.x + end.x, center.y + end.y, radius * 0.075, radius * 0.115)
    dot(context, center.x + end.x, center.y + end.y, radius * 0.095)
    context.fillStyle = look.quality[Math.max(0, Math.min(look.quality.length - 1, quality))]!
    context.fill()
    context.beginPath()
    dot(context, center.x, center.y, radius * 0.055)
    context.fillStyle = look.ink
    context.fill()
    turn(context, center, stage.action * 1.5, radius * 0.3, 3, look.accent)
    if (stage.push !== 0) turn(context, center, stage.push * 0.6, radius * 0.44, 6, look.counter)
  }
}

export const scene: SceneOf = () => new PendulumScene()
