/** A single step of training and the values that it changed. */
import type { Progress } from '../engine/page/session'
import type { RunObservations } from './observations.svelte'

/** Values before and after a step. */
export interface StepChange {
  steps: number
  /** Metrics with a new value: name, value before (undefined if unknown) and value after. */
  metrics: readonly { name: string; before: number | undefined; after: number }[]
}

type Observed = { progress: Progress; latest: Record<string, number> }

/** Returns the difference between two observations of a run. */
export function changeBetween(before: Observed, after: Observed): StepChange {
  const metrics = Object.entries(after.latest)
    .filter(([name, value]) => before.latest[name] !== value)
    .map(([name, value]) => ({ name, before: before.latest[name], after: value }))
  return { steps: after.progress.steps - before.progress.steps, metrics }
}

export class SingleStep {
  /** Whether a step is in progress. */
  busy = $state(false)
  /** The change by the last step; null after training or another run. */
  change = $state.raw<StepChange | null>(null)
  private before: Observed | null = null

  constructor(private readonly run: Pick<RunObservations, 'progress' | 'latest'>) {}

  /** Stores the values before a step. Returns false if a step is in progress. */
  begin(): boolean {
    if (this.busy) return false
    this.before = { progress: this.run.progress, latest: this.run.latest }
    this.busy = true
    return true
  }

  /** Handles the end of a single step: stores the changes of the values. */
  done(): void {
    if (this.busy && this.before) this.change = changeBetween(this.before, this.run)
    this.busy = false
  }

  /** Drops the last step's changes, because training continues or another run is shown. */
  clear(): void {
    this.busy = false
    this.change = null
  }
}
