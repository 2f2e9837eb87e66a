/** Rollout of a position of backgammon by the trained network of the page, as by the command `vivarium rollout`. */
import { tools } from '../../../engine/page/tools'
import type { RolledPosition } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { meetsStopRule, mostDecisive } from '../model/rolledActions'
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

/** Settings of a rollout, which the worker continues, or repeats after it has dropped the rollout. */
interface HeldRollout {
  plays: readonly string[]
  truncation: Truncation
  cubeless: boolean
}

export class Rollout extends SteppedTask {
  /** ID of the position that was rolled out last; null before the first rollout. */
  id = $state<string | null>(null)
  /** The rollouts by the ID of their position. */
  #held = $state.raw<ReadonlyMap<string, HeldRollout>>(new Map())
  /** The estimates so far of each position that was rolled out, by its ID. */
  results = $state.raw<ReadonlyMap<string, RolledPosition>>(new Map())
  /** Number of trials after which the rollout stops. */
  wanted = $state(0)
  /** Number of trials of each start, as selected. */
  perStart = $state<TrialCount>(360)
  truncation = $state<Truncation>(7)

  /** Selects the number of trials, up to which a rollout in progress or a stopped one is continued. */
  selectCount(count: TrialCount): void {
    this.perStart = count
    const trials = this.resultOf(this.id)?.trials ?? 0
    if (trials < this.wanted) this.wanted = this.#target(trials)
  }

  /** Selects the end of trials, and drops the last rollout. Results of other positions stay until they are rolled out again. */
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
  isComplete(decision: RolledDecision): boolean {
    const result = this.resultOf(decision.id)
    // The result of other settings or plays does not count.
    if (!result || !this.isHeld(decision)) return false
    const { played } = decision
    return this.perStart === untilDecided ? meetsStopRule(result, played) : result.trials >= this.perStart
  }

  /** Returns whether a rollout until a decision has ended. */
  isDecided(decision: RolledDecision): boolean {
    return this.perStart === untilDecided && this.isComplete(decision)
  }

  /** Returns the number of trials after which the rollout of a decision stops or has stopped. */
  wantedOf(decision: RolledDecision): number {
    const isOpen = decision.id === this.id && !this.isDecided(decision)
    return isOpen ? this.wanted : (this.resultOf(decision.id)?.trials ?? 0)
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
    const isDecided = this.isDecided(decision)
    this.wanted = isDecided ? trials : this.#target(trials)
    if (isDecided) return null
    return this.run(
      (checkpoint) => tools.ask('rollOut', { id, checkpoint, plays, truncation, cubeless }),
      (result) => {
        this.wanted = this.#target(this.#extend(id, result).trials)
      },
      async () => {
        const result = await tools.ask('rollFurther', { trials: trialsPerRequest })
        // The worker does not repeat trials: the result of a stopped rollout contains them.
        const shown = this.#held.get(id) === held ? this.#extend(id, result) : result
        const isEnough =
          shown.trials >= this.wanted || (this.perStart === untilDecided && meetsStopRule(shown, played))
        if (isEnough && this.id === id) this.wanted = shown.trials
        return !isEnough
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
    const trials = (this.isHeld(decision) && this.wantedOf(decision)) || this.#target(0)
    return [
      `vivarium rollout ${decision.id} --trials ${trials}`,
      ...(this.truncation === null ? [] : [`--truncate ${this.truncation}`]),
      ...this.playsOf(decision).map((play) => `--play "${play}"`),
    ].join(' ')
  }

  /** Returns the next number of trials after which a rollout stops: a multiple of the trials of a start. */
  #target(trials: number): number {
    const { perStart } = this
    return perStart === untilDecided ? mostDecisive : (Math.floor(trials / perStart) + 1) * perStart
  }

  /** Returns the rollout of a decision with the selected end of trials; null without one. */
  #heldOf({ id, cubeless }: RolledDecision): HeldRollout | null {
    const held = this.#held.get(id)
    return held?.cubeless === cubeless && held.truncation === this.truncation ? held : null
  }

  /**
   * Sets the estimates of a position, and returns them. Keeps earlier ones until further trials exceed them: the worker repeats
   * the trials of a rollout that it has dropped.
   */
  #extend(id: string, result: RolledPosition): RolledPosition {
    const earlier = this.resultOf(id)
    if (result.trials <= (earlier?.trials ?? 0)) return earlier ?? result
    this.#store(id, result)
    return result
  }

  /** Sets the estimates of a position, or drops them. */
  #store(id: string, result: RolledPosition | null): void {
    const others = [...this.results].filter(([other]) => other !== id)
    this.results = new Map(result ? [...others, [id, result]] : others)
  }

  /** Stops the rollout before another task of the worker replaces it. The next start sends its position again. */
  release(): void {
    this.stop()
    this.begun = false
  }

  /** Stops the last rollout, and drops its estimates. */
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
