/** The experiment of a guide step: its button, its requirement, and its outcome, which follows the figures of the run. */
import type { RadioOption } from '../../../kit/radio'
import type { Lab } from '../../../state/lab.svelte'
import { perform, readFigure, type GuideSteer } from './actions'
import {
  boundedPart,
  Outcome,
  remainingTime,
  trains,
  valuesOf,
  verdictOf,
  type Action,
  type FindPoint,
  type GuideStep,
  type Requirement,
  type Verdict,
} from './guide'
import type { StoredOutcome } from '../../../state/guide-progress'

export class StepExperiment {
  /** Text of the outcome; null before. */
  result = $state<string | null>(null)
  /** Outcome before the visitor left the step or the page, if the run may have changed since; null without one. */
  earlier: { verdict: Verdict | null; text: string } | null = null
  /** Index of the guess that the visitor chose; null before. */
  guess = $state<number | null>(null)
  /** Index of the guess that came true; null while it is not decided. */
  private right = $state<number | null>(null)
  /**
   * First text of the outcome, and the text that decides the guess, for screen readers: the figures of a text that decides
   * nothing change continuously.
   */
  announced = $state('')
  /** Whether the actions of the button are in progress. */
  private busy = $state(false)
  /** Whether a control that the step needs was missing or disabled for too long. */
  failed = $state(false)
  /** Requirement that prevents the experiment; null if the experiment is possible. */
  unmet = $state.raw<Requirement | null>(null)
  /** How far the run is from the requirement. */
  distance = $state<string | null>(null)
  /** What the visitor sees once the requirement is met, before the experiment starts; null for nothing. */
  met = $state<string | null>(null)
  /** Which part of the experiment, or of the way to its requirement, is complete, from 0 to 1; null if unknown. */
  progress = $state<number | null>(null)
  /** Estimated time until the outcome, or until the requirement is met, in seconds; null if unknown. */
  remaining = $state<number | null>(null)
  /** Whether the visitor has clicked the button that makes the run meet the requirement. */
  private awaited = $state(false)
  /** Activity in the words of the step; undefined if the step has none. */
  private running = $state<string | undefined>()
  /** Whether the outcome can still change. */
  private open = $state(false)

  private readonly outcome: Outcome
  /** Whether training still stops after the final outcome: its actions are performed, or the last report has not arrived. */
  private settling = $state(false)
  private finishing = false
  /** The run of the final outcome. */
  private run: number | null = null
  /** Number of clicks of the button and of cancellations. Actions of an earlier click end. */
  private attempt = 0
  private left = false
  /** The run when the visitor left the step, and its steps. */
  private leftRun = { run: NaN, steps: NaN }
  /** Part and time, in milliseconds, from which on the rate is measured; null before. */
  private start: { part: number; time: number } | null = null

  constructor(
    readonly step: GuideStep,
    private readonly lab: Lab,
    private readonly steer: GuideSteer,
  ) {
    this.outcome = new Outcome(step)
  }

  end(): void {
    const { run, progress } = this.lab
    this.left = true
    this.leftRun = { run, steps: progress.steps }
  }

  /**
   * Opens the step again. Returns this experiment if its outcome still holds: the run rests as it was, and the step has undone
   * nothing. Otherwise returns a new experiment with the guess of the visitor.
   */
  reopen(): StepExperiment {
    const { lab, leftRun, step } = this
    const isSame = lab.run === leftRun.run && lab.progress.steps === leftRun.steps
    if (isSame && lab.running !== 'running' && !step.leave) {
      this.left = this.failed = false
      return this
    }
    const experiment = new StepExperiment(step, lab, this.steer)
    experiment.guess = this.guess
    experiment.earlier =
      this.isDone && this.result ? { verdict: this.verdict, text: this.result } : this.earlier
    return experiment
  }

  /** Shows the outcome of an earlier visit, whose run may have changed since. */
  restore({ text, guess, right }: StoredOutcome): void {
    const { guesses } = this.step
    this.guess = guess
    this.earlier = { verdict: guesses ? verdictOf(guesses, guess, right) : null, text }
  }

  /** The outcome as the browser stores it; null before it has occurred. */
  get stored(): StoredOutcome | null {
    return this.isDone && this.result ? { text: this.result, guess: this.guess, right: this.right } : null
  }

  /** Text above the outcome; null before, or without guesses. */
  get verdict() {
    const { guesses } = this.step
    return this.result && guesses ? verdictOf(guesses, this.guess, this.right) : null
  }

  /** Whether the outcome decides which guess is right. */
  get isDecided(): boolean {
    return this.result !== null && this.right !== null
  }

  /** Whether the guess was right; null before the outcome, or without a guess. */
  get isRight(): boolean | null {
    return this.isDecided && this.guess !== null ? this.guess === this.right : null
  }

  /**
   * The guesses as options. The outcome marks the right guess and a wrong guess. All guesses stay on the card, so that the
   * button below them does not move.
   */
  get options(): RadioOption<number>[] {
    const mark = (value: number) =>
      value === this.right ? 'check' : value === this.guess && this.right !== null ? 'close' : undefined
    return (this.step.guesses ?? []).map((label, value) => ({
      value,
      label,
      icon: mark(value),
      disabled: this.result !== null,
    }))
  }

