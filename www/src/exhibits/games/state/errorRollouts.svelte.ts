/** Rollouts of the listed errors of an analyzed match, one after the other, the largest error first. */
import { partOf } from '../../../state/context'
import { bySize, isRolled, isSameDecision, type MatchError } from '../model/matchAnalysis'
import { ratedRows } from '../model/plays'
import { openedMatchOf, type OpenedMatch } from './openedMatch.svelte'
import { rolloutOf, type Rollout } from './rollout.svelte'

export class ErrorRollouts {
  /** Number of the error that is rolled out, from 1, and of all errors; null if none is. */
  progress = $state.raw<{ at: number; of: number } | null>(null)
  #isStopped = false

  constructor(
    private readonly opened: OpenedMatch,
    private readonly rollout: Rollout,
  ) {}

  /** Listed errors that have fewer trials than a start plays, the largest first. A rollout rates a double and the reply to it. */
  get open(): MatchError[] {
    const { opened, rollout } = this
    const errors = bySize(opened.errors).filter(
      ({ action }) => !isRolled(action) || action.trials < rollout.perStart,
    )
    const first = ({ action }: MatchError, i: number) =>
      errors.findIndex(({ action: { position } }) => position === action.position) === i
    return errors.filter(first)
  }

  /** Rolls out the open errors. The board shows the error that is rolled out; the selection of another decision ends the rollouts. */
  async start(): Promise<void> {
    const { opened, rollout } = this
    if (this.progress) return
    rollout.stop()
    this.#isStopped = false
    const errors = this.open
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
      const isShown = opened.index === index && isSameDecision(opened.selected, decision)
      if (this.#isStopped || !isShown || trials === 0 || trials < rollout.wanted) break
    }
    this.progress = null
  }

  /** Ends the rollouts; the results so far are kept. */
  stop(): void {
    this.#isStopped = true
    this.rollout.stop()
  }
}

export const [useErrorRollouts] = partOf((lab) => new ErrorRollouts(openedMatchOf(lab), rolloutOf(lab)))
