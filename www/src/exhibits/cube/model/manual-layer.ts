/** Layer moved by the user: dragged, released, or turned by a key. */
import type { Layers } from './stickers'

const quarter = Math.PI / 2
/** Fraction of a quarter turn beyond which a released layer continues to the next quarter turn. */
const caught = 0.4
/** Seconds for a quarter turn after release. */
const seconds = 0.16

/** Angle in radians by which a released layer, or the whole cube, moves in `passed` seconds. */
export const angleIn = (passed: number): number => (quarter / seconds) * passed

export class ManualLayer {
  layer: Layers | null = null
  /** Angle in radians, counter-clockwise about the layer's axis. */
  angle = 0
  /** Target angle in quarter turns after the release; null while the layer is held. */
  private goal: number | null = null

  /** Whether a released layer is still moving. */
  get settles(): boolean {
    return this.layer !== null && this.goal !== null
  }

  take(layer: Layers): void {
    this.layer = layer
    this.angle = 0
    this.goal = null
  }

  drag(angle: number): void {
    this.angle = angle
  }

  /** Releases the layer; it moves to the nearest quarter turn, slightly favoring the direction of the drag. */
  release(): void {
    const far = Math.abs(this.angle) / quarter
    this.goal = Math.sign(this.angle) * Math.floor(far + 1 - caught)
  }

  /** Starts to turn a layer by a number of quarter turns. */
  push(layer: Layers, quarters: number): void {
    this.take(layer)
    this.goal = quarters
  }

  /** Advances time by `passed` seconds. Returns the quarter turns once the layer reaches its target, otherwise null. */
  advance(passed: number): number | null {
    if (this.layer === null || this.goal === null) return null
    const left = this.goal * quarter - this.angle
    const step = angleIn(passed)
    if (Math.abs(left) > step) {
      this.angle += Math.sign(left) * step
      return null
    }
    return this.finish()
  }

  /** Completes the turn immediately. Returns the number of quarter turns. */
  finish(): number {
    const quarters = this.goal ?? 0
    this.drop()
    return quarters
  }

  /** Cancels the turn: the layer returns to its start at once. */
  drop(): void {
    this.layer = null
    this.angle = 0
    this.goal = null
  }
}
