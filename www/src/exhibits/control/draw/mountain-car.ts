/**
 * MountainCar: the valley is drawn several times, one ridge behind the other, with a part of the preview on each and
 * the focused car on the nearest.
 */
import type { CanvasTheme } from '../../../lib/canvas-theme'
import {
  clampPush,
  Places,
  type Bounds,
  type Point,
  type Scene,
  type Size,
  type Stage,
  type SceneOf,
} from './scene'
import { arrow, Buckets, dot, ring } from './strokes'

const left = -1.2
const right = 0.6
const goal = 0.5

/** Returns the height of the ground at position x: sin(3x). */
export const ground = (x: number): number => Math.sin(3 * x)

/**
 * Returns the energy of a car as a fraction of the energy needed to reach the flag: kinetic energy v²/2 plus the
 * potential g/3·sin(3x), whose negative gradient is the acceleration −g·cos(3x).
 */
export function energy(x: number, velocity: number, gravity: number): number {
  const potential = (height: number) => (gravity / 3) * height
  const share = (potential(ground(x) + 1) + velocity ** 2 / 2) / (potential(ground(goal) + 1) || 1)
  return Math.max(0, Math.min(1, share))
}

interface Ridge {
  /** y coordinate of height 0, and pixels per unit of height. */
  y: number
  rise: number
  scale: number
  first: number
  count: number
}

const shapeSteps = 64

export class MountainCarScene implements Scene {
  private size: Size = { width: 1, height: 1, top: 0 }
  private ridges: Ridge[] = []
  private places = new Places(1)
  private readonly buckets = new Buckets()
  private quality = new Float32Array(0)
  private front: Ridge = { y: 0, rise: 1, scale: 1, first: 0, count: 0 }

  /** `gravity` returns the present gravity. */
  constructor(private readonly gravity: () => number) {}

  layout(size: Size, members: number): void {
    this.size = size
    const { width, height, top: label } = size
    const rows = Math.max(1, Math.round(Math.sqrt(members / 2.2)))
    this.places = new Places(members)
    this.front = {
      y: height * 0.765,
      rise: Math.min(height * 0.17, width * 0.14),
      scale: 1.9,
      first: 0,
      count: 0,
    }
    const [top, bottom] = [label + Math.max(36, height * 0.1), height * 0.56]
    let placed = 0
    // Back to front, the order of drawing.
    this.ridges = Array.from({ length: rows }, (_, i) => {
      const depth = rows === 1 ? 1 : i / (rows - 1)
      const scale = 0.42 + 0.58 * depth ** 1.4
      const upTo = Math.round(((i + 1) / rows) * members)
      const ridge = {
        y: top + (bottom - top) * depth ** 1.25,
        rise: this.front.rise * (0.34 + 0.4 * depth),
        scale,
        first: placed,
        count: upTo - placed,
      }
      placed = upTo
      return ridge
    })
  }

  private screenX(x: number): number {
    const inset = Math.min(28, this.size.width * 0.04)
    return inset + ((x - left) / (right - left)) * (this.size.width - 2 * inset)
  }

  private worldX(screenX: number): number {
    const [from, to] = [this.screenX(left), this.screenX(right)]
    return left + ((screenX - from) / (to - from)) * (right - left)
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const gravity = this.gravity()
    this.quality = stage.returns.map((_, m) =>
      energy(stage.state[m * stage.dims]!, stage.state[m * stage.dims + 1]!, gravity),
    )
    for (const ridge of this.ridges) this.drawRidge(context, ridge, stage, look)
    const m = stage.focus
    ring(context, this.places.xs[m]!, this.places.ys[m]!, 9 * this.places.scales[m]! + 3, look.ink)
    this.drawFocus(context, stage, look)
  }

  private slope(context: CanvasRenderingContext2D, ridge: Ridge): void {
    context.beginPath()
    // The ground extends to the edges of the canvas, beyond the limits of the environment.
    const [from, to] = [this.worldX(0), this.worldX(this.size.width)]
    for (let i = 0; i <= shapeSteps; i++) {
      const x = from + (i / shapeSteps) * (to - from)
      context.lineTo(this.screenX(x), ridge.y - ridge.rise * ground(x))
    }
  }

