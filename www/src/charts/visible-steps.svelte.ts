/** Range of the x axis that all charts of a lab display. */
import { partOf } from '../state/context'
import type { Lab } from '../state/lab.svelte'
import { chartAxis, ownAxis } from './chart-axis.svelte'
import { ChartGroup } from './chart-group.svelte'
import { comparisonOf } from './comparison.svelte'
import type { AxisKind } from './run-axis'
import type { NamedRange, StepRange } from './step-range'

/** Length of the learning phase, in multiples of the steps until the run was solved. */
const phaseLength = 2

class VisibleSteps {
  /** The charts of this lab. */
  readonly charts = new ChartGroup()
  private selected = $state.raw<{ run: number; kind: AxisKind; range: StepRange | null } | null>(null)

  constructor(private readonly lab: Lab) {}

  /**
   * The part of a solved run in which it has learned, which would be a small part of the axis later; null if the whole run is not
   * longer. A setting that was changed after the run was solved begins another phase, hence null.
   */
  get learningPhase(): StepRange | null {
    const { solved, changes, progress } = this.lab
    if (!solved) return null
    const end = phaseLength * solved.steps
    if (progress.steps <= end || changes.some(({ steps }) => steps >= solved.steps)) return null
    const last = ownAxis(this.lab).positionOf(end)
    return last === null ? null : [0, last]
  }

  /** The ranges that a button displays, with their labels. */
  get ranges(): readonly NamedRange[] {
    const { learningPhase } = this
    const end = comparisonOf(this.lab).commonEnd
    const ranges: NamedRange[] = []
    if (learningPhase) ranges.push({ label: 'Learning phase', range: learningPhase })
    if (end !== null)
      ranges.push({ label: chartAxis.kind === 'time' ? 'Common time' : 'Common steps', range: [0, end] })
    return ranges
  }

  /**
   * The displayed range; null for the whole runs. By default the learning phase of the current run, unless other runs are drawn, which
   * may learn later. Another axis resets it.
   */
  get range(): StepRange | null {
    const { selected } = this
    const isCurrent = selected?.run === this.lab.run && selected.kind === chartAxis.kind
    if (isCurrent) return selected.range
    return comparisonOf(this.lab).runs.length > 0 ? null : this.learningPhase
  }

  set range(range: StepRange | null) {
    this.selected = { run: this.lab.run, kind: chartAxis.kind, range }
  }
}

export const [useVisibleSteps, visibleStepsOf] = partOf((lab) => new VisibleSteps(lab))
