/** The cube's picture in time: follows the lab, and what a hand does, and draws while anything moves. */
import { theme } from '../../../state/theme.svelte'
import { layerOfTurn, released, type Layer } from '../model/drag'
import { Follower, type Position } from '../model/follower'
import { Hand } from '../model/hand'
import { lies } from '../model/stickers'
import type { Face, Size, Turn } from '../model/turns'
import type { Arrow } from '../scene/arrows'
import type { Stage } from '../scene/stage'

/** Milliseconds after which arrows are drawn anew that only learning has changed. */
const glance = 600

export class Animation {
  /** The colors that are painted. */
  stickers = $state('')
  /** Whether the cube is looked at in another way than at first. */
  away = $state(false)
  marks = false
  /** The faces that can be turned. */
  turning: readonly Face[] = []
  readonly hand = new Hand()
  private readonly follower: Follower
  private stage: Stage | null = null
  private request = 0
  private last = 0
  private known = ''
  private cube: number | null = null
  private arrows: readonly Arrow[] = []
  private aimed = ''
  private learns = false
  private due: ReturnType<typeof setTimeout> | null = null
  private grows = false

  /** `onturn` asks the lab to make turns, and returns whether it does. */
  constructor(
    private readonly size: Size,
    private readonly onturn: (turns: readonly Turn[]) => Promise<boolean>,
  ) {
    this.follower = new Follower(size)
    this.stickers = this.follower.stickers
  }

  /** Draws on a stage from now on; on none where there is none. */
  on(stage: Stage | null): void {
    this.stage = stage
    this.aimed = ''
    this.paint()
  }

  /** Whether turns are under way that the lab has made already, or that a hand makes. */
  get moves(): boolean {
    return this.follower.moves || this.hand.layer !== null
  }

  /** Takes in the table, which reports more than turns, many times a second. */
  follow(position: Position): void {
    const { cube, at, stickers, history } = position
    const now = `${cube} ${at} ${stickers} ${history.length} ${history[at - 1]?.turn}`
    if (now === this.known) return
    this.known = now
    // How the last cube was held says nothing of another one.
    if (cube !== this.cube) this.stage?.upright()
    this.cube = cube
    this.follower.still = theme.reducedMotion
    this.follower.follow(position)
    this.wake()
  }

  /**
   * Shows arrows. They grow where the cube or the choice is another one. What is only learned changes them all the time, and
   * they are drawn anew now and then.
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

  /** Paints the stickers anew. */
  paint(): void {
    this.stage?.paint(this.follower.stickers, this.marks)
    this.wake()
  }

  /** Turns a face as if by hand, also one that others stand in for. */
  turn(turn: Turn): void {
    this.settle()
    const { layer, quarters } = layerOfTurn(this.size, turn)
    this.hand.push({ ...layer, axis: lies[turn.face].normal }, quarters)
    this.wake()
  }

  /** Whoever takes hold of the cube takes hold of what it is to be. */
  settle(): void {
    const { layer } = this.hand
    if (layer) this.arrive(layer, this.hand.finish())
    this.follower.finish()
    this.wake()
  }

  /** Draws once more, and for as long as anything moves. */
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
    const { layer } = this.hand
    const quarters = this.hand.advance(theme.reducedMotion ? 1 : passed)
    if (layer && quarters !== null) this.arrive(layer, quarters)
    if (!this.hand.layer) this.follower.advance(passed)
    this.draw(passed)
    if (this.hand.settles || this.follower.moves || this.grows) {
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
    stage.still(layer === null)
    this.grows = stage.advance(passed, this.learns || theme.reducedMotion)
    stage.render()
    this.away = stage.away
  }

  /** The layer that is not where it belongs, and by how much. */
  private pose(): { layer: Layer | null; angle: number } {
    if (this.hand.layer) return this.hand
    const { turning, progress: t, queue } = this.follower
    if (!turning) return { layer: null, angle: 0 }
    const { layer, quarters } = layerOfTurn(this.size, turning)
    // One turn after another flows; a single one begins and ends gently.
    const eased = queue.length > 1 ? t : t * t * (3 - 2 * t)
    return { layer, angle: (quarters * eased * Math.PI) / 2 }
  }

  /** A layer has been turned by hand. */
  private arrive({ axis, along }: Layer, quarters: number): void {
    const { turns, whole } = released(this.size, this.turning, { axis, along }, quarters)
    if (turns.length === 0) return
    const answer = this.follower.made(turns)
    this.stage?.hold(axis, whole)
    void this.onturn(turns).then((taken) => {
      answer(taken)
      this.wake()
    })
  }
}
