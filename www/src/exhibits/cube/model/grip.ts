/** Orientation of the whole cube relative to the viewer, changed by quarter turns. */
import { dot, rotated, type Vector } from './stickers'

const upright: readonly Vector[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

export class Grip {
  /** Directions of the cube's axes x, y and z in the frame of the viewer. */
  axes: readonly Vector[] = upright

  /** Rotates the cube by quarter turns counter-clockwise about an axis of the viewer. */
  rotate(axis: Vector, quarters: number): void {
    this.axes = this.axes.map((one) => rotated(one, axis, quarters))
  }

  reset(): void {
    this.axes = upright
  }

  get isUpright(): boolean {
    return this.axes.every((axis, i) => dot(axis, upright[i]!) === 1)
  }

  /** Returns the direction in the frame of the cube that the viewer sees in direction `seen`. */
  toCube(seen: Vector): Vector {
    return [dot(seen, this.axes[0]!), dot(seen, this.axes[1]!), dot(seen, this.axes[2]!)]
  }

  /** Returns the direction in which the viewer sees a direction of the cube. */
  toViewer([x, y, z]: Vector): Vector {
    const at = (d: 0 | 1 | 2) => x * this.axes[0]![d] + y * this.axes[1]![d] + z * this.axes[2]![d]
    return [at(0), at(1), at(2)]
  }
}
