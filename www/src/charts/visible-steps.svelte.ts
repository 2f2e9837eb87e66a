/** Range of steps that all charts of a lab display. */
import { partOf } from '../state/context'
import type { Lab } from '../state/lab.svelte'
import { ChartGroup } from './chart-group.svelte'
import type { StepRange } from './step-range'

class VisibleSteps {
  /** The charts of this lab. */
  readonly charts = new ChartGroup()
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
