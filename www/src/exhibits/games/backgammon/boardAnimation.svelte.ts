/** State of the animated board. The board shows computer moves one by one and therefore lags behind the game. */
import type { GameMove, GameTable } from '../../../engine/page/session'
import { theme } from '../../../state/theme.svelte'
import { checkersOf, played, start, type Checkers, type Seat } from '../model/checkers'
import {
  animationSteps,
  stateAfter,
  spent,
  type AnimatedState,
  type BoardSnapshot,
  type AnimationStep,
} from './animationSteps'

/** Maximum number of queued animation steps; a longer queue is skipped. */
const patience = 14

const nothing: BoardSnapshot = { checkers: start, dice: null, left: [], seat: 0, roll: '' }

export class BoardAnimation {
  now = $state.raw<BoardSnapshot>(nothing)
  /** Number of rolls shown so far, which is the ID of the current roll. */
  roll = $state(0)
  /** Whether the board shows the current state of the game. */
  settled = $state(false)
  private place: AnimatedState | null = null
  private queue: AnimationStep[] = []
  private timer: ReturnType<typeof setTimeout> | null = null

  /** Queues the animation to a new state of the game. */
  receive(table: GameTable | null): void {
    const checkers = table && checkersOf(table)
    if (!table || !checkers) return this.clear()
    const steps = animationSteps(this.place, table, checkers)
    this.place = stateAfter(table, checkers)
    // Only the last step sets `settled`; pending steps are shown first.
    this.queue = [...this.queue.filter(({ hold }) => hold > 0), ...steps]
    if (this.queue.length > patience) this.queue = this.queue.slice(-1)
    if (this.timer === null) this.next()
  }

  /** Shows moves of the human player before the game has confirmed them. */
  expect(seat: Seat, moves: readonly GameMove[]): void {
    let { checkers, left } = this.now
    for (const move of moves) {
      checkers = played(checkers, seat, move.from, move.to)
      left = spent(left, move)
    }
    this.set({ ...this.now, checkers, left })
    this.settled = false
    if (this.place) this.place = { ...this.place, shown: this.now }
  }

  /** Reverts moves that the game has rejected. */
  recall(checkers: Checkers): void {
    this.set({ ...this.now, checkers })
    this.settled = true
  }

  clear(): void {
    if (this.timer !== null) clearTimeout(this.timer)
    this.timer = null
    this.queue = []
    this.place = null
    this.settled = false
  }

  private next(): void {
    const step = this.queue.shift()
    if (!step) return
    const { hold, ...shown } = step
    this.set(shown)
    this.settled = this.queue.length === 0
    if (hold === 0) {
      if (this.queue.length > 0) this.next()
      return
    }
    this.timer = setTimeout(
      () => {
        this.timer = null
        this.next()
      },
      theme.reducedMotion ? hold / 2 : hold,
    )
  }

  private set(shown: BoardSnapshot): void {
    if (shown.roll !== '' && shown.roll !== this.now.roll) this.roll++
    this.now = shown
  }
}
