/** Rollout of a position of backgammon by the trained network of the page, as by the command `vivarium rollout`. */
import { tools } from '../../../engine/page/tools'
import type { RolledPosition } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { SteppedTask } from './steppedTask.svelte'

/** Numbers of trials after which a rollout stops, and of further trials on request: multiples of 36, since the first rolls are stratified. */
export const trialCounts = [36, 360, 1296, 5184] as const
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

/** Returns the next number of trials after which a rollout stops: a multiple of the trials of a start. */
const nextTarget = (trials: number, perStart: number): number =>
  (Math.floor(trials / perStart) + 1) * perStart

export class Rollout extends SteppedTask {
  /** ID of the position; null before the first rollout. */
  id = $state<string | null>(null)
  #cubeless = false
  /** Plays that are rolled out; empty before the roll. */
  plays = $state.raw<readonly string[]>([])
  /** Plays that the visitor has added. */
  #added: readonly string[] = []
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
    if (this.running) this.wanted = nextTarget(this.#trials, count)
  }

  /** Selects the end of trials. A rollout with another end is dropped. */
  select(truncation: Truncation): void {
    if (truncation === this.truncation) return
    this.truncation = truncation
    this.#drop(null)
  }

  /** Returns the estimates of a position; null if it was not rolled out. */
  resultOf(id: string | null): RolledPosition | null {
    return (id === null ? null : this.results.get(id)) ?? null
  }

  /** Number of trials of the position that was rolled out last, which the worker has. */
  get #trials(): number {
    return this.resultOf(this.begun ? this.id : null)?.trials ?? 0
  }

  /**
   * Plays trials of a position until their number is reached or the rollout is stopped; resumes the rollout of the same position.
   * A complete rollout is continued.
   */
  async start(decision: RolledDecision): Promise<void> {
    const { id, cubeless } = decision
    const isOther = id !== this.id || cubeless !== this.#cubeless
    if (isOther) this.#added = []
    if (isOther || this.#wantedOf(decision).some((play) => !this.plays.includes(play))) {
      this.#drop(id)
      this.#cubeless = cubeless
      this.plays = this.playsOf(decision)
    }
    if (this.running) return
    this.wanted = nextTarget(this.#trials, this.perStart)
    const { truncation, plays } = this
    await this.run(
      (checkpoint) => tools.ask('rollOut', { id, checkpoint, plays, truncation, cubeless }),
      () => {},
      async () => {
        const result = await tools.ask('rollFurther', { trials: trialsPerRequest })
        // The worker does not repeat trials: the result of a stopped rollout contains them.
        if (this.id === id && this.begun) this.results = new Map(this.results).set(id, result)
        return result.trials < this.wanted
      },
      () => this.#drop(null),
    )
  }

  /** Adds a play of the decision, and starts the rollout again. */
  async add(decision: RolledDecision, play: string): Promise<void> {
    if (decision.id !== this.id) this.#drop(decision.id)
    this.#added = [...this.#added, play]
    await this.start(decision)
  }

  /** Returns the plays of a decision that are rolled out: the best ones, the play made and those that were added. */
  playsOf(decision: RolledDecision): string[] {
    return [...new Set([...decision.plays.slice(0, bestPlays), ...this.#wantedOf(decision)])]
  }

  /** Returns the command of the native program with the same estimates. */
  commandOf(decision: RolledDecision): string {
    const isOwn = decision.id === this.id && this.wanted > 0
    const plays = isOwn ? this.plays : this.playsOf(decision)
    return [
      `vivarium rollout ${decision.id} --trials ${isOwn ? this.wanted : this.perStart}`,
      ...(this.truncation === null ? [] : [`--truncate ${this.truncation}`]),
      ...plays.map((play) => `--play "${play}"`),
    ].join(' ')
  }

  /** Returns the plays that a rollout of the decision must have. */
  #wantedOf({ id, played }: RolledDecision): string[] {
    return [...(played === null ? [] : [played]), ...(id === this.id ? this.#added : [])]
  }

  #drop(id: string | null): void {
    this.stop()
    this.begun = false
    this.wanted = 0
    // The estimates of other positions are kept.
    const dropped = id ?? this.id
    this.results = new Map([...this.results].filter(([other]) => other !== dropped))
    if (id !== this.id) this.#added = []
    this.id = id
    this.plays = []
  }
}

export const [useRollout, rolloutOf] = partOf((lab) => {
  const rollout = new Rollout()
  lab.watchStarts(() => rollout.stop())
  return rollout
})
