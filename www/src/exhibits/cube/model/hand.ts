/** A layer in somebody's hand: dragged, let go, or turned by a key. */
import type { Layer } from './drag'

const quarter = Math.PI / 2
/** How far beyond a quarter a layer must be dragged to go on to the next one. */
const caught = 0.4
/** Seconds that a layer takes for a quarter once it was let go. */
const seconds = 0.16

export class Hand {
  layer: Layer | null = null
  /** Counter-clockwise about the layer's axis, in radians. */
  angle = 0
  /** Where it goes when it was let go, in quarters; null while it is held. */
  private goal: number | null = null

  /** Whether a layer is on its way by itself. */
  get settles(): boolean {
    return this.layer !== null && this.goal !== null
  }

  take(layer: Layer): void {
    this.layer = layer
    this.angle = 0
    this.goal = null
  }

  drag(angle: number): void {
    this.angle = angle
  }

  /** Lets go; the layer goes on to the nearest quarter, a little in favor of the one that it is dragged to. */
  release(): void {
    const far = Math.abs(this.angle) / quarter
    this.goal = Math.sign(this.angle) * Math.floor(far + 1 - caught)
  }

  /** Turns a layer by quarters. */
  push(layer: Layer, quarters: number): void {
    this.take(layer)
    this.goal = quarters
  }

  /** Lets time go on; how many quarters the layer was turned by, once it has arrived. */
  advance(passed: number): number | null {
    if (this.layer === null || this.goal === null) return null
    const left = this.goal * quarter - this.angle
    const step = (quarter / seconds) * passed
    if (Math.abs(left) > step) {
      this.angle += Math.sign(left) * step
      return null
    }
    return this.finish()
  }

  /** Arrives at once; how many quarters the layer was turned by. */
  finish(): number {
    const quarters = this.goal ?? 0
    this.drop()
    return quarters
  }

  /** Lets go of it where it came from. */
  drop(): void {
    this.layer = null
    this.angle = 0
    this.goal = null
  }
}
