/** Equity loss of a play that an analysis does not list, by an evaluation of the depth of the analysis. */
import { tools } from '../../../engine/page/tools'
import type { AnalyzedAction, RolledPosition } from '../../../engine/page/session'
import type { Checkers } from '../model/checkers'
import { fewestTrials } from '../model/plays'
import { rolledLoss } from '../model/quiz'
import type { Rollout } from './rollout.svelte'
import { SteppedTask } from './steppedTask.svelte'

/** Number of trials per request to the worker. */
const trialsPerRequest = 4

export class AnswerRating extends SteppedTask {
  constructor(private readonly rollout: Rollout) {
    super()
  }

  /**
   * Returns the loss in points of a play `text`, which leads from `before` to `after`, against the best play. Returns null if it was
   * not computed, which ends when `isWanted` returns false. The loss is that of a rollout without luck that ends after as many turns as the analysis has plies: after one turn
   * a single trial has no variance, after two turns the trials have each first roll.
   */
  async lossOf(
    action: AnalyzedAction,
    text: string,
    before: Checkers,
    after: Checkers,
    isWanted: () => boolean,
  ): Promise<number | null> {
    const { position: id, best, plies } = action
    if (best === null) return null
    this.rollout.release()
    this.stop()
    this.begun = false
    const wanted = plies > 1 ? fewestTrials : 1
    let result = null as RolledPosition | null
    await this.run(
      (checkpoint) =>
        tools.ask('rollOut', {
          id,
          checkpoint,
          plays: [best, text],
          truncation: Math.max(1, plies),
          cubeless: false,
        }),
      (begun) => (result = begun),
      async () => {
        const missing = wanted - (result?.trials ?? 0)
        if (missing > 0)
          result = await tools.ask('rollFurther', { trials: Math.min(trialsPerRequest, missing) })
        return isWanted() && (result?.trials ?? 0) < wanted
      },
    )
    return (result?.trials ?? 0) < wanted ? null : rolledLoss(result, before, after, action)
  }
}
