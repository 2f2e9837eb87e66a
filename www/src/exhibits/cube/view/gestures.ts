/** Pointer gestures: dragging a sticker turns a layer, dragging beside the cube rotates the view. */
import { follow, layerOf, dragDirections } from '../model/drag'
import { stickersOf, type Vector } from '../model/stickers'
import type { Size } from '../model/turns'
import { half } from '../scene/ray'
import type { CubeScene } from '../scene/cube-scene'
import type { CubeAnimation } from './animation.svelte'

type Place = [x: number, y: number]

/** Minimum distance in pixels of a drag; shorter movements are clicks. */
const slack = 6

interface Held {
  pointer: number
  from: Place
  last: Place
  /**
   * Dragged sticker, position on the cube, and drag direction (null until determined); null for a drag beside the cube.
   */
  on: { sticker: number; at: Vector; direction: 0 | 1 | null } | null
  dragged: boolean
}

export class PointerGestures {
  private held: Held | null = null

  constructor(
    private readonly size: Size,
    private readonly stage: CubeScene,
    private readonly animation: CubeAnimation,
  ) {}

  /** Whether a layer is being dragged. */
  get pulls(): boolean {
    return this.held?.on != null
  }

  down(pointer: number, from: Place): void {
    // Additional fingers are ignored.
    if (this.held) return
    const met = this.stage.sticker(...from)
    if (met) this.animation.settle()
    this.held = { pointer, from, last: from, on: met && { ...met, direction: null }, dragged: false }
  }

  move(pointer: number, to: Place): void {
    const { held } = this
    if (held?.pointer !== pointer) return
    const drag: Place = [to[0] - held.from[0], to[1] - held.from[1]]
    held.dragged ||= Math.hypot(...drag) >= slack
    if (!held.dragged) return
    if (held.on) this.pull(held.on, drag)
    else this.stage.orbit(to[0] - held.last[0], to[1] - held.last[1])
    held.last = to
    this.animation.wake()
  }

  up(pointer: number): void {
    if (this.held?.pointer !== pointer) return
    if (this.held.on?.direction != null) this.animation.manualLayer.release()
    this.held = null
    this.animation.wake()
  }

  cancel(pointer: number): void {
    if (this.held?.pointer !== pointer) return
    if (this.held.on) this.animation.manualLayer.drop()
    this.held = null
    this.animation.wake()
  }

  private pull(on: NonNullable<Held['on']>, drag: Place): void {
    const { manualLayer } = this.animation
    const sticker = stickersOf(this.size)[on.sticker]!
    const both = dragDirections(sticker)
    const pictures: [Place, Place] = [this.stage.picture(on.at, both[0]), this.stage.picture(on.at, both[1])]
    if (on.direction === null) {
      on.direction = follow(drag, pictures).direction
      manualLayer.take(layerOf(sticker, both[on.direction]))
    }
    // The sticker stays under the pointer.
    const [x, y] = pictures[on.direction]
    manualLayer.drag((drag[0] * x + drag[1] * y) / (x * x + y * y) / half)
  }
}
