/**
 * Losses of the actions of an analyzed match by rollouts of their positions, with the trials that decide them.
 */
import type {
  AnalyzedAction,
  AnalyzedMatch,
  AnalyzedTotal,
  RolledDoubling,
  RolledPlay,
  RolledPosition,
} from '../../../engine/page/session'
import { marks } from '../../../protocol/marks'
import { isCounted, type RolledAction } from './matchAnalysis'
import { leastLoss } from './outcomes'
import { fewestTrials } from './plays'

/** Difference of two equities, with its joint standard error: 0 if the equities do not depend on the trials. */
interface Difference {
  mean: number
  error: number
}

/** Joint standard errors from which a difference is decided, so that the loss by the rollout counts. */
const decisiveErrors = 2
/** Joint standard error from which a loss counts as well, since equal actions never differ by {@link decisiveErrors}. */
const preciseError = 0.005
/** Joint standard errors by which the best action leads when a rollout until a decision stops (JSD stop rule of GNU Backgammon). */
const stopErrors = 2.33
/** Trials of a rollout until a decision: smallest number before the rule applies, step, and largest number. */
const fewestDecisive = 4 * fewestTrials
export const mostDecisive = 5184

type Rolled = Pick<RolledPosition, 'plays' | 'doubling'>

/** Returns the mark of a loss in points; null for a small loss. */
export const markOf = (lost: number): string | null => marks.find(({ loss }) => lost >= loss)?.mark ?? null

const lossOf = ({ loss }: Pick<RolledPlay, 'loss'>): Difference => ({
  mean: loss.mean,
  error: loss.error ?? 0,
})

/** Number of joint standard errors of a difference. */
const standardErrors = ({ mean, error }: Difference): number =>
  error === 0 ? Infinity : Math.abs(mean) / error

/** Returns the gain of a double over no double, and that of a take over a pass for the opponent. */
const doublingGains = ({
  gain,
  double_take,
  double_pass,
}: RolledDoubling): Record<'double' | 'take', Difference> => ({
  double: { mean: gain.mean, error: gain.error ?? 0 },
  take: { mean: double_pass - double_take.mean, error: double_take.error ?? 0 },
})

/** Returns the loss of a play; of the best play the negative lead over the closest rival. Null if the rollout lacks the play. */
function playDifference(play: string | null, plays: readonly RolledPlay[]): Difference | null {
  const [best, ...rivals] = plays
  const made = plays.find((rolled) => rolled.play === play)
  if (!made) return null
  if (made !== best) return lossOf(made)
  const [closest] = rivals.map(lossOf).sort((a, b) => standardErrors(a) - standardErrors(b))
  return closest ? { ...closest, mean: -closest.mean } : { mean: 0, error: 0 }
}

/** Returns the loss of an action against the best other one, negative for the best action; null if the rollout lacks the action. */
function difference(
  { action, play }: Pick<AnalyzedAction, 'action' | 'play'>,
  rolled: Rolled,
): Difference | null {
  if (action === 'play') return playDifference(play, rolled.plays)
  if (!rolled.doubling) return null
  const { double, take } = doublingGains(rolled.doubling)
  const opposite = ({ mean, error }: Difference) => ({ mean: -mean, error })
  return { 'no double': double, double: opposite(double), pass: take, take: opposite(take) }[action]
}

/** Returns the number of further trials, in whole steps, after which the difference is expected to be decided; 0 if it is. */
function missingTrials(trials: number, { mean, error }: Difference): number {
  const resolved = Math.max(Math.abs(mean) / decisiveErrors, preciseError)
  const needed = trials * (error / resolved) ** 2
  return Math.max(0, Math.ceil((needed - trials) / fewestTrials) * fewestTrials)
}

/** Returns the number of further trials that are expected to decide double and reply; 0 if both are decided. */
const missingDoublingTrials = (trials: number, doubling: RolledDoubling): number =>
  Math.max(...Object.values(doublingGains(doubling)).map((gain) => missingTrials(trials, gain)))

