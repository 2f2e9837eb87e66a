/**
 * CartPole: rows of carts on their tracks that recede to a horizon, and the focused one in front, to scale. A fallen
 * pole keeps falling for a moment as a fading shadow, because the environment resets at 12°.
 */
import { field, type Field } from './field'
import { canvasFont, typeScale, type CanvasTheme } from '../../../lib/canvas-theme'
import { clampPush, type Bounds, type Point, type Scene, type Size, type Stage, type SceneOf } from './scene'
import { arrow, Buckets, dot, mark, taper } from './strokes'

/** Half length of the track, in meters. */
const trackEnd = 2.4
/**
 * Minimum pole angle in radians before a reset that counts as a fall; below the limit of 12°, since not every step is
 * drawn.
 */
const almostFallen = 0.15
/** Height of a cart and length of the default pole in the preview, as fractions of an environment's width. */
const cart = 0.09
const reed = 0.78
/** Half of the length of the default pole, in meters. */
const defaultHalf = 0.5
/** Duration of a shadow, in seconds. */
const shadowLife = 0.7

interface Shadow {
  member: number
  x: number
  angle: number
  spin: number
  age: number
}

export class CartPoleScene implements Scene {
  private size: Size = { width: 1, height: 1, top: 0 }
  private field: Field = field(1, 1, 0, 1)
  private readonly buckets = new Buckets()
  private shadows: Shadow[] = []
  private quality = new Float32Array(0)
  private before = { ages: new Float32Array(0), state: new Float32Array(0) }
  private rail = 0
  /** y coordinate of the front row's ground line. */
  private front = 0
  private unit = 1
  /** Size of the labels of the scale, in pixels. */
  private labelSize = 11
  /** Length of the poles in units of the default length. */
  private stretch = 1
  /** Length of a pole in the preview, as a fraction of an environment's width. */
  private reed = reed

  /** `halfLength` returns half of the pole's present length, in meters. */
  constructor(private readonly halfLength: () => number) {}

