/** Range of steps that all charts of a lab display. */
import { partOf } from '../state/context'
import type { Lab } from '../state/lab.svelte'
import { ChartGroup } from './chart-group.svelte'
import type { StepRange } from './step-range'

/** Length of the learning phase, in multiples of the steps until the run was solved. */
const phaseLength = 2

class VisibleSteps {
  /** The charts of this lab. */
  readonly charts = new ChartGroup()
  private selected = $state.raw<{ run: number; range: StepRange | null } | null>(null)

  constructor(private readonly lab: Pick<Lab, 'run' | 'solved' | 'changes' | 'progress'>) {}

  /**
   * The steps in which a solved run has learned, which would be a small part of the axis later; null if the whole run is not
   * longer. A setting that was changed after them begins another phase, hence null.
   */
  get learningPhase(): StepRange | null {
    const { solved, changes, progress } = this.lab
    if (!solved) return null
    const end = phaseLength * solved.steps
    return progress.steps > end && changes.every(({ steps }) => steps <= end) ? [0, end] : null
  }

  /** The displayed steps of the current run, by default its learning phase; null for the whole run. */
  get range(): StepRange | null {
    return this.selected?.run === this.lab.run ? this.selected.range : this.learningPhase
  }

  set range(range: StepRange | null) {
    this.selected = { run: this.lab.run, range }
  }
}

export const [useVisibleSteps, visibleStepsOf] = partOf((lab) => new VisibleSteps(lab))