/** Returns the doubling decision of a rollout if double and reply are decided; otherwise null. */
export function decidedDoubling({ trials, doubling }: RolledPosition): RolledDoubling | null {
  if (!doubling || trials < fewestTrials) return null
  return missingDoublingTrials(trials, doubling) === 0 ? doubling : null
}

/**
 * Returns whether a rollout until a decision stops: the best action leads over each rival, or over the play made, by the joint
 * standard errors of the rule.
 */
export function meetsStopRule(rolled: RolledPosition, played: string | null): boolean {
  const { trials, plays, doubling } = rolled
  if (trials >= mostDecisive) return true
  if (trials < fewestDecisive || trials % fewestTrials !== 0) return false
  const made = plays.slice(1).find(({ play }) => play === played)
  const differences = doubling
    ? Object.values(doublingGains(doubling))
    : (made ? [made] : plays.slice(1)).map(lossOf)
  return differences.every((difference) => standardErrors(difference) >= stopErrors)
}

const others: Partial<Record<AnalyzedAction['action'], string>> = {
  double: 'no double',
  'no double': 'double',
  take: 'pass',
  pass: 'take',
}

/** Returns the loss of an action in points; 0 for the best action, and for a loss that is not displayed. */
export const displayedLoss = ({ mean }: Pick<Difference, 'mean'>): number => (mean >= leastLoss ? mean : 0)

/**
 * Returns an action with its rollout. The loss by the rollout replaces that by the evaluation if it is decided; the losses of a double and
 * of the reply if both are decided, so that their source is the same. Returns the action itself if the rollout has no verdict about it.
 */
export function withRollout(
  action: AnalyzedAction,
  rolled: RolledPosition | null | undefined,
): AnalyzedAction | RolledAction {
  const found = rolled && rolled.trials >= fewestTrials ? difference(action, rolled) : null
  if (!rolled || !found) return action
  const rollout = {
    trials: rolled.trials,
    lost: displayedLoss(found),
    error: found.error,
    missing:
      action.action !== 'play' && rolled.doubling
        ? missingDoublingTrials(rolled.trials, rolled.doubling)
        : missingTrials(rolled.trials, found),
  }
  if (rollout.missing > 0) return { ...action, rollout }
  const better = action.play === null ? others[action.action] : rolled.plays[0]?.play
  const { lost } = rollout
  const best = lost > 0 ? (better ?? null) : null
  return { ...action, error: 1000 * lost, mark: markOf(lost), best, rollout }
}

/**
 * Returns the ID of the position whose rollout rates an action. The rollout before a double also rates the reply, whose XGID has `D`
 * in place of the roll.
 */
export const rolledId = ({ position }: Pick<AnalyzedAction, 'position'>): string =>
  position.replace(/^(([^:]*:){4})D:/, '$100:')

/** Returns whether an action can be rolled out: records may have doubles that are impossible by the rules. */
export const canRollOut = ({ doubling, candidates }: AnalyzedAction): boolean =>
  doubling !== null || candidates.length > 0

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

/**
 * Returns an analysis with the losses by rollouts, and their totals. `rollouts`: the results by the ID of the position, see
 * {@link rolledId}.
 */
export function withRollouts(
  analyzed: AnalyzedMatch,
  rollouts: ReadonlyMap<string, RolledPosition>,
): AnalyzedMatch {
  if (rollouts.size === 0) return analyzed
  const games = analyzed.games.map((game) => {
    const actions = game.actions.map((action) => withRollout(action, rollouts.get(rolledId(action))))
    if (actions.every((action, at) => action === game.actions[at])) return game
    return { ...game, actions, totals: withLosses(game.totals, game.actions, actions) }
  })
  if (games.every((game, index) => game === analyzed.games[index])) return analyzed
  const all = (from: AnalyzedMatch['games']) => from.flatMap(({ actions }) => actions)
  return { ...analyzed, games, totals: withLosses(analyzed.totals, all(analyzed.games), all(games)) }
}

/** Returns the number of actions of both players that count with the loss by their rollout. */
export const rolledCounts = (actions: readonly AnalyzedAction[]): [number, number] => {
  const rolled = actions.filter(isCounted)
  const mine = rolled.filter(({ player }) => player === 0).length
  return [mine, rolled.length - mine]
}
