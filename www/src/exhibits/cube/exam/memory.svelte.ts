/** The exam before the present one, so that a chart need not begin anew with every exam. */
import { untrack } from 'svelte'
import type { CubeDepth, CubeExam } from '../../../session'
import { lab } from '../../../state/lab.svelte'
import { table } from '../table.svelte'

class Memory {
  before = $state.raw<readonly CubeDepth[] | null>(null)
  private last: CubeExam | null = null
  private run = -1

  /** Takes in the present exam; called when it has changed. */
  see(): void {
    const { exam } = table
    const { run } = lab
    untrack(() => {
      if (run !== this.run || !exam || exam.player !== this.last?.player) this.before = null
      else if (this.last && begins(this.last, exam)) this.before = this.last.depths
      this.last = exam
      this.run = run
    })
  }
}

/** Whether an exam is another one than the one before it. */
function begins(last: CubeExam, now: CubeExam): boolean {
  return now.updates !== last.updates || now.done < last.done
}

export const memory = new Memory()
