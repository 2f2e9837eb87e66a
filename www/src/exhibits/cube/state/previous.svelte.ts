/** The evaluation before the present one, so that a chart need not begin anew with every exam. */
import { untrack } from 'svelte'
import type { CubeDepth, CubeExam } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { cubeOf, type CubeState } from './table.svelte'

export class PreviousExam {
  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
  ) {}

  before = $state.raw<readonly CubeDepth[] | null>(null)
  private last: CubeExam | null = null
  private run = -1

  /** Takes in the present exam; called when it has changed. */
  see(): void {
    const { exam } = this.table
    const { run } = this.lab
    untrack(() => {
      if (run !== this.run || !exam || exam.player !== this.last?.player) this.before = null
      else if (this.last && begins(this.last, exam)) this.before = this.last.depths
      this.last = exam
      this.run = run
    })
  }
}

/** Whether an evaluation is another one than the one before it. */
function begins(last: CubeExam, now: CubeExam): boolean {
  return now.updates !== last.updates || now.done < last.done
}

export const previousOf = partOf((lab) => new PreviousExam(lab, cubeOf(lab)))
