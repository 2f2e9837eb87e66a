/** Speedcubing: scramble, timer and solves of the cube on the page. */
import type { CubeTable } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { storedSolves, storeSolves } from './storage'
import { inspect, move, press, release, stop, type Penalty, type Solve, type TimerState } from './timer'
import { scrambleTurns } from '../model/reconstruction'
import { cubeActionsOf, type CubeActions } from '../state/actions.svelte'
import { cubeOf, type CubeState } from '../state/table.svelte'

export class Speedcubing {
  /** Whether the inspection is timed. */
  inspection = $state(true)
  /** Whether the space bar times a physical cube instead of the moves of the cube on the page. */
  physical = $state(false)
  timer = $state.raw<TimerState>({ phase: 'idle' })
  /** Last scramble in standard notation. */
  scramble = $state.raw<{ text: string; typed: boolean } | null>(null)
  #solves = $state.raw<{ world: string; list: readonly Solve[] }>({ world: '', list: [] })
  /** Cube that was set up by a scramble, and the number of its turns. */
  private setup: { run: number; cube: number; turns: number } | null = null
  /** ID of the cube before the scramble, until the scrambled cube is displayed. */
  private before: number | null = null
  /** Number of scrambles that were started. */
  private starts = 0

  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
    private readonly actions: CubeActions,
  ) {}

  /** Stored solves of this experiment, oldest first. */
  get solves(): readonly Solve[] {
    const world = this.lab.exhibit ?? ''
    return this.#solves.world === world ? this.#solves.list : storedSolves(world)
  }

  /** Whether an inspection or a timed solve is in progress, during which distance, move values and map are hidden. */
  get isSolving(): boolean {
    if (this.physical) return false
    return this.timer.phase === 'inspecting' || this.timer.phase === 'running'
  }

  clear(): void {
    this.store([])
  }

  /** Sets the penalty of the solve at `index`. */
  penalize(index: number, penalty: Penalty): void {
    this.store(this.solves.map((solve, i) => (i === index ? { ...solve, penalty } : solve)))
  }

  /** Deletes the solve at `index`. */
  remove(index: number): void {
    if (index === this.solves.length - 1 && this.timer.phase === 'done') this.timer = { phase: 'idle' }
    this.store(this.solves.filter((_, i) => i !== index))
  }

  private store(solves: readonly Solve[]): void {
    const world = this.lab.exhibit ?? ''
    this.#solves = { world, list: storeSolves(world, solves) }
  }

  /** Sets up a scramble on a solved cube. Returns the error of a typed scramble, or null. */
  async start(text: string, typed: boolean): Promise<string | null> {
    const start = ++this.starts
    const before = this.table.cube?.cube ?? -1
    const store = this.actions.remember()
    this.table.touch()
    if (typed) {
      // The notation is checked before the cube is reset.
      const wrong = await this.table.trial({ kind: 'apply', turns: text, by: 'scramble' })
      if (wrong !== null || start !== this.starts) return wrong
    }
    this.timer = { phase: 'idle' }
    this.before = before
    const isReset = await this.table.ask({ kind: 'reset_cube' })
    // A newer scramble replaces this one.
    if (start !== this.starts) return null
    if (!isReset) {
      this.before = null
      return null
    }
    store()
    const wrong = await this.table.trial({ kind: 'apply', turns: text, by: 'scramble' })
    if (start !== this.starts) return null
    if (wrong === null) this.scramble = { text, typed }
    else this.before = null
    return wrong
  }

  /** Follows the displayed cube: arms the timer when a scramble is set up, and stops it when the cube is solved. */
  follow(table: CubeTable): void {
    if (this.before !== null) {
      const turns = scrambleTurns(table.history)
      if (table.cube === this.before || turns === 0) return
      this.before = null
      this.setup = { run: this.lab.run, cube: table.cube, turns }
      this.timer = { phase: table.solved ? 'idle' : 'ready' }
      return
    }
    const { phase } = this.timer
    if (this.physical) return
    if (phase === 'idle' || phase === 'done' || phase === 'discarded') return
    if (!this.isTimed(table)) this.timer = { phase: phase === 'ready' ? 'idle' : 'discarded' }
    else if (phase === 'running' && table.solved) {
      const done = stop(this.timer)
      this.finish(done)
    }
  }

  /** Sets the state of the timer, and stores a solve that is done. */
  private finish(state: TimerState): void {
    const wasDone = this.timer.phase === 'done'
    this.timer = state
    if (state.phase !== 'done' || wasDone) return
    const scramble = this.scramble?.text
    this.store([...this.solves, { ...state.solve, date: Date.now(), ...(scramble && { scramble }) }])
  }

  /** Selects what is timed: a physical cube, or the cube on the page. */
  choose(physical: boolean): void {
    this.physical = physical
    this.timer = { phase: 'idle' }
  }

  /** Presses a key while a physical cube is timed. Returns whether the timer uses the key. */
  press(key: string, now: number): boolean {
    if (!this.physical || (key !== ' ' && this.timer.phase !== 'running')) return false
    this.finish(press(this.timer, now, key === ' ', this.inspection))
    return true
  }

  /** Releases the space bar while a physical cube is timed. Returns whether the timer uses the key. */
  release(key: string, now: number): boolean {
    if (!this.physical || key !== ' ') return false
    this.timer = release(this.timer, now)
    return true
  }

  /** Whether all turns since the scramble are the person's, on the same cube. */
  private isTimed({ cube, at, history, solving }: CubeTable): boolean {
    const { setup, lab } = this
    if (setup?.cube !== cube || setup.run !== lab.run || at < setup.turns || solving !== null) return false
    return history.slice(setup.turns).every(({ by }) => by === 'person')
  }

  /** Counts a move of the person. */
  moved(now: number): void {
    if (this.physical) return
    this.timer = move(this.timer, now)
  }

  /** Starts the inspection of a scrambled cube. Returns whether the inspection has started. */
  inspect(now: number): boolean {
    if (this.physical || !this.inspection || this.timer.phase !== 'ready') return false
    this.timer = inspect(this.timer, now)
    return true
  }
}

export const [useSpeedcubing, speedcubingOf] = partOf(
  (lab) => new Speedcubing(lab, cubeOf(lab), cubeActionsOf(lab)),
)
