/** Interface of the environments' scenes. */
import type { CanvasTheme } from '../../../lib/canvas-theme'

/** State of the preview environments at one frame. */
export interface Stage {
  members: number
  dims: number
  /** States of the environments, [members, dims]. */
  state: Float32Array
  /** [members] return of the current episode so far, scaled from 0 (worst) to 1 (solved). */
  returns: Float32Array
  /** [members] number of steps in the current episode. */
  ages: Float32Array
  focus: number
  /** Smoothed action of the focused environment, −1 to 1. */
  action: number
  /** The user's push, as a multiple of the largest action; 0 for none. */
  push: number
  /** Seconds since the last frame. */
  elapsed: number
  /** Whether decorative motion is disabled. */
  still: boolean
}

export interface Size {
  width: number
  height: number
  /** Height covered by a label at the top, in pixels. */
  top: number
}

export type Bounds = { x: number; y: number; width: number; height: number }

/** Scene: all preview environments, with the focused one drawn large. A member is an environment of the preview. */
export interface Scene {
  /** Computes the layout. Called before `draw` if the size or the number of environments has changed. */
  layout(size: Size, members: number): void
  draw(context: CanvasRenderingContext2D, stage: Stage, look: CanvasTheme): void
  /** Returns the index of the initially focused environment. */
  home(): number
  /** Returns the index of the environment nearest to a point, or null if none is near. */
  pick(x: number, y: number): number | null
  /** Returns the area in which dragging pushes the focused environment. */
  grip(): Bounds
  /** Returns the push that results from a drag, as a multiple of the largest action. */
  pull(from: Point, to: Point): number
  /** Returns the index of the neighboring environment in a direction, for the arrow keys. */
  neighbor(member: number, dx: number, dy: number): number
}

/** Creates a scene. `world` returns the current value of a parameter of the environment, such as `pole_half_length`. */
export type SceneOf = (world: (parameter: string) => unknown) => Scene

export interface Point {
  x: number
  y: number
}

/** Largest push by the user, as a multiple of the largest action. */
export const strongestPush = 3

export function clampPush(push: number): number {
  return Math.max(-strongestPush, Math.min(strongestPush, push))
}

/** Positions of the preview environments, for picking and arrow keys. */
export class Places {
  xs: Float32Array
  ys: Float32Array
  scales: Float32Array

  constructor(readonly count: number) {
    this.xs = new Float32Array(count)
    this.ys = new Float32Array(count)
    this.scales = new Float32Array(count).fill(1)
  }

  /** Returns the index of the environment nearest to a point, at any distance. */
  closest(x: number, y: number): number {
    return this.nearest(x, y, Infinity) ?? 0
  }

  /** Returns the index of the nearest environment within `reach` pixels (at scale 1), or null. */
  nearest(x: number, y: number, reach: number): number | null {
    let best: number | null = null
    let least = Infinity
    for (let m = 0; m < this.count; m++) {
      const far = Math.hypot(this.xs[m]! - x, this.ys[m]! - y)
      if (far < least && far < reach * Math.max(0.6, this.scales[m]!)) [best, least] = [m, far]
    }
    return best
  }

  /** Returns the index of the nearest environment within 45° of a direction, or `member` if there is none. */
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
