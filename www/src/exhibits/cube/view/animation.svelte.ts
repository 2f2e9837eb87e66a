/** Animation loop of the cube: combines updates of the experiment with user input, and renders while anything moves. */
import { theme } from '../../../state/theme.svelte'
import { TurnAnimator, type Position } from '../model/turn-animator'
import { layersOf, moveOf, type LayerMove } from '../model/layer-move'
import { ManualLayer } from '../model/manual-layer'
import type { Layers } from '../model/stickers'
import type { Size } from '../model/turns'
import type { Arrow } from '../scene/arrows'
import type { CubeScene } from '../scene/cube-scene'

/** Minimum interval between arrow updates caused by training only, in milliseconds. */
const glance = 600

export class CubeAnimation {
  /** Colors of the displayed stickers. */
  stickers = $state('')
  /** Whether the view differs from the initial one. */
  away = $state(false)
  /** Number of turns between the displayed cube and the newest state of the experiment's cube, with the turn in progress. */
  pending = $state(0)
  marks = false
  readonly manualLayer = new ManualLayer()
  private readonly follower: TurnAnimator
  private stage: CubeScene | null = null
  private request = 0
  private last = 0
  private known = ''
  private arrows: readonly Arrow[] = []
  private aimed = ''
  private learns = false
  private due: ReturnType<typeof setTimeout> | null = null
  private grows = false
  /** Time of the key that started the current turn, by `performance.now()`; null for other turns. */
  private pressed: number | null = null

  /**
   * `onmove` sends a move to the experiment and resolves to whether the experiment accepted the move. `time` is the time
   * of the user's action by `performance.now()`.
   */
  constructor(
    private readonly size: Size,
    private readonly onmove: (move: LayerMove, time: number) => Promise<boolean>,
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
    this.follower.still = theme.reducedMotion
    this.follower.follow(position)
    this.pending = this.follower.queue.length
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

  /** Makes a move of layers. */
  move(move: LayerMove): void {
    this.settle()
    this.pressed = performance.now()
    const { layers, quarters } = layersOf(this.size, move)
    this.manualLayer.push(layers, quarters)
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
    const quarters = this.manualLayer.advance(turned)
    if (layer && quarters !== null) this.arrive(layer, quarters)
    if (!this.manualLayer.layer) this.follower.advance(passed)
    this.draw(passed)
    if (this.manualLayer.settles || this.follower.moves || this.grows) {
      this.wake()
      this.last = now
    }
  }

  private draw(passed: number): void {
    const { stage, follower } = this
    this.pending = follower.queue.length
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
  private pose(): { layer: Layers | null; angle: number } {
    if (this.manualLayer.layer) return this.manualLayer
    const { turning, progress: t, queue } = this.follower
    if (!turning) return { layer: null, angle: 0 }
    const { layers, quarters } = layersOf(this.size, turning)
    // Consecutive turns move at constant speed; a single turn is eased.
    const eased = queue.length > 1 ? t : t * t * (3 - 2 * t)
    return { layer: layers, angle: (quarters * eased * Math.PI) / 2 }
  }

  /** Handles the end of a manual move (by drag, key or button): sends the move to the experiment. */
  private arrive(layers: Layers, quarters: number): void {
    const move = moveOf(this.size, layers, quarters)
    const time = this.pressed ?? performance.now()
    this.pressed = null
    if (!move) return
    const answer = this.follower.made([move])
    void this.onmove(move, time).then((taken) => {
      answer(taken)
      this.wake()
    })
  }
}
