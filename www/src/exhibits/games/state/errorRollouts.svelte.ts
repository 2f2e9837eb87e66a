/** Rollouts of the listed errors of an analyzed match, one after the other, the largest error first. */
import { partOf } from '../../../state/context'
import { bySize, isRolled } from '../model/matchAnalysis'
import { ratedRows } from '../model/plays'
import { openedMatchOf, type OpenedMatch } from './openedMatch.svelte'
import { rolloutOf, type Rollout } from './rollout.svelte'

export class ErrorRollouts {
  /** Number of the error that is rolled out, from 1, and of all errors; null if none is. */
  progress = $state.raw<{ at: number; of: number } | null>(null)

  constructor(
    private readonly opened: OpenedMatch,
    private readonly rollout: Rollout,
  ) {}

  /**
   * Rolls out the listed errors that have fewer trials than a start plays. The board shows the error that is rolled out; the selection
   * of another decision ends the rollouts.
   */
  async start(): Promise<void> {
    const { opened, rollout } = this
    if (this.progress) return
    const isOpen = ({ action }: (typeof opened.errors)[number]) =>
      !isRolled(action) || action.trials < rollout.perStart
    const errors = bySize(opened.errors).filter(isOpen)
    for (const [at, { index, decision }] of errors.entries()) {
      this.progress = { at: at + 1, of: errors.length }
      opened.select(index, decision)
      opened.hints = true
      const [action] = opened.ratedActions
      if (!action) break
      const id = action.position
      const plays = ratedRows(action).map(({ text }) => text)
      await rollout.start({ id, plays, played: action.play, cubeless: false })
      const trials = rollout.resultOf(id)?.trials ?? 0
      if (rollout.id !== id || trials === 0 || trials < rollout.wanted) break
    }
    this.progress = null
  }

  /** Ends the rollouts; the results so far are kept. */
  stop(): void {
    this.rollout.stop()
  }
}

export const [useErrorRollouts] = partOf((lab) => new ErrorRollouts(openedMatchOf(lab), rolloutOf(lab)))
