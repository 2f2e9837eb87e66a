/** The experiment of a guide step: its button, its requirement, and its outcome, which follows the figures of the run. */
import type { Lab } from '../../../state/lab.svelte'
import { perform, readFigure, type GuideSteer } from './actions'
import { Outcome, trains, valuesOf, verdictOf, type GuideStep, type Requirement } from './guide'

export class StepExperiment {
  /** Text of the outcome; null before. */
  result = $state<string | null>(null)
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
  busy = $state(false)
  /** Requirement that prevents the experiment; null if the experiment is possible. */
  unmet = $state.raw<Requirement | null>(null)
  /** How far the run is from the requirement. */
  progress = $state<string | null>(null)
  /** Whether the visitor has clicked the button that makes the run meet the requirement. */
  private awaited = $state(false)
  /** Whether the outcome can still change. */
  private open = $state(false)

  private readonly outcome: Outcome
  /** Whether training still stops after the final outcome: its actions are performed, or the last report has not arrived. */
  private settling = false
  private finishing = false
  private left = false

  constructor(
    private readonly step: GuideStep,
    private readonly lab: Lab,
    private readonly steer: GuideSteer,
  ) {
    this.outcome = new Outcome(step)
  }

  end(): void {
    this.left = true
  }

  /** Text above the outcome; null before, or without guesses. */
  get verdict() {
    const { guesses } = this.step
    return this.result && guesses ? verdictOf(guesses, this.guess, this.right) : null
  }

  /** Whether the step waits for training, which is paused. */
  get isPaused(): boolean {
    if (this.busy || this.lab.running !== 'paused' || this.lab.single.busy) return false
    const { setup = [], action } = this.step
    if (this.unmet) return this.awaited && trains(this.unmet.action.does)
    return this.open && trains([...setup, ...action.does])
  }

  /** Reads the figures. Returns whether the outcome has just appeared. */
  update(): boolean {
    const { lab, outcome, step } = this
    const now = this.values()
    if (!this.busy) this.unmet = outcome.unmet(now)
    this.progress = this.unmet?.progress?.(now) ?? null
    if (this.awaited && !this.busy && !this.unmet) {
      this.awaited = false
      void this.perform(step.requirement?.finish)
    }
    const wasFinal = outcome.final
    outcome.update(now, this.settling)
    this.open = outcome.open
    // After a pause, card, counters and picture show the same training step.
    const rests = lab.running === 'running' || lab.atRest
    if (outcome.final && !wasFinal && step.finish) {
      this.settling = this.finishing = true
      void this.perform(step.finish).then(() => (this.finishing = false))
    } else if (rests && !this.finishing) this.settling = false
    if (this.settling || !rests) return false
    const before = this.result
    const wasDecided = this.right !== null
    this.result = outcome.text
    this.right = outcome.right
    if (this.result && (!this.announced || (!wasDecided && this.right !== null)))
      this.announced = [this.verdict?.text, this.result].filter(Boolean).join(' ')
    return before === null && this.result !== null
  }

  /** Performs the actions of the button: the experiment, or those that make the run meet the requirement. */
  async act(): Promise<void> {
    const { outcome, step, unmet } = this
    const then = this.values()
    this.awaited = unmet !== null
    this.busy = true
    if (!unmet) {
      outcome.clear()
      this.result = this.right = null
      this.announced = ''
    }
    await this.perform((unmet ?? step).action.does)
    if (!unmet) outcome.start(then)
    this.busy = false
  }

  private values() {
    return valuesOf(this.step, (figure) => readFigure(figure, this.lab))
  }

  private perform(actions: GuideStep['setup'] = []): Promise<void> {
    return perform(actions, this.lab, this.steer, () => this.left)
  }
}
