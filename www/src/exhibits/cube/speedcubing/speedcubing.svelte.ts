/** Speedcubing: scramble, timer and solves of the cube on the page. */
import type { CubeTable } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { randomStateScramble, type ScramblePhase } from './scrambles'
import { SolveSessions } from './sessions.svelte'
import { TimerSettings } from './settings.svelte'
import {
  activate,
  cancel,
  giveUp,
  inspect,
  isAttempt,
  move,
  press,
  release,
  stop,
  withTurns,
  type TimerState,
} from './timer'
import { readMove } from '../model/layer-move'
import { scrambleTurns } from '../model/reconstruction'
import type { Size } from '../model/turns'
import { cubeActionsOf, type CubeActions } from '../state/actions.svelte'
import { cubeOf, type CubeState } from '../state/table.svelte'

export class Speedcubing {
  readonly settings = new TimerSettings()
  readonly sessions = new SolveSessions(
    () => this.world,
    () => this.hideTime(),
  )
  /** Whether the panel of the timer is open. */
  open = $state(false)
  #full = $state(false)
  /** Phase of the computation of a scramble; null if none is computed. */
  computing = $state.raw<ScramblePhase | null>(null)
  timer = $state.raw<TimerState>({ phase: 'idle' })
  /** Last scramble in standard notation. */
  scramble = $state.raw<{ text: string; typed: boolean } | null>(null)
  /** Next scramble, which is computed during a solve; null if the computation failed. */
  private prepared: { size: Size; text: Promise<string | null> } | null = null
  /** Cube that was set up by a scramble, and the number of its turns. */
  private setup: { run: number; cube: number; turns: number } | null = null
  /** Turns since the scramble that the displayed cube has, in standard notation. */
  private made = ''
  /** ID of the cube before the scramble, until the scrambled cube is displayed. */
  private before: number | null = null
  /** Number of scrambles that were started. */
  private starts = 0
  /** Name of the experiment whose cube was opened last. */
  private cubeName: string

  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
    private readonly actions: CubeActions,
  ) {
    this.cubeName = lab.info?.name ?? ''
    // Scramble and time of a physical cube stay until a cube of another size is opened.
    lab.watchStarts(() => {
      const { name, world } = lab.info!
      if (world.kind !== 'cube' || name === this.cubeName) return
      this.cubeName = name
      this.starts++
      this.timer = { phase: 'idle' }
      this.scramble = this.setup = this.before = null
    })
  }

  private get world(): string {
    return this.lab.exhibit ?? ''
  }

  /** Whether the full-size timer is open. */
  get isFull(): boolean {
    return this.#full
  }

  /** Whether the space bar times a physical cube instead of the moves of the cube on the page. */
  get physical(): boolean {
    return this.#full || this.settings.values.physical
  }

  /** Hides the time of a solve that is done: it is that of the last solve in the list. */
  private hideTime(): void {
    if (this.timer.phase === 'done') this.timer = { phase: 'idle' }
  }

  /** Whether an inspection or a timed solve is in progress, during which distance, move values and map are hidden. */
  get isSolving(): boolean {
    return isAttempt(this.timer)
  }

  /** Whether an attempt is in progress or a scramble is computed. */
  get isBusy(): boolean {
    return this.isSolving || this.computing !== null
  }

  /** Whether the timer uses the space bar: while its panel is open, and for a scramble that is to be solved. */
  get usesSpace(): boolean {
    return this.open || this.timer.phase === 'ready' || isAttempt(this.timer)
  }

  /** Sets the state of the timer, and computes the next scramble during a solve. */
  private advance(state: TimerState): void {
    this.timer = state
    const { size } = this.sessions
    if (state.phase !== 'running' || this.prepared?.size === size) return
    this.prepared = { size, text: randomStateScramble(size, () => {}).catch(() => null) }
  }

  /** Returns the scramble that was computed during the solve, or computes one. */
  private async nextScramble(): Promise<string> {
    const { size } = this.sessions
    const { prepared } = this
    this.prepared = null
    const text = prepared?.size === size ? await prepared.text : null
    return text ?? (await randomStateScramble(size, (phase) => (this.computing = phase)))
  }

  /** Sets up a random-state scramble. */
  async next(): Promise<void> {
    if (this.computing !== null) return
    const { run } = this.lab
    const starts = this.starts
    this.computing = 'searching'
    try {
      const text = await this.nextScramble()
      // A scramble that was typed in the meantime is kept.
      if (run === this.lab.run && starts === this.starts) await this.start(text, false)
    } catch (problem) {
      toasts.error(problem)
    } finally {
      this.computing = null
    }
  }

  /** Sets up a scramble on a solved cube. Returns the error of a typed scramble, or null. */
  async start(text: string, typed: boolean): Promise<string | null> {
    const before = this.table.cube?.cube ?? -1
    const wrong = await this.setUp(text, typed, () => {
      // The time of a physical cube is displayed until the next attempt.
      if (!this.physical || this.timer.phase !== 'done') this.timer = { phase: 'idle' }
      this.before = before
    })
    if (wrong === null) this.scramble = { text, typed }
    return wrong ?? null
  }

  /**
   * Shows the solve at `index` on the cube and in the list of turns: sets up its scramble, and adds its turns, which are
   * undone. Returns the error of the scramble, or null.
   */
  async show(index: number): Promise<string | null> {
    const { scramble, turns } = this.sessions.solves[index] ?? {}
    if (!scramble || this.isBusy) return null
    const wrong = await this.setUp(scramble, true, () => {
      this.setup = this.before = null
      if (this.physical) return
      this.timer = { phase: 'idle' }
      this.scramble = null
    })
    if (wrong !== null || !turns) return wrong ?? null
    const error = await this.table.trial({ kind: 'apply', turns, by: 'person' })
    const moves = scramble.split(/\s+/)
    // A typed scramble may have brackets, which stand for an unknown number of turns.
    if (error === null && moves.every(readMove)) await this.table.ask({ kind: 'cube_step', to: moves.length })
    return error
  }

  /**
   * Replaces the cube by a scrambled one; `prepare` is called before. Returns the error of the scramble, null, or
   * undefined if a newer scramble replaces this one.
   */
  private async setUp(
    turns: string,
    checksNotation: boolean,
    prepare: () => void,
  ): Promise<string | null | undefined> {
    const start = ++this.starts
    const store = this.actions.remember()
    this.table.touch()
    if (checksNotation) {
      // The notation is checked before the cube is reset.
      const wrong = await this.table.trial({ kind: 'apply', turns, by: 'scramble' })
      if (wrong !== null) return wrong
      if (start !== this.starts) return undefined
    }
    prepare()
    const isReset = await this.table.ask({ kind: 'reset_cube' })
    if (start !== this.starts) return undefined
    if (!isReset) {
      this.before = null
      return undefined
    }
    store()
    const wrong = await this.table.trial({ kind: 'apply', turns, by: 'scramble' })
    if (start !== this.starts) return undefined
    if (wrong !== null) this.before = null
    return wrong
  }

  /** Follows the displayed cube: arms the timer when a scramble is set up, and stops it when the cube is solved. */
  follow(table: CubeTable): void {
    if (this.before !== null) {
      const turns = scrambleTurns(table.history)
      if (table.cube === this.before || turns === 0) return
      this.before = null
      this.setup = { run: this.lab.run, cube: table.cube, turns }
      this.made = ''
      if (!this.physical) this.timer = { phase: table.solved ? 'idle' : 'ready' }
      return
    }
    const { phase } = this.timer
    if (this.physical) return
    if (phase === 'idle' || phase === 'done' || phase === 'discarded') return
    if (!this.isTimed(table)) {
      this.timer = { phase: phase === 'ready' ? 'idle' : 'discarded' }
      return
    }
    const made = table.history.slice(this.setup?.turns, table.at)
    this.made = made.map(({ turn }) => turn).join(' ')
    if (phase === 'running' && table.solved) this.finish(stop(this.timer))
  }

  /** Sets the state of the timer, and stores a solve that is done. */
  private finish(state: TimerState): void {
    if (state.phase !== 'done') return void (this.timer = state)
    const solve = this.physical ? state.solve : withTurns(state.solve, this.made)
    this.timer = { phase: 'done', solve }
    const scramble = this.scramble?.text
    this.sessions.add({ ...solve, date: Date.now(), ...(scramble && { scramble }) })
    if (!this.physical) return
    // The solved scramble is not the scramble of the next solve, even if the computation of the next one fails.
    this.scramble = null
    void this.next()
  }

  /** Selects what is timed: a physical cube, which gets a scramble, or the cube on the page. */
  choose(physical: boolean): void {
    this.settings.set({ physical })
    this.reset()
    this.provide()
  }

  /** Opens or closes the full-size timer. It times a physical cube; the stored setting stays. An inspection is canceled. */
  setFull(isFull: boolean): void {
    if (isFull === this.#full) return
    const { physical } = this
    this.#full = isFull
    if (physical === this.physical) this.timer = cancel(this.timer, 'idle')
    else this.reset()
    if (isFull) this.provide()
  }

  /** Sets the timer to the state before an attempt. */
  private reset(): void {
    const { cube } = this.table
    const isReady = !this.physical && cube !== null && !cube.solved && this.isTimed(cube)
    this.timer = { phase: isReady ? 'ready' : 'idle' }
  }

  /** Sets up a scramble for a physical cube if there is none. */
  private provide(): void {
    if (this.physical && this.scramble === null) void this.next()
  }

  /** Ends the solve of the cube on the page as DNF, and offers to delete the result. */
  giveUp(now: number): void {
    if (this.physical || this.timer.phase !== 'running') return
    this.finish(giveUp(this.timer, now))
    const { timer, sessions } = this
    sessions.offerDeletion(`Solve ${sessions.solves.length} ended as DNF.`, () => {
      if (this.timer === timer) this.timer = { phase: 'idle' }
    })
  }

  /**
   * Presses a key. Escape cancels the inspection, and ends the solve of the cube on the page. The space bar times a physical cube;
   * for the cube on the page, it starts the inspection or brings the next scramble. Returns whether the timer uses the key.
   */
  press(key: string, now: number): boolean {
    if (key === 'Escape' && (this.timer.phase === 'inspecting' || this.timer.phase === 'holding')) {
      this.timer = cancel(this.timer, this.physical ? 'idle' : 'ready')
      return true
    }
    if (key === 'Escape' && !this.physical && this.timer.phase === 'running') {
      this.giveUp(now)
      return true
    }
    const isSpace = key === ' '
    if (this.physical && this.timer.phase === 'running') this.finish(press(this.timer, now, isSpace, false))
    else if (!isSpace || !this.usesSpace) return false
    else if (this.physical) this.attempt(press(this.timer, now, true, this.settings.values.inspection))
    else if (this.timer.phase === 'ready') this.inspect(now)
    else if (!this.isSolving) void this.next()
    return true
  }

  /** Releases a key. Returns whether the timer uses the key. */
  release(key: string, now: number): boolean {
    if (key !== ' ' || !this.usesSpace) return false
    if (this.physical) this.advance(release(this.timer, now, this.settings.values.hold))
    return true
  }

  /** Activates the clock of a physical cube without holding. */
  activate(now: number): void {
    if (this.timer.phase === 'running') this.press(' ', now)
    else this.attempt(activate(this.timer, now, this.settings.values.inspection))
  }

  /** Begins or continues an attempt, but not while its scramble is computed. */
  private attempt(state: TimerState): void {
    if (this.computing === null) this.advance(state)
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
    this.advance(move(this.timer, now))
  }

  /** Starts the inspection of a scrambled cube. Returns whether the inspection has started. */
  inspect(now: number): boolean {
    if (this.physical || !this.settings.values.inspection || this.timer.phase !== 'ready') return false
    this.timer = inspect(this.timer, now)
    return true
  }
}

export const [useSpeedcubing, speedcubingOf] = partOf(
  (lab) => new Speedcubing(lab, cubeOf(lab), cubeActionsOf(lab)),
)