  private land(
    context: CanvasRenderingContext2D,
    ridge: Ridge,
    fill: string,
    line: string,
    width: number,
  ): void {
    this.slope(context, ridge)
    context.strokeStyle = line
    context.lineWidth = width
    context.stroke()
    context.lineTo(this.size.width, this.size.height)
    context.lineTo(0, this.size.height)
    context.fillStyle = fill
    context.fill()
  }

  private drawRidge(context: CanvasRenderingContext2D, ridge: Ridge, stage: Stage, look: CanvasTheme): void {
    this.land(context, ridge, look.glass, look.line, ridge.scale * 1.6)
    const { places } = this
    const radius = Math.max(1.6, 4.6 * ridge.scale)
    for (let m = ridge.first; m < ridge.first + ridge.count; m++) {
      const x = stage.state[m * stage.dims]!
      places.xs[m] = this.screenX(x)
      places.ys[m] = ridge.y - ridge.rise * ground(x) - radius * 0.9
      places.scales[m] = ridge.scale
    }
    this.buckets.sort(this.quality, ridge.first, ridge.first + ridge.count)
    if (look.theme === 'dark') {
      this.buckets.glow(context, look.quality, (m, spread) =>
        dot(context, places.xs[m]!, places.ys[m]!, spread * radius * 2.1),
      )
    }
    this.buckets.fill(context, look.quality, (m) => dot(context, places.xs[m]!, places.ys[m]!, radius))
  }

  private drawFocus(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { front } = this
    this.land(context, front, look.glassFar, look.lineStrong, 3)
    const flagX = this.screenX(goal)
    const flagY = front.y - front.rise * ground(goal)
    const tall = Math.max(34, front.rise * 0.55)
    context.fillStyle = look.muted
    context.fillRect(flagX - 1, flagY - tall, 2, tall)
    context.beginPath()
    context.moveTo(flagX + 1, flagY - tall)
    context.lineTo(flagX + tall * 0.5, flagY - tall * 0.82)
    context.lineTo(flagX + 1, flagY - tall * 0.62)
    context.fillStyle = look.accent
    context.fill()

    const x = stage.state[stage.focus * stage.dims]!
    const [screenX, screenY] = [this.screenX(x), front.y - front.rise * ground(x)]
    const along = this.screenX(1) - this.screenX(0)
    const tilt = Math.atan2(-front.rise * 3 * Math.cos(3 * x), along)
    const length = Math.max(34, Math.min(58, this.size.width * 0.055))
    // Keeps cars of low quality visible against the ground.
    const quality = Math.floor((0.3 + 0.7 * this.quality[stage.focus]!) * look.quality.length)
    context.save()
    context.translate(screenX, screenY)
    context.rotate(tilt)
    context.beginPath()
    context.roundRect(-length / 2, -length * 0.44, length, length * 0.27, length * 0.1)
    context.roundRect(-length * 0.26, -length * 0.64, length * 0.46, length * 0.26, [
      length * 0.13,
      length * 0.13,
      0,
      0,
    ])
    context.fillStyle = look.quality[Math.max(0, Math.min(look.quality.length - 1, quality))]!
    context.fill()
    context.beginPath()
    for (const side of [-1, 1]) dot(context, side * length * 0.28, -length * 0.13, length * 0.135)
    context.fillStyle = look.ink
    context.fill()
    const side = Math.sign(stage.action) || 1
    if (stage.push === 0) {
      arrow(context, side * (length / 2 + 7), -length * 0.3, stage.action * length * 1.1, 0, 3, look.accent)
    } else {
      const reach = Math.abs(stage.push) * length * 0.5
      const from = -Math.sign(stage.push) * (length / 2 + 8 + reach)
      arrow(context, from, -length * 0.32, Math.sign(stage.push) * reach, 0, 7, look.counter)
    }
    context.restore()
  }

  home(): number {
    return this.places.count - 1
  }

  pick(x: number, y: number): number | null {
    return y > this.grip().y ? null : this.places.nearest(x, y, 30)
  }

  neighbor(member: number, dx: number, dy: number): number {
    return this.places.neighbor(member, dx, dy)
  }

  grip(): Bounds {
    const top = this.front.y - this.front.rise * 0.35
    return { x: 0, y: top, width: this.size.width, height: this.size.height - top }
  }

  pull(from: Point, to: Point): number {
    return clampPush((to.x - from.x) / 34)
  }
}

export const scene: SceneOf = (world) => new MountainCarScene(() => Number(world('gravity') ?? 0.0025))