  layout(size: Size, members: number): void {
    this.size = size
    const { width, height, top } = size
    this.rail = height - Math.max(40, height * 0.11)
    this.unit = Math.min(width / 5.5, height * 0.33)
    this.labelSize = 11 * typeScale()
    this.stretch = this.halfLength() / defaultHalf
    this.reed = reed * this.stretch
    const least = top + Math.max(24, height * 0.07)
    // The front row of the preview is above the focused pole.
    this.front = Math.max(least + 40, height * 0.5, this.rail - this.unit * 1.2 - 30)
    this.field = field(members, width, least, this.front)
    // Long poles of the last row need space below the label.
    const { rows, cell } = this.field
    const far = Math.min(this.front - 40, top + cell * rows.at(-1)!.scale * (cart + this.reed))
    if (far > least) this.field = field(members, width, far, this.front)
    // No pole of any row crosses the label.
    this.reed = Math.min(
      this.reed,
      ...this.field.rows.map(({ y, scale }) => (y - top) / (this.field.cell * scale) - cart),
    )
    this.shadows = []
    this.before.ages = new Float32Array(0)
  }

  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    if (this.stretch !== this.halfLength() / defaultHalf) this.layout(this.size, stage.members)
    // The first hundred steps get half of the color ramp, since most learning shows there.
    this.quality = stage.returns.map(Math.sqrt)
    this.fell(stage)
    this.drawField(context, stage, look)
    this.drawFocus(context, stage, look)
  }

  private drawField(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { width } = this.size
    const { places, rows, cell } = this.field
    context.fillStyle = look.line
    for (const { y, scale } of rows) {
      context.globalAlpha = 0.25 + 0.6 * scale
      context.fillRect(0, Math.round(y), width, Math.max(0.5, scale))
    }
    context.globalAlpha = 1

    const foot = (m: number) =>
      places.xs[m]! + (stage.state[m * stage.dims]! / trackEnd) * cell * places.scales[m]! * 0.3
    this.drawShadows(context, stage, look, cell)
    // All carts have the same color; the pole's color encodes quality.
    context.beginPath()
    for (let m = 0; m < places.count; m++) {
      const size = cell * places.scales[m]!
      context.rect(foot(m) - size * 0.14, places.ys[m]! - size * cart, size * 0.28, size * cart)
    }
    context.fillStyle = look.lineStrong
    context.fill()
    this.buckets.sort(this.quality)
    const light = (m: number, spread: number) => {
      const size = cell * places.scales[m]!
      const angle = stage.state[m * stage.dims + 2]!
      const top = places.ys[m]! - size * cart
      dot(
        context,
        foot(m) + Math.sin(angle) * size * this.reed,
        top - Math.cos(angle) * size * this.reed,
        spread * size * 0.19,
      )
    }
    if (look.theme === 'dark') this.buckets.glow(context, look.quality, light)
    this.buckets.fill(context, look.quality, (m) => {
      const size = cell * places.scales[m]!
      this.glyph(context, foot(m), places.ys[m]!, size, stage.state[m * stage.dims + 2]!)
    })
    const scale = places.scales[stage.focus]!
    mark(context, foot(stage.focus), places.ys[stage.focus]! + 4 * scale + 1, 3 + 2.5 * scale, look.ink)
  }

  /** Adds a pole with its tip to the path, for an environment drawn at width `size` with ground line y. */
  private glyph(context: CanvasRenderingContext2D, x: number, y: number, size: number, angle: number): void {
    const top = y - size * cart
    const [tipX, tipY] = [x + Math.sin(angle) * size * this.reed, top - Math.cos(angle) * size * this.reed]
    taper(context, x, top, tipX, tipY, Math.max(0.9, size * 0.03), Math.max(1, size * 0.05))
    dot(context, tipX, tipY, Math.max(1.1, size * 0.055))
  }

  /** Detects resets of environments, and adds a fading shadow for each pole that has fallen. */
  private fell(stage: Stage): void {
    const { ages, state } = this.before
    if (ages.length === stage.members && !stage.still) {
      for (let m = 0; m < stage.members; m++) {
        if (stage.ages[m]! >= ages[m]!) continue
        const at = m * stage.dims
        const angle = state[at + 2]!
        if (Math.abs(angle) < almostFallen) continue
        this.shadows.push({
          member: m,
          x: state[at]!,
          angle,
          spin: Math.sign(angle) * 1.2 + state[at + 3]! * 0.4,
          age: 0,
        })
      }
    }
    this.before.ages = Float32Array.from(stage.ages)
    this.before.state = Float32Array.from(stage.state)
    for (const shadow of this.shadows) {
      shadow.age += stage.elapsed
      shadow.spin += 14 * Math.sin(shadow.angle) * stage.elapsed
      const next = shadow.angle + shadow.spin * stage.elapsed
      shadow.angle = Math.max(-1.62, Math.min(1.62, next))
    }
    this.shadows = this.shadows.filter((shadow) => shadow.age < shadowLife)
  }

  private drawShadows(
    context: CanvasRenderingContext2D,
    stage: Stage,
    look: CanvasTheme,
    cell: number,
  ): void {
    const { places } = this.field
    context.fillStyle = look.quality[0]!
    // A few levels of opacity, one path per level.
    for (let fade = 0; fade < 4; fade++) {
      context.beginPath()
      for (const { member, x, angle, age } of this.shadows) {
        if (Math.floor((age / shadowLife) * 4) !== fade) continue
        const size = cell * places.scales[member]!
        const footX = places.xs[member]! + (x / trackEnd) * size * 0.3
        const top = places.ys[member]! - size * cart
        const pole = size * this.reed
        taper(
          context,
          footX,
          top,
          footX + Math.sin(angle) * pole,
          top - Math.cos(angle) * pole,
          size * 0.03,
          size * 0.05,
        )
      }
      context.globalAlpha = 0.8 * (1 - fade / 4)
      context.fill()
    }
    context.globalAlpha = 1
    for (const shadow of this.shadows) {
      if (shadow.member !== stage.focus) continue
      const x = this.size.width / 2 + shadow.x * this.unit
      const top = this.rail - this.cartHeight
      const pole = this.poleLength
      context.globalAlpha = 0.3 * (1 - shadow.age / shadowLife)
      context.beginPath()
      const [tipX, tipY] = [x + Math.sin(shadow.angle) * pole, top - Math.cos(shadow.angle) * pole]
      taper(context, x, top, tipX, tipY, this.unit * 0.05, this.unit * 0.05)
      context.fillStyle = look.muted
      context.fill()
      context.globalAlpha = 1
    }
  }

  private get cartHeight(): number {
    return this.unit * 0.2
  }

  /** Length of the pole in pixels, limited by the label at the top of the canvas. */
  private get poleLength(): number {
    const free = this.rail - this.cartHeight - Math.max(24, this.size.top + 8)
    return Math.min(this.unit * 2 * this.halfLength(), free)
  }

  private drawFocus(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void {
    const { width } = this.size
    const { unit, rail, cartHeight } = this
    const at = stage.focus * stage.dims
    const [position, angle] = [stage.state[at]!, stage.state[at + 2]!]
    const middle = width / 2
    const x = middle + position * unit

    context.fillStyle = look.lineStrong
    context.fillRect(middle - trackEnd * unit, rail, 2 * trackEnd * unit, 1.5)
    context.font = canvasFont(this.labelSize)
    context.textAlign = 'center'
    context.textBaseline = 'top'
    for (let meters = -2; meters <= 2; meters++) {
      context.fillStyle = look.lineStrong
      context.fillRect(middle + meters * unit - 0.5, rail + 4, 1, 5)
      context.fillStyle = look.muted
      context.fillText(`${String(meters).replace('-', '−')} m`, middle + meters * unit, rail + 13)
    }
    context.fillStyle = look.lineStrong
    for (const side of [-1, 1]) context.fillRect(middle + side * trackEnd * unit - 1, rail - 12, 2, 13)

    const cartWidth = unit * 0.44
    const top = rail - cartHeight
    const color =
      look.quality[
        Math.max(
          0,
          Math.min(look.quality.length - 1, Math.floor(this.quality[stage.focus]! * look.quality.length)),
        )
      ]!

    context.beginPath()
    context.roundRect(x - cartWidth / 2, top, cartWidth, cartHeight * 0.74, 4)
    context.fillStyle = look.ink
    context.fill()
    context.beginPath()
    for (const side of [-1, 1])
      dot(context, x + side * cartWidth * 0.29, rail - cartHeight * 0.2, cartHeight * 0.2)
    context.fillStyle = look.muted
    context.fill()

    const pole = this.poleLength
    const [tipX, tipY] = [x + Math.sin(angle) * pole, top + 4 - Math.cos(angle) * pole]
    context.beginPath()
    taper(context, x, top + 4, tipX, tipY, unit * 0.052, unit * 0.062)
    dot(context, tipX, tipY, unit * 0.045)
    context.fillStyle = color
    context.fill()
    context.beginPath()
    dot(context, x, top + 5, unit * 0.032)
    context.fillStyle = look.glass
    context.fill()

    const side = Math.sign(stage.action) || 1
    const arrowY = top + cartHeight * 0.37
    if (stage.push === 0) {
      arrow(context, x + side * (cartWidth / 2 + 7), arrowY, stage.action * unit * 0.5, 0, 3, look.accent)
    } else {
      const from = x - Math.sign(stage.push) * (cartWidth / 2 + 8 + Math.abs(stage.push) * unit * 0.3)
      arrow(context, from, arrowY, stage.push * unit * 0.3, 0, 7, look.counter)
    }
  }

  home(): number {
    return this.field.places.closest(this.size.width / 2, this.size.height)
  }

  pick(x: number, y: number): number | null {
    return y > this.front + 12
      ? null
      : this.field.places.nearest(x, y + this.field.cell * 0.2, this.field.cell * 0.9)
  }

  neighbor(member: number, dx: number, dy: number): number {
    return this.field.places.neighbor(member, dx, dy)
  }

  grip(): Bounds {
    const top = this.front + 12
    return { x: 0, y: top, width: this.size.width, height: this.size.height - top }
  }

  pull(from: Point, to: Point): number {
    return clampPush((to.x - from.x) / (this.unit * 0.3))
  }
}

export const scene: SceneOf = (world) => new CartPoleScene(() => Number(world('pole_half_length') ?? 0.5))
