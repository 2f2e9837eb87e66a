/** Rollout of a position of backgammon by the trained network of the page, as by the command `vivarium rollout`. */
import { tools } from '../../../engine/page/tools'
import type { RolledPosition } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { toasts } from '../../../state/toasts.svelte'
import { network, unreachable } from '../../shared/networks'

/** Number of trials after which a rollout stops, and of further trials on request: a multiple of 36, since the first rolls are stratified. */
export const trialsPerStart = 360
/** Number of the best plays by the network that are rolled out. */
const plays = 4
/** Number of trials per request to the worker. */
const trialsPerRequest = 2

/** Turns after which a trial ends with an evaluation; null for the end of the game. */
export const truncations = [7, 11, null] as const
export type Truncation = (typeof truncations)[number]

/** Position that is rolled out. */
export interface RolledDecision {
  /** ID or XGID of the position. */
  id: string
  /** Plays that are rolled out besides the best ones, such as the play made. */
  others: readonly string[]
  /** Whether equities are those of a single game without a doubling cube. */
  cubeless: boolean
}

/** Returns the command of the native program with the same estimates. */
export const rolloutCommand = ({ id, others }: RolledDecision, truncation: Truncation): string =>
  [
    `vivarium rollout ${id} --trials ${trialsPerStart}`,
    ...(truncation === null ? [] : [`--truncate ${truncation}`]),
    ...(others.length > 0 ? [`--plays ${plays}`] : []),
    ...others.map((play) => `--play "${play}"`),
  ].join(' ')

export class Rollout {
  /** ID of the position; null before the first rollout. */
  id = $state<string | null>(null)
  /** The decision as text; empty before the first rollout. */
  #key = ''
  /** The estimates so far; null before the first ones. */
  result = $state.raw<RolledPosition | null>(null)
  running = $state(false)
  /** Number of trials after which the rollout stops. */
  wanted = $state(0)
  truncation = $state<Truncation>(7)
  /** Whether the worker has the position. */
  #begun = false
  /** Number of the current start; an earlier one is stopped. */
  #starts = 0

  /** Selects the end of trials. A rollout with another end is dropped. */
  select(truncation: Truncation): void {
    if (truncation === this.truncation) return
    this.truncation = truncation
    this.#drop(null, '')
  }

  /** Returns the estimates of a position; null if it is not the one that was rolled out. */
  resultOf(id: string | null): RolledPosition | null {
    return id !== null && id === this.id ? this.result : null
  }

  /**
   * Plays trials of a position until their number is reached or the rollout is stopped; resumes the rollout of the same position.
   * A complete rollout is continued with as many trials again.
   */
  async start({ id, others, cubeless }: RolledDecision): Promise<void> {
    const key = JSON.stringify([id, others, cubeless])
    if (key !== this.#key) this.#drop(id, key)
    if (this.running) return
    const start = ++this.#starts
    const isStopped = () => start !== this.#starts
    if ((this.result?.trials ?? 0) >= this.wanted) this.wanted += trialsPerStart
    this.running = true
    try {
      if (!this.#begun) {
        const checkpoint = await network('backgammon')
        if (isStopped()) return
        if (!checkpoint) throw unreachable
        const { truncation } = this
        await tools.ask('rollOut', { id, checkpoint, plays, others, truncation, cubeless })
        if (isStopped()) return
        this.#begun = true
      }
      while (!isStopped() && (this.result?.trials ?? 0) < this.wanted) {
        const result = await tools.ask('rollFurther', { trials: trialsPerRequest })
        // The worker does not repeat trials: the result of a stopped rollout contains them.
        if (this.id === id && this.#begun) this.result = result
      }
      if (!isStopped()) this.stop()
    } catch (problem) {
      if (isStopped()) return
      // The worker may have been terminated.
      this.#drop(null, '')
      toasts.error(problem)
    }
  }

  /** Stops the rollout, which keeps its estimates and can be resumed. */
  stop(): void {
    this.#starts++
    this.running = false
  }

  #drop(id: string | null, key: string): void {
    this.stop()
    this.#begun = false
    this.result = null
    this.wanted = 0
    this.id = id
    this.#key = key
  }
}

export const [useRollout, rolloutOf] = partOf((lab) => {
  const rollout = new Rollout()
  lab.watchStarts(() => rollout.stop())
  return rollout
})
