/**
 * The cube as it is painted, on its way to the cube that the lab has. What the lab did is followed turn by turn; where
 * there is no short way, or the colors do not come out alike, the lab's cube is painted as it is.
 */
import { solved, turned } from './stickers'
import { inverse, readTurn, writeTurn, type Size, type Turn } from './turns'

/** The part of the lab's table that is followed. */
export interface Position {
  stickers: string
  /** Another number is another cube, which turns did not lead to. */
  cube: number
  history: readonly { turn: string }[]
  /** How many turns of the history are made. */
  at: number
}

/** More turns than these are not worth watching. */
const longest = 60
/** Seconds of a turn that nothing waits for, and of the shortest. */
const leisurely = 0.24
const hurried = 0.05

export class Follower {
  /** What is painted, without the turn under way. */
  stickers: string
  /** The turns that are to be made; the first is under way. */
  queue: Turn[] = []
  /** How much of the turn under way is made, 0 to 1. */
  progress = 0
  /** Whether turns are made at once. */
  still = false

  private cube: number | null = null
  private turns: Turn[] = []
  private newest: Position | null = null
  private waiting = 0

  constructor(size: Size) {
    this.stickers = solved(size)
  }

  get turning(): Turn | null {
    return this.queue[0] ?? null
  }

  get moves(): boolean {
    return this.queue.length > 0
  }

  /** Takes in what the lab has now. */
  follow(position: Position): void {
    this.newest = position
    if (this.waiting === 0) this.go(position)
  }

  /**
   * Paints turns that a hand has made already. Until the lab has answered whether it makes them, what it sends is older than
   * they are; the function that is given back says that it has.
   */
  made(turns: readonly Turn[]): (taken: boolean) => void {
    this.finish()
    for (const turn of turns) {
      this.stickers = turned(this.stickers, turn)
      this.turns.push(turn)
    }
    this.waiting++
    return (taken) => {
      this.waiting--
      // Where they are taken, the next that comes knows them.
      if (!taken && this.waiting === 0 && this.newest) this.go(this.newest)
    }
  }

  /** Makes all turns that are under way. */
  finish(): void {
    while (this.queue.length > 0) this.arrive()
  }

  /** Lets time go on; whether there is anything new to paint. */
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

  /** Seconds of a turn: the more of them wait, the quicker. */
  private get duration(): number {
    return Math.max(hurried, leisurely / (1 + 0.3 * (this.queue.length - 1)))
  }

  private go(position: Position): void {
    const wanted = position.history.slice(0, position.at).map(({ turn }) => readTurn(turn))
    if (wanted.some((turn) => turn === null)) return this.paint(position, [])
    const turns = wanted as Turn[]
    if (position.cube !== this.cube) {
      const known = this.cube !== null
      this.paint(position, turns)
      // A scrambled cube is shown being scrambled.
      if (known && turns.length > 0 && turns.length <= longest) {
        for (const turn of turns.toReversed()) this.stickers = turned(this.stickers, inverse(turn))
        this.turns = []
        this.queue = turns
      }
      return
    }
    const planned = [...this.turns, ...this.queue]
    let common = 0
    while (common < planned.length && common < turns.length && same(planned[common]!, turns[common]!))
      common++
    const way = [...planned.slice(common).reverse().map(inverse), ...turns.slice(common)]
    if (way.length > longest || this.after([...this.queue, ...way]) !== position.stickers)
      return this.paint(position, turns)
    this.queue.push(...way)
    if (this.still) this.finish()
  }

  /** The colors after turns from what is painted. */
  private after(turns: readonly Turn[]): string {
    return turns.reduce(turned, this.stickers)
  }

  private paint(position: Position, turns: readonly Turn[]): void {
    this.cube = position.cube
    this.stickers = position.stickers
    this.turns = [...turns]
    this.queue = []
    this.progress = 0
  }

  /** The turn under way is made. */
  private arrive(): void {
    const turn = this.queue.shift()
    if (!turn) return
    this.stickers = turned(this.stickers, turn)
    this.turns.push(turn)
    this.progress = 0
    if (this.queue.length === 0) this.settle()
  }

  /** Turns that led back and forth are the lab's own again. */
  private settle(): void {
    if (!this.newest || this.waiting > 0 || this.newest.cube !== this.cube) return
    if (this.newest.stickers === this.stickers) this.turns = this.read(this.newest)
  }

  private read({ history, at }: Position): Turn[] {
    return history.slice(0, at).flatMap(({ turn }) => readTurn(turn) ?? [])
  }
}

const same = (a: Turn, b: Turn): boolean => writeTurn(a) === writeTurn(b)