  /** Whether the button or the experiment trains. */
  private get isTraining(): boolean {
    const { setup = [], action } = this.step
    return trains(this.unmet ? this.unmet.action.does : [...setup, ...action.does])
  }

  /** Whether the button was clicked, and the requirement or the outcome that it leads to has not occurred yet. */
  private get started(): boolean {
    return this.busy || (this.unmet ? this.awaited : this.open)
  }

  /** Whether the step waits for training, which is paused. */
  get isPaused(): boolean {
    if (this.busy || this.settling || this.lab.running !== 'paused' || this.lab.single.busy) return false
    return this.started && this.isTraining
  }

  /** Whether the experiment is in progress. */
  get isRunning(): boolean {
    return this.started && !this.isPaused
  }

  /** Whether the experiment has started, so that the exhibit may show the answer. */
  get begun(): boolean {
    return this.unmet === null && (this.started || this.result !== null)
  }

  /** What is in progress. */
  get activity(): string {
    if (!this.unmet && this.running) return this.running
    return this.isTraining ? 'Training' : 'Running'
  }

  /** Whether the step has its outcome. */
  get isDone(): boolean {
    return this.result !== null && !this.started
  }

  /** Reads the figures. Returns whether the outcome has just appeared. */
  update(): boolean {
    const { lab, outcome, step } = this
    const now = this.values()
    if (!this.busy) this.unmet = outcome.unmet(now)
    this.distance = this.unmet?.progress?.(now) ?? null
    this.met = this.unmet || this.open ? null : (step.requirement?.met?.(now) ?? null)
    const { running } = step
    this.running = typeof running === 'function' ? running(now) : running
    this.progress = this.unmet ? boundedPart(this.unmet.part?.(now)) : outcome.progress(now)
    this.remaining = this.unmet || step.isSteady ? this.estimate(this.progress) : null
    if (this.awaited && !this.busy && !this.unmet) {
      this.awaited = false
      void this.perform(step.requirement?.finish)
    }
    const wasFinal = outcome.final
    outcome.update(now, this.find)
    // After a pause, card, counters and picture show the same training step.
    const rests = lab.running === 'running' || lab.atRest
    if (outcome.final && !wasFinal) {
      this.settling = this.finishing = true
      this.run = lab.run
      void this.perform(step.finish).then(() => (this.finishing = false))
    } else if (this.settling && rests && !this.finishing) {
      this.settling = false
      // A run that has replaced it has other values.
      if (lab.run === this.run) outcome.settle(now, this.find)
      // The last report no longer meets the condition.
      if (outcome.open && this.isTraining) void lab.play()
    }
    this.open = outcome.open || this.settling
    if (this.settling || !rests) return false
    const before = this.result
    const wasDecided = this.right !== null
    this.result = outcome.text
    this.right = outcome.right
    if (this.result && (!this.announced || (!wasDecided && this.right !== null)))
      this.announced = [this.verdict?.text, this.result].filter(Boolean).join(' ')
    return before === null && this.result !== null
  }

  /** Returns the time until a part becomes 1, from its rate since the start, or since the last pause; null while unknown. */
  private estimate(part: number | null): number | null {
    const time = performance.now()
    if (this.isPaused) this.start = null
    if (part === null || this.isPaused) return null
    // The first values after the click may be from an earlier run.
    if (!this.start || part < this.start.part) this.start = { part, time }
    return remainingTime(part, this.start.part, (time - this.start.time) / 1000)
  }

  /** Performs the actions of the button: the experiment, or those that make the run meet the requirement. */
  async act(): Promise<void> {
    const { outcome, step, unmet } = this
    const then = this.values()
    this.clear()
    this.failed = false
    this.awaited = unmet !== null
    this.busy = true
    const attempt = ++this.attempt
    const done = await this.perform((unmet ?? step).action.does)
    if (attempt !== this.attempt) return
    this.busy = false
    this.start = null
    this.failed = !done
    if (!done) this.awaited = false
    else if (!unmet) {
      outcome.start(then)
      this.open = true
    }
  }

  /** Performs the actions that prepare the exhibit. */
  async prepare(actions: readonly Action[]): Promise<void> {
    this.failed = !(await this.perform(actions))
  }

  /** Cancels the experiment without an outcome. Training pauses if the experiment has started it. */
  cancel(): void {
    const { isTraining } = this
    this.attempt++
    this.busy = this.awaited = false
    this.clear()
    if (isTraining) this.lab.pause()
    void perform(this.step.stop ?? [], this.lab, this.steer, () => false)
  }

  /** Removes the outcome. */
  private clear(): void {
    this.outcome.clear()
    this.result = this.right = null
    this.open = this.settling = false
    this.announced = ''
  }

  /** Finds a point of the stored curves. */
  private readonly find: FindPoint = (metric, accepts) => this.lab.history.find(metric, accepts)

  private values() {
    return valuesOf(this.step, (figure) => readFigure(figure, this.lab))
  }

  private perform(actions: readonly Action[] = []): Promise<boolean> {
    const { attempt } = this
    return perform(actions, this.lab, this.steer, () => this.left || attempt !== this.attempt)
  }
}
