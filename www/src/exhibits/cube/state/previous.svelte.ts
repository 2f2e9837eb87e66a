/** Result of the previous evaluation, which the charts show while the next evaluation runs. */
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

  /** Stores the previous evaluation if a new one has started; called when the evaluation changes. */
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

/** Returns whether a new evaluation has started. */
function begins(last: CubeExhaustiveEvaluation, now: CubeExhaustiveEvaluation): boolean {
  return now.updates !== last.updates || now.done < last.done
}

export const [usePrevious] = partOf((lab) => new PreviousEvaluation(lab, cubeOf(lab)))
