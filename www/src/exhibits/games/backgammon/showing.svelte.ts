/** The board as it is shown: a little behind the table where a computer's moves are followed one by one. */
import type { GameMove, GameTable } from '../../../engine/page/session'
import { theme } from '../../../state/theme.svelte'
import { played, start, type Checkers, type Seat } from '../model/checkers'
import { checkersOf, course, placeAfter, spent, type Place, type Shown, type Step } from './course'

/** What waits to be shown longer than this is skipped. */
const patience = 14

const nothing: Shown = { checkers: start, dice: null, left: [], seat: 0, roll: '' }

export class Showing {
  now = $state.raw<Shown>(nothing)
  /** Counts rolls. */
  roll = $state(0)
  /** Whether it shows what is on the table. */
  settled = $state(false)
  private place: Place | null = null
  private queue: Step[] = []
  private timer: ReturnType<typeof setTimeout> | null = null

  /** The table has changed. */
  receive(table: GameTable | null): void {
    const checkers = table && checkersOf(table)
    if (!table || !checkers) return this.clear()
    const steps = course(this.place, table, checkers)
    this.place = placeAfter(table, checkers)
    // Only the end of a course counts as being there; what is still on its way comes before the new one.
    this.queue = [...this.queue.filter(({ hold }) => hold > 0), ...steps]
    if (this.queue.length > patience) this.queue = this.queue.slice(-1)
    if (this.timer === null) this.next()
  }

  /** Moves of a person, before the table has heard of them. */
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

  /** What was expected will not come. */
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

  private set(shown: Shown): void {
    if (shown.roll !== '' && shown.roll !== this.now.roll) this.roll++
    this.now = shown
  }
}
