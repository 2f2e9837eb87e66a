/** The evaluation before the present one, so that a chart need not begin anew with every one. */
import { untrack } from 'svelte'
import type { CubeDepth, CubeExhaustiveEvaluation } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { cubeOf, type CubeState } from './table.svelte'

export class PreviousEvaluation {
  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
  ) {}

  before = $state.raw<readonly CubeDepth[] | null>(null)
  private last: CubeExhaustiveEvaluation | null = null
  private run = -1

  /** Takes in the present evaluation; called when it has changed. */
  see(): void {
    const { evaluation } = this.table
    const { run } = this.lab
    untrack(() => {
      if (run !== this.run || !evaluation || evaluation.player !== this.last?.player) this.before = null
      else if (this.last && begins(this.last, evaluation)) this.before = this.last.depths
      this.last = evaluation
      this.run = run
    })
  }
}

/** Whether an evaluation is another one than the one before it. */
function begins(last: CubeExhaustiveEvaluation, now: CubeExhaustiveEvaluation): boolean {
  return now.updates !== last.updates || now.done < last.done
}

export const [usePrevious] = partOf((lab) => new PreviousEvaluation(lab, cubeOf(lab)))
