/** Losses of the actions of an analyzed match by rollouts of their positions. */
import type {
  AnalyzedAction,
  AnalyzedMatch,
  AnalyzedTotal,
  RolledDoubling,
  RolledPosition,
} from '../../../engine/page/session'
import { marks } from '../../../protocol/marks'
import { actionText, isRolled, type LossScale, type RolledAction } from './matchAnalysis'
import { leastLoss, plusMinus } from './outcomes'
import { fewestTrials } from './plays'

const markOf = (lost: number): string | null => marks.find(({ loss }) => lost >= loss)?.mark ?? null

type Rated = Pick<AnalyzedAction, 'action' | 'play'>
type Rolled = Pick<RolledPosition, 'plays' | 'doubling'>

const playOf = (action: Rated, { plays }: Rolled) => plays.find(({ play }) => play === action.play)

/** Returns the loss of an action by a rollout of its position; null if the rollout does not have the action. */
function rolledLoss(action: Rated, rolled: Rolled): number | null {
  const { doubling } = rolled
  return playOf(action, rolled)?.loss.mean ?? (doubling && doublingLoss(action.action, doubling))
}

/** Returns the loss of a doubling action by a rollout; null for a play. */
function doublingLoss(
  action: AnalyzedAction['action'],
  { no_double, double_take, double_pass }: RolledDoubling,
): number | null {
  const double = Math.min(double_take.mean, double_pass)
  const losses: Partial<Record<AnalyzedAction['action'], number>> = {
    double: no_double.mean - double,
    'no double': double - no_double.mean,
    take: double_take.mean - double_pass,
    pass: double_pass - double_take.mean,
  }
  const lost = losses[action]
  return lost === undefined ? null : Math.max(0, lost)
}

/**
 * Describes the loss of an action by a rollout of its position, in a sentence. Null if the rollout does not have the action.
 */
export function describeRolled(
  action: Pick<AnalyzedAction, 'action' | 'play' | 'position'>,
  name: string,
  rolled: Pick<RolledPosition, 'plays' | 'doubling'>,
  { difference }: LossScale,
): string | null {
  const lost = rolledLoss(action, rolled)
  if (lost === null) return null
  const mark = markOf(lost)
  const what = actionText(action)
  return lost < leastLoss
    ? `By the rollout, ${what} of ${name} is best.`
    : `By the rollout, ${what} of ${name} loses ${difference(lost)}${plusMinus(playOf(action, rolled)?.loss.error)}${mark ? `\u00a0(${mark})` : ''}.`
}

const others: Partial<Record<AnalyzedAction['action'], string>> = {
  double: 'no double',
  'no double': 'double',
  take: 'pass',
  pass: 'take',
}

/** Returns an action with its loss by a rollout; the action itself if the rollout has no verdict about it. */
function withRollout(
  action: AnalyzedAction,
  rolled: RolledPosition | undefined,
): AnalyzedAction | RolledAction {
  const lost = rolled && rolled.trials >= fewestTrials ? rolledLoss(action, rolled) : null
  if (!rolled || lost === null) return action
  const better = action.play === null ? others[action.action] : rolled.plays[0]?.play
  const isError = lost >= leastLoss
  return {
    ...action,
    error: isError ? 1000 * lost : 0,
    mark: markOf(lost),
    best: isError ? (better ?? null) : null,
    trials: rolled.trials,
  }
}

type Totals = [AnalyzedTotal, AnalyzedTotal]

/** Returns the totals of both players after the losses of actions have changed. */
function withLosses(
  totals: Totals,
  before: readonly AnalyzedAction[],
  after: readonly AnalyzedAction[],
): Totals {
  const isBlunder = ({ mark }: AnalyzedAction) => Number(mark === '?' || mark === '??')
  const of = (player: number): AnalyzedTotal => {
    const total = { ...totals[player]! }
    for (const [i, action] of after.entries()) {
      const old = before[i]!
      if (action === old || action.player !== player) continue
      total[action.action === 'play' ? 'play_error' : 'doubling_error'] += action.error - old.error
      total.blunders += isBlunder(action) - isBlunder(old)
    }
    const count = total.plays + total.doubling_decisions
    const error_rate = count > 0 ? (total.play_error + total.doubling_error) / count : null
    return { ...total, error_rate, performance_rating: error_rate === null ? null : error_rate / 2 }
  }
  return [of(0), of(1)]
}

/** Returns an analysis with the losses by rollouts. `rollouts`: the results by the ID of the position. */
export function withRollouts(
  analyzed: AnalyzedMatch,
  rollouts: ReadonlyMap<string, RolledPosition>,
): AnalyzedMatch {
  if (rollouts.size === 0) return analyzed
  const games = analyzed.games.map((game) => {
    const actions = game.actions.map((action) => withRollout(action, rollouts.get(action.position)))
    return { ...game, actions, totals: withLosses(game.totals, game.actions, actions) }
  })
  const all = (from: AnalyzedMatch['games']) => from.flatMap(({ actions }) => actions)
  return { ...analyzed, games, totals: withLosses(analyzed.totals, all(analyzed.games), all(games)) }
}

/** Returns the number of actions of both players that were rolled out. */
export const rolledCounts = (actions: readonly AnalyzedAction[]): [number, number] => {
  const rolled = actions.filter(isRolled)
  const mine = rolled.filter(({ player }) => player === 0).length
  return [mine, rolled.length - mine]
}
