/** Rollouts of the listed errors and close doubling decisions of an analyzed match, the largest error first. */
import { partOf } from '../../../state/context'
import { toasts } from '../../../state/toasts.svelte'
import { seatOf } from '../model/checkers'
import { actionText, bySize, isSameDecision, type MatchError } from '../model/matchAnalysis'
import { ratedRows } from '../model/plays'
import { canRollOut, rolledId } from '../model/rolledActions'
import { unreachable } from '../../shared/networks'
import { openedMatchOf, type OpenedMatch } from './openedMatch.svelte'
import { rolloutOf, type RolledDecision, type Rollout } from './rollout.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** Returns the decision of an error that is rolled out. */
const decisionOf = ({ action }: MatchError): RolledDecision => ({
  id: rolledId(action),
  plays: ratedRows(action).map(({ text }) => text),
  played: action.play,
  cubeless: false,
})

export class ErrorRollouts {
  /** Number of the decision that is rolled out, from 1, and of all decisions; null if none is. */
  progress = $state.raw<{ at: number; of: number } | null>(null)
  #isStopped = false

  constructor(
    private readonly opened: OpenedMatch,
    private readonly rollout: Rollout,
    private readonly ui: TableUi,
  ) {}

  /**
   * Listed errors and close doubling decisions whose rollout is not complete, the largest error first. A rollout rates a double and
   * the reply to it.
   */
  get open(): MatchError[] {
    const { opened, rollout } = this
    const errors = bySize([...opened.errors, ...opened.closeDoublings]).filter(
      (error) => !rollout.isComplete(decisionOf(error)),
    )
    const first = ({ action }: MatchError, i: number) =>
      errors.findIndex((error) => rolledId(error.action) === rolledId(action)) === i
    return errors.filter(first)
  }

  /**
   * Rolls out the open decisions. The board shows the one that is rolled out; the selection of another, and a quiz, end the rollouts. Decisions
   * that cannot be rolled out are skipped with a message.
   */
  async start(): Promise<void> {
    const { opened, rollout, ui } = this
    if (this.progress) return
    rollout.stop()
    this.#isStopped = false
    ui.columns = 'rollout'
    const errors = this.open
    for (const [at, error] of errors.entries()) {
      const { index, decision, action } = error
      if (!canRollOut(action)) {
        const name = opened.match?.names[seatOf(action.player)]
        toasts.report(
          `${name}: ${actionText(action)} was skipped.`,
          'The analysis has no equities to roll out.',
        )
        continue
      }
      this.progress = { at: at + 1, of: errors.length }
      opened.select(index, decision)
      opened.reveal()
      const problem = await rollout.start(decisionOf(error))
      const trials = rollout.resultOf(rolledId(action))?.trials ?? 0
      const isShown = opened.index === index && isSameDecision(opened.selected, decision)
      if (this.#isStopped || !isShown || opened.hiddenByQuiz !== null) break
      if (problem === unreachable) break
      if (problem === null && (trials === 0 || trials < rollout.wanted)) break
    }
    this.progress = null
  }

  /** Ends the rollouts; the results so far are kept. */
  stop(): void {
    this.#isStopped = true
    this.rollout.stop()
  }
}

export const [useErrorRollouts] = partOf(
  (lab) => new ErrorRollouts(openedMatchOf(lab), rolloutOf(lab), tableUiOf(lab)),
)
