/**
 * Animates the displayed cube towards the current state of the experiment's cube, turn by turn. If the states are too
 * far apart or the colors disagree, the current state is displayed immediately.
 */
import { inverseMove, moved, readMove, writeMove, type LayerMove } from './layer-move'
import { solved } from './stickers'
import type { Size } from './turns'

/** State of the experiment's cube. */
export interface Position {
  stickers: string
  /** ID of the cube; changes if the cube is replaced other than by turns. */
  cube: number
  history: readonly { turn: string }[]
  /** Number of turns of the history that are applied. */
  at: number
}

/** Maximum number of animated turns. */
const longest = 60
/** Duration of a single turn in seconds, and minimum duration if more turns are pending. */
const leisurely = 0.24
const hurried = 0.05

export class TurnAnimator {
  /** Displayed colors, without the turn in progress. */
  stickers: string
  /** Pending turns; the first one is in progress. */
  queue: LayerMove[] = []
  /** Progress of the current turn, 0 to 1. */
  progress = 0
  /** Whether turns are applied without animation. */
  still = false

  private cube: number | null = null
  private turns: LayerMove[] = []
  private newest: Position | null = null
  private waiting = 0

  constructor(size: Size) {
    this.stickers = solved(size)
  }

  get turning(): LayerMove | null {
    return this.queue[0] ?? null
  }

  get moves(): boolean {
    return this.queue.length > 0
  }

  /** Whether the display shows the newest state of the experiment's cube: false while turns of the user are not confirmed. */
  get isCurrent(): boolean {
    return !this.moves && this.newest?.stickers === this.stickers
  }

  /** Animates the turns from the displayed cube to `position`, the newest state of the experiment's cube. */
  follow(position: Position): void {
    this.newest = position
    if (this.waiting === 0) this.go(position)
  }

  /**
   * Displays turns that the user has already made. Updates from the experiment are ignored until the returned function
   * is called with the result: whether the experiment accepted the turns.
   */
  made(turns: readonly LayerMove[]): (taken: boolean) => void {
    this.finish()
    for (const turn of turns) {
      this.stickers = moved(this.stickers, turn)
      this.turns.push(turn)
    }
    this.waiting++
    return (taken) => {
      this.waiting--
      // If accepted, the next update contains the turns.
      if (!taken && this.waiting === 0 && this.newest) this.go(this.newest)
    }
  }

  /** Completes all pending turns. */
  finish(): void {
    while (this.queue.length > 0) this.arrive()
  }

  /** Advances time. Returns whether the display changed. */
  advance(seconds: number): boolean {
    if (!this.moves) return false
    if (this.still) {
      this.finish()
      return true
    }
    let left = seconds
    while (this.moves) {
      const needed = (1 - this.progress) * this.duration
      if (left < needed) {
        this.progress += left / this.duration
        break
      }
      left -= needed
      this.arrive()
    }
    return true
  }

  /** Duration of the current turn in seconds; shorter if more turns are pending. */
  private get duration(): number {
    return Math.max(hurried, leisurely / (1 + 0.3 * (this.queue.length - 1)))
  }

  private go(position: Position): void {
    const wanted = position.history.slice(0, position.at).map(({ turn }) => readMove(turn))
    if (wanted.some((turn) => turn === null)) return this.paint(position, [])
    const turns = wanted as LayerMove[]
    if (position.cube !== this.cube) {
      const known = this.cube !== null
      this.paint(position, turns)
      // The scramble of a new cube is animated.
      if (known && turns.length > 0 && turns.length <= longest) {
        for (const turn of turns.toReversed()) this.stickers = moved(this.stickers, inverseMove(turn))
        this.turns = []
        this.queue = turns
      }
      return
    }
    const planned = [...this.turns, ...this.queue]
    let common = 0
    while (common < planned.length && common < turns.length && same(planned[common]!, turns[common]!))
      common++
    const way = [...planned.slice(common).reverse().map(inverseMove), ...turns.slice(common)]
    if (way.length > longest || this.after([...this.queue, ...way]) !== position.stickers)
      return this.paint(position, turns)
    this.queue.push(...way)
    if (this.still) this.finish()
  }

  /** Returns the sticker colors after applying turns to the displayed colors. */
  private after(turns: readonly LayerMove[]): string {
    return turns.reduce(moved, this.stickers)
  }

  private paint(position: Position, turns: readonly LayerMove[]): void {
    this.cube = position.cube
    this.stickers = position.stickers
    this.turns = [...turns]
    this.queue = []
    this.progress = 0
  }

  /** Applies the completed turn to the displayed colors, and begins the next pending turn. */
  private arrive(): void {
    const turn = this.queue.shift()
    if (!turn) return
    this.stickers = moved(this.stickers, turn)
    this.turns.push(turn)
    this.progress = 0
    if (this.queue.length === 0) this.settle()
  }

  /** Adopts the history of the experiment if the displayed colors equal the colors of its cube. */
  private settle(): void {
    if (!this.newest || this.waiting > 0 || this.newest.cube !== this.cube) return
    if (this.newest.stickers === this.stickers) this.turns = this.read(this.newest)
  }

  private read({ history, at }: Position): LayerMove[] {
    return history.slice(0, at).flatMap(({ turn }) => readMove(turn) ?? [])
  }
}

const same = (a: LayerMove, b: LayerMove): boolean => writeMove(a) === writeMove(b)
