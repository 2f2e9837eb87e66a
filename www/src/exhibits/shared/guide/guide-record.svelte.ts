/** Stored record of the open guide: step, results of the guesses, outcomes. A frame stores nothing. */
import { embedded } from '../../../host/embed'
import { address } from '../../../state/address.svelte'
import {
  forgetGuesses,
  storedGuesses,
  storedOutcomes,
  storeGuesses,
  storeGuideStep,
  storeOutcome,
  type Guesses,
  type Outcomes,
} from '../../../state/guide-progress'
import type { Guide, GuideStep } from './guide'
import type { StepExperiment } from './step-experiment.svelte'

export class GuideRecord {
  /** Results of the guesses. */
  guesses: Guesses = $state.raw({})
  /** Indices of the steps whose experiment has had an outcome, also in an earlier visit to the page. */
  done: ReadonlySet<number> = $state.raw(new Set())
  /** Outcomes of the steps in an earlier visit to the page. */
  private readonly outcomes: Outcomes = {}
  /** Step, guess and text of the outcome that was stored last. */
  private lastStored = ''

  /** `at`: index of the first open step. A guide that is opened at its first step begins without guesses. */
  constructor(
    private readonly guide: Guide,
    at: number,
  ) {
    const { page } = this
    if (page && at === 0) forgetGuesses(page)
    else if (page) [this.guesses, this.outcomes] = [storedGuesses(page), storedOutcomes(page)]
    this.done = new Set(Object.keys(this.outcomes).map(Number))
  }

  private get page(): string | null {
    return embedded ? null : address.page
  }

  /** Shows the outcome of an earlier visit to the page in a new experiment. */
  restore(experiment: StepExperiment): void {
    const outcome = this.outcomes[this.indexOf(experiment.step)]
    if (outcome) experiment.restore(outcome)
  }

  /** Stores the open step, with which the home page continues the guide. */
  storeStep(at: number, done = false): void {
    if (this.page) storeGuideStep(this.page, at + 1, done)
  }

  /** Stores the outcome of an experiment, and the result of the first guess at it. */
  add({ step, stored, isDecided, isRight }: StepExperiment): void {
    const { page } = this
    const index = this.indexOf(step)
    if (isDecided && !(index in this.guesses)) {
      this.guesses = { ...this.guesses, [index]: isRight }
      if (page) storeGuesses(page, this.guesses)
    }
    if (stored !== null && index >= 0 && !this.done.has(index)) this.done = new Set([...this.done, index])
    const now = JSON.stringify([index, stored])
    if (!page || index < 0 || stored === null || now === this.lastStored) return
    this.lastStored = now
    storeOutcome(page, index, stored)
  }

  private readonly indexOf = (step: GuideStep) => this.guide.indexOf(step)
}
