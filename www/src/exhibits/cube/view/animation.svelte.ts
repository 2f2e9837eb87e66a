/** Animation loop of the cube: combines updates of the experiment with user input, and renders while anything moves. */
import { theme } from '../../../state/theme.svelte'
import { layerOfTurn, released, type Layer } from '../model/drag'
import { TurnAnimator, type Position } from '../model/turn-animator'
import { Grip } from '../model/grip'
import { planned, type LayerMove } from '../model/layer-move'
import { angleIn, ManualLayer } from '../model/manual-layer'
import { faceFrames } from '../model/stickers'
import type { Face, Size, Turn } from '../model/turns'
import type { Arrow } from '../scene/arrows'
import type { CubeScene } from '../scene/cube-scene'

/** Minimum interval between arrow updates caused by training only, in milliseconds. */
const glance = 600

export class CubeAnimation {
  /** Colors of the displayed stickers. */
  stickers = $state('')
  /** Whether the view differs from the initial one. */
  away = $state(false)
  marks = false
  /** Faces that can turn. */
  turning: readonly Face[] = []
  readonly manualLayer = new ManualLayer()
  private readonly follower: TurnAnimator
  private stage: CubeScene | null = null
  private request = 0
  private last = 0
  private known = ''
  private cube: number | null = null
  private arrows: readonly Arrow[] = []
  private aimed = ''
  private learns = false
  private due: ReturnType<typeof setTimeout> | null = null
  private grows = false
  private rotates = false
  /** Time of the key that started the current turn, by `performance.now()`; null for other turns. */
  private pressed: number | null = null

  /**
   * `onturn` sends turns to the experiment and resolves to whether the experiment accepted the turns. `time` is the time
   * of the user's action by `performance.now()`.
   */
  constructor(
    private readonly size: Size,
    private readonly onturn: (turns: readonly Turn[], time: number) => Promise<boolean>,
  ) {
    this.follower = new TurnAnimator(size)
    this.stickers = this.follower.stickers
  }

  /** Sets the scene to render to; null for none. */
  on(stage: CubeScene | null): void {
    this.stage = stage
    this.aimed = ''
    this.paint()
  }

  /** Whether the cube is moving. */
  get moves(): boolean {
    return this.follower.moves || this.manualLayer.layer !== null
  }

  /** Sets the target position. Called for every update of the experiment; most updates do not change the cube. */
  follow(position: Position): void {
    const { cube, at, stickers, history } = position
    const now = `${cube} ${at} ${stickers} ${history.length} ${history[at - 1]?.turn}`
    if (now === this.known) return
    this.known = now
    // A new cube starts upright.
    if (cube !== this.cube) this.stage?.upright()
    this.cube = cube
    this.follower.still = theme.reducedMotion
    this.follower.follow(position)
    this.wake()
  }

  /**
   * Shows arrows. They are animated when the cube or the greedy move changes; changes by training alone are applied
   * at intervals.
   */
  aim(arrows: readonly Arrow[]): void {
    this.arrows = arrows
    const aim = `${this.known} ${arrows.map(({ best, pointed }) => (best ? 'b' : pointed ? 'p' : '-')).join('')}`
    if (aim === this.aimed) this.due ??= setTimeout(() => this.point(true), glance)
    else {
      this.aimed = aim
      this.point(false)
    }
  }

  /** Redraws the stickers. */
  paint(): void {
    this.stage?.paint(this.follower.stickers, this.marks)
    this.wake()
  }

  /** Turns a face, or applies the equivalent turns of a face that cannot turn. */
  turn(turn: Turn): void {
    this.settle()
    const { layer, quarters } = layerOfTurn(this.size, turn)
    this.manualLayer.push({ ...layer, axis: faceFrames[turn.face].normal }, quarters)
    this.wake()
  }

  /** Makes a move of layers, which is given in the frame of the viewer. */
  move(move: LayerMove): void {
    this.settle()
    const { stage } = this
    const { layer, quarters, whole } = planned(this.size, stage?.grip ?? new Grip(), move)
    if (layer) {
      this.pressed = performance.now()
      this.manualLayer.push(layer, quarters)
    }
    // Clockwise is negative about the normal.
    if (whole) stage?.rotate(faceFrames[whole.face].normal, whole.quarters === 3 ? 1 : -1)
    this.wake()
  }

  /** Completes all movement before a new user action. */
  settle(): void {
    const { layer } = this.manualLayer
    if (layer) this.arrive(layer, this.manualLayer.finish())
    this.follower.finish()
    this.wake()
  }

  /** Requests a frame, and further frames while anything moves. */
  wake(): void {
    if (this.request) return
    this.last = performance.now()
    this.request = requestAnimationFrame((now) => this.tick(now))
  }

  end(): void {
    cancelAnimationFrame(this.request)
    if (this.due !== null) clearTimeout(this.due)
    this.request = 0
    this.due = null
  }

  private point(learns: boolean): void {
    if (this.due !== null) clearTimeout(this.due)
    this.due = null
    this.learns = learns
    this.stage?.show(this.arrows)
    this.wake()
  }

  private tick(now: number): void {
    this.request = 0
    const passed = Math.min(0.1, Math.max(0, (now - this.last) / 1000))
    const { layer } = this.manualLayer
    const turned = theme.reducedMotion ? 1 : passed
    this.rotates = this.stage?.advanceRotation(angleIn(turned)) ?? false
    const quarters = this.manualLayer.advance(turned)
    if (layer && quarters !== null) this.arrive(layer, quarters)
    if (!this.manualLayer.layer) this.follower.advance(passed)
    this.draw(passed)
    if (this.manualLayer.settles || this.follower.moves || this.grows || this.rotates) {
      this.wake()
      this.last = now
    }
  }

  private draw(passed: number): void {
    const { stage, follower } = this
    if (follower.stickers !== this.stickers) {
      this.stickers = follower.stickers
      stage?.paint(this.stickers, this.marks)
    }
    if (!stage) return
    const { layer, angle } = this.pose()
    stage.layer(layer, angle)
    // A rotated layer would intersect the arrows, which belong to the newest state of the experiment's cube.
    stage.showArrows(layer === null && follower.isCurrent)
    this.grows = stage.advance(passed, this.learns || theme.reducedMotion)
    stage.render()
    this.away = stage.away
  }

  /** Returns the rotated layer and its angle. */
  private pose(): { layer: Layer | null; angle: number } {
    if (this.manualLayer.layer) return this.manualLayer
    const { turning, progress: t, queue } = this.follower
    if (!turning) return { layer: null, angle: 0 }
    const { layer, quarters } = layerOfTurn(this.size, turning)
    // Consecutive turns move at constant speed; a single turn is eased.
    const eased = queue.length > 1 ? t : t * t * (3 - 2 * t)
    return { layer, angle: (quarters * eased * Math.PI) / 2 }
  }

  /** Handles the end of a manual turn (by drag or button): sends it to the experiment as face turns. */
  private arrive({ axis, along }: Layer, quarters: number): void {
    const { turns, whole } = released(this.size, this.turning, { axis, along }, quarters)
    const time = this.pressed ?? performance.now()
    this.pressed = null
    if (turns.length === 0) return
    const answer = this.follower.made(turns)
    this.stage?.hold(axis, whole)
    void this.onturn(turns, time).then((taken) => {
      answer(taken)
      this.wake()
    })
  }
}
