/** Range of steps that all charts of a lab display. */
import { partOf } from '../state/context'
import type { Lab } from '../state/lab.svelte'
import type { StepRange } from './step-range'

let count = 0

class VisibleSteps {
  /** Key with which the charts of this lab share a cursor. */
  readonly group = `charts-${count++}`
  private selected = $state.raw<{ run: number; range: StepRange | null } | null>(null)

  constructor(private readonly lab: Pick<Lab, 'run'>) {}

  /** The selected steps of the current run; null for the whole run. */
  get range(): StepRange | null {
    return this.selected?.run === this.lab.run ? this.selected.range : null
  }

  set range(range: StepRange | null) {
    this.selected = { run: this.lab.run, range }
  }
}

export const [useVisibleSteps, visibleStepsOf] = partOf((lab) => new VisibleSteps(lab))
