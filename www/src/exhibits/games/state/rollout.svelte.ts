/** Rollout of a position of backgammon by the trained network of the page, as by the command `vivarium rollout`. */
import { tools } from '../../../engine/page/tools'
import type { RolledPosition } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { isStopped, mostDecisive } from '../model/rolledActions'
import { SteppedTask } from './steppedTask.svelte'

/** Choice of a rollout that stops when its trials have decided the decision. */
export const untilDecided = 'decided'
/** Numbers of trials after which a rollout stops, and of further trials on request: multiples of 36, since the first rolls are stratified. */
export const trialCounts = [36, 360, 1296, 5184, untilDecided] as const
export type TrialCount = (typeof trialCounts)[number]
/** Number of the best plays of the table that are rolled out. */
const bestPlays = 4
/** Number of trials per request to the worker. */
const trialsPerRequest = 2

/** Turns after which a trial ends with an evaluation; null for the end of the game. */
export const truncations = [7, 11, null] as const
export type Truncation = (typeof truncations)[number]

/** Position that is rolled out. */
export interface RolledDecision {
  /** ID or XGID of the position. */
  id: string
  /** Listed plays, the best first; empty before the roll. Their order can change during a search. */
  plays: readonly string[]
  /** The play made; null if there is none. */
  played: string | null
  /** Whether equities are those of a single game without a doubling cube. */
  cubeless: boolean
}

/** Rollout that the worker has. */
interface HeldRollout {
  plays: readonly string[]
  truncation: Truncation
  cubeless: boolean
}

export class Rollout extends SteppedTask {
  /** ID of the position that was rolled out last; null before the first rollout. */
  id = $state<string | null>(null)
  /** The rollouts by the ID of their position, which the worker continues. */
  #held = $state.raw<ReadonlyMap<string, HeldRollout>>(new Map())
  /** The estimates so far of each position that was rolled out, by its ID. */
  results = $state.raw<ReadonlyMap<string, RolledPosition>>(new Map())
  /** Number of trials after which the rollout stops. */
  wanted = $state(0)
  /** Number of trials of each start, as selected. */
  perStart = $state<TrialCount>(360)
  truncation = $state<Truncation>(7)

  /** Selects the number of trials, which a rollout in progress plays. */
  selectCount(count: TrialCount): void {
    this.perStart = count
    if (this.running) this.wanted = this.#target(this.resultOf(this.id)?.trials ?? 0)
  }

  /** Selects the end of trials. A rollout with another end is dropped. */
  select(truncation: Truncation): void {
    if (truncation === this.truncation) return
    this.truncation = truncation
    this.#drop()
  }

  /** Returns the estimates of a position; null if it was not rolled out. */
  resultOf(id: string | null): RolledPosition | null {
    return (id === null ? null : this.results.get(id)) ?? null
  }

  /** Returns whether a rollout of the decision can be continued. */
  isHeld(decision: RolledDecision): boolean {
    const held = this.#heldOf(decision)
    return held !== null && this.playsOf(decision).length === held.plays.length
  }

  /** Returns whether a rollout has the selected number of trials, or has decided the decision. */
  isComplete({ id, played }: Pick<RolledDecision, 'id' | 'played'>): boolean {
    const result = this.resultOf(id)
    if (!result) return false
    return this.perStart === untilDecided ? isStopped(result, played) : result.trials >= this.perStart
  }

  /**
   * Plays trials of a position until their number is reached, the decision is decided, or the rollout is stopped. Continues an
   * earlier rollout of the position, also a complete one. `further`: plays that are added. Returns the problem of a failure, which is
   * shown; null without one.
   */
  async start(decision: RolledDecision, further: readonly string[] = []): Promise<unknown> {
    const { id, cubeless, played } = decision
    const { truncation } = this
    const plays = this.playsOf(decision, further)
    const earlier = this.#heldOf(decision)
    const isContinued = earlier?.plays.length === plays.length
    const held = isContinued ? earlier : { plays, truncation, cubeless }
    if (!isContinued) {
      this.#held = new Map(this.#held).set(id, held)
      this.#store(id, null)
    }
    if (!isContinued || id !== this.id) {
      this.stop()
      this.begun = false
      this.id = id
    }
    if (this.running) return null
    const trials = this.resultOf(id)?.trials ?? 0
    const isDecided = this.perStart === untilDecided && this.isComplete(decision)
    this.wanted = isDecided ? trials : this.#target(trials)
    if (isDecided) return null
    return this.run(
      (checkpoint) => tools.ask('rollOut', { id, checkpoint, plays, truncation, cubeless }),
      (result) => {
        this.#store(id, result.trials > 0 ? result : null)
        this.wanted = this.#target(result.trials)
      },
      async () => {
        const result = await tools.ask('rollFurther', { trials: trialsPerRequest })
        // The worker does not repeat trials: the result of a stopped rollout contains them.
        if (this.#held.get(id) === held) this.#store(id, result)
        const isEnough =
          result.trials >= this.wanted || (this.perStart === untilDecided && isStopped(result, played))
        if (isEnough && this.id === id) this.wanted = result.trials
        return !isEnough
      },
      () => {
        this.#drop()
        // The worker may have been terminated.
        this.#held = new Map()
      },
    )
  }

  /** Returns the plays of a decision that are rolled out: the best ones, the play made and those that were added. */
  playsOf(decision: RolledDecision, further: readonly string[] = []): string[] {
    const { plays, played } = decision
    const held = this.#heldOf(decision)?.plays ?? plays.slice(0, bestPlays)
    return [...new Set([...held, ...(played === null ? [] : [played]), ...further])]
  }

  /** Returns the command of the native program with the same estimates. */
  commandOf(decision: RolledDecision): string {
    const isOwn = decision.id === this.id && this.wanted > 0
    const trials = this.resultOf(decision.id)?.trials ?? this.#target(0)
    return [
      `vivarium rollout ${decision.id} --trials ${isOwn ? this.wanted : trials}`,
      ...(this.truncation === null ? [] : [`--truncate ${this.truncation}`]),
      ...this.playsOf(decision).map((play) => `--play "${play}"`),
    ].join(' ')
  }

  /** Returns the next number of trials after which a rollout stops: a multiple of the trials of a start. */
  #target(trials: number): number {
    const { perStart } = this
    return perStart === untilDecided ? mostDecisive : (Math.floor(trials / perStart) + 1) * perStart
  }

  /** Returns the rollout of a decision that the worker has with the same settings; null without one. */
  #heldOf({ id, cubeless }: RolledDecision): HeldRollout | null {
    const held = this.#held.get(id)
    return held?.cubeless === cubeless && held.truncation === this.truncation ? held : null
  }

  /** Sets the estimates of a position, or drops them. */
  #store(id: string, result: RolledPosition | null): void {
    const others = [...this.results].filter(([other]) => other !== id)
    this.results = new Map(result ? [...others, [id, result]] : others)
  }

  /** Stops the rollout, and drops its estimates. */
  #drop(): void {
    this.stop()
    this.begun = false
    this.wanted = 0
    if (this.id === null) return
    this.#store(this.id, null)
    this.#held = new Map([...this.#held].filter(([id]) => id !== this.id))
    this.id = null
  }
}

export const [useRollout, rolloutOf] = partOf((lab) => {
  const rollout = new Rollout()
  lab.watchStarts(() => rollout.stop())
  return rollout
})
