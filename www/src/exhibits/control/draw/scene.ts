/** The interface of every drawn world. */
import type { Look } from '../../../lib/look'

/** The state that is drawn at one moment. */
export interface Stage {
  members: number
  dims: number
  /** [members, dims] */
  state: Float32Array
  /** [members] 0 to 1: the return so far, from the worst to solved. */
  returns: Float32Array
  /** [members] steps into the episode. */
  ages: Float32Array
  focus: number
  /** The focused member's action, −1 to 1, smoothed. */
  action: number
  /** A person's push under way, as a multiple of the strongest action; 0 for none. */
  push: number
  /** Seconds since the last picture. */
  elapsed: number
  /** Whether things may move that do not move in the world. */
  still: boolean
}

export interface Size {
  width: number
  height: number
  /** What a label covers at the top. */
  top: number
}

export type Bounds = { x: number; y: number; width: number; height: number }

/** A world as it is drawn: the preview, and the focused member large. */
export interface Scene {
  /** Says where everything goes; called when the size or the preview changes, before `draw`. */
  layout(size: Size, members: number): void
  draw(context: CanvasRenderingContext2D, stage: Stage, look: Look): void
  /** Who is in focus as long as nobody chose. */
  home(): number
  /** The member of the preview nearest to a point, or null if none is near. */
  pick(x: number, y: number): number | null
  /** The part where a drag pushes the focused member. */
  grip(): Bounds
  /** The push that dragging from one point to another means, as a multiple of the strongest action. */
  pull(from: Point, to: Point): number
  /** The member beside another one, for the arrow keys. */
  neighbor(member: number, dx: number, dy: number): number
}

export interface Point {
  x: number
  y: number
}

/** The strongest push a person can give, as a multiple of the strongest action. */
export const strongestPush = 3

export function clampPush(push: number): number {
  return Math.max(-strongestPush, Math.min(strongestPush, push))
}

/** Where members of the preview stand; shared by picking and by the arrow keys. */
export class Places {
  xs: Float32Array
  ys: Float32Array
  scales: Float32Array

  constructor(readonly count: number) {
    this.xs = new Float32Array(count)
    this.ys = new Float32Array(count)
    this.scales = new Float32Array(count).fill(1)
  }

  /** The member nearest to a point, however far. */
  closest(x: number, y: number): number {
    return this.nearest(x, y, Infinity) ?? 0
  }

  /** `reach` is in pixels at scale 1. */
  nearest(x: number, y: number, reach: number): number | null {
    let best: number | null = null
    let least = Infinity
    for (let m = 0; m < this.count; m++) {
      const far = Math.hypot(this.xs[m]! - x, this.ys[m]! - y)
      if (far < least && far < reach * Math.max(0.6, this.scales[m]!)) [best, least] = [m, far]
    }
    return best
  }

  /** The nearest member within 45° of a direction; the member itself where there is none. */
  neighbor(member: number, dx: number, dy: number): number {
    let best = member
    let least = Infinity
    for (let m = 0; m < this.count; m++) {
      const [vx, vy] = [this.xs[m]! - this.xs[member]!, this.ys[m]! - this.ys[member]!]
      const along = vx * dx + vy * dy
      const across = Math.abs(vx * dy) + Math.abs(vy * dx)
      if (along <= 0.5 || across > along) continue
      const far = along + 2 * across
      if (far < least) [best, least] = [m, far]
    }
    return best
  }
}
