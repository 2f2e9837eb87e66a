/** Rows of the table of plays, from a search, from the analysis of a match, or from a rollout. */
import type {
  AnalyzedAction,
  DoublingReport,
  GameCandidate,
  OutcomeInfo,
  RolledDoubling,
  RolledPosition,
} from '../../../engine/page/session'
import { seatOf } from './checkers'
import { equitySeat } from './doubling'
import { comparableIn, points } from './matchAnalysis'
import { outcomeProbabilities, type Standing } from './outcomes'

/** Probabilities of win, gammon, backgammon, lost gammon and lost backgammon. */
const outcomes = ['win', 'win_gammon', 'win_backgammon', 'lose_gammon', 'lose_backgammon']
const outcomeInfos = outcomes.map((name) => ({ name }))

/** Headings of the columns of {@link PlayRow.probabilities}. */
export const outcomeLabels = ['Win', 'G', 'BG', '−G', '−BG'] as const

/** Contents of the table: the analysis of a match, two parts of a search, or a rollout. */
export type PlayColumns = 'rated' | 'probabilities' | 'visits' | 'rollout'

/** Returns the note on the accuracy of the losses of backgammon; null for a rated play, and without gammons. */
export function accuracyNote(columns: PlayColumns, mostEquity: number): string | null {
  if (mostEquity <= 1 || columns === 'rated') return null
  return columns === 'rollout'
    ? '± is the standard error of the dice. Both sides play like the network, so its systematic errors remain, such as with slots in the opening.'
    : 'The network is weaker than GNU Backgammon: roll out close plays.'
}

/** Number of trials from which a rollout has a verdict: one block of the stratified first rolls. */
export const fewestTrials = 36

/** Rollout that the page shows in place of a search: the arrows of its plays on the board, and its evaluation. */
export interface ShownRollout {
  /** Notations of the plays, the best first; empty before the roll. */
  plays: readonly string[]
  /** Player on roll. */
  seat: 0 | 1
  /** The play made if it loses equity; null otherwise. */
  mistake: string | null
  /** Evaluation for the player on roll; null with few trials. */
  standing: Standing | null
}

/** Play of the player on roll. */
export interface PlayRow {
  text: string
  equity: number
  /** Equity loss against the best play; null if the equities are not comparable. */
  lost: number | null
  /** Probabilities of the outcomes `outcomeLabels`; empty if unknown. */
  probabilities: readonly number[]
  /** Share of the prior, and number of visits; null without a search. */
  prior: number | null
  visits: number | null
  /** Whether the equity is not comparable with the equities of the other plays, which were searched deeper. */
  isShallow: boolean
  /** Standard errors of the equity and of the loss; null for plays that were not rolled out. */
  errors: { equity: number | null; lost: number | null } | null
}

/** Number of visits below which the equity of a play before a roll is the network's estimate, see `GameCandidate.equity`. */
const fewVisits = 8

/** Returns the plays of a search, the best first. `hasRolls`: whether a roll follows a play. */
export function searchedRows(
  candidates: readonly GameCandidate[],
  infos: readonly OutcomeInfo[],
  hasRolls = false,
): PlayRow[] {
  const order = outcomes.map((outcome) => infos.findIndex(({ name }) => name === outcome))
  return candidates.map(({ text, equity, lost, prior, visits, outcome_probabilities: known }) => ({
    text,
    equity,
    lost: hasRolls && visits < fewVisits ? null : lost,
    probabilities: known.length > 0 && !order.includes(-1) ? order.map((at) => known[at]!) : [],
    prior,
    visits,
    isShallow: hasRolls && visits < fewVisits,
    errors: null,
  }))
}

/** Returns the plays of an analyzed action, the best first; none for a doubling action. */
export function ratedRows({ candidates }: Pick<AnalyzedAction, 'candidates'>): PlayRow[] {
  const isComparable = comparableIn(candidates)
  return candidates.map((candidate) => ({
    text: candidate.play,
    equity: points(candidate.equity),
    lost: isComparable(candidate) ? points(candidate.loss) : null,
    probabilities: candidate.probabilities,
    prior: null,
    visits: null,
    isShallow: !isComparable(candidate),
    errors: null,
  }))
}

/** Limits a mean of trials to a probability: without the luck of the rolls, the mean of few trials can be below 0 or above 1. */
export const withinBounds = (mean: number): number => Math.min(1, Math.max(0, mean))

/** Returns the plays of a rollout, the best first; without standard errors as long as they are estimates from few trials. */
export function rolledRows({ trials, plays }: Pick<RolledPosition, 'trials' | 'plays'>): PlayRow[] {
  const known = (error: number | null) => (trials < fewestTrials ? null : error)
  return plays.map(({ play, equity, loss, probabilities }) => ({
    text: play,
    equity: equity.mean,
    lost: loss.mean,
    probabilities: probabilities.map(withinBounds),
    prior: null,
    visits: null,
    isShallow: false,
    errors: { equity: known(equity.error), lost: known(loss.error) },
  }))
}

/** Player on roll at a decision that is rolled out. */
export interface OnRoll {
  seat: 0 | 1
  /** Whether a double is a redouble. */
  isRedouble: boolean
  /** Whether a double is offered, which the opponent takes or passes. */
  isOffered: boolean
}

/** Returns the evaluation by a rollout, for the player on roll: after the best play, or before the roll. Null with few trials. */
export function rolledStanding(
  { trials, plays, doubling }: RolledPosition,
  { seat, isOffered }: Pick<OnRoll, 'seat' | 'isOffered'>,
): Standing | null {
  const [best] = plays
  const known = best ?? doubling
  if (!known || trials < fewestTrials) return null
  const ofDecision = ({ no_double, double_take, double_pass }: RolledDoubling) =>
    bestEquity(isOffered ? -Infinity : no_double.mean, double_take.mean, double_pass)
  return {
    probabilities: outcomeProbabilities(outcomeInfos, known.probabilities.map(withinBounds), seat),
    seat,
    equity: best?.equity.mean ?? ofDecision(doubling!),
    source: 'rollout',
    trained: '',
    complete: true,
  }
}

/** Returns the evaluation by the analysis of a match: after the best play, or before the roll of a doubling decision. */
export function ratedStanding({ player, candidates, doubling }: AnalyzedAction): Standing | null {
  const [best] = candidates
  const known = best ?? doubling
  if (!known) return null
  const equity = best?.equity ?? bestEquity(doubling!.no_double, doubling!.double_take, doubling!.double_pass)
  return {
    probabilities: outcomeProbabilities(outcomeInfos, known.probabilities, player),
    seat: seatOf(player),
    equity: points(equity),
    source: 'match analysis',
    trained: '',
    complete: true,
  }
}

/** Returns the equity of a doubling decision for the player on roll, by the best decisions of both players. */
const bestEquity = (noDouble: number, doubleTake: number, doublePass: number): number =>
  Math.max(noDouble, Math.min(doubleTake, doublePass))

/** Returns the evaluation before the roll by a doubling decision, for the player who decides. */
export function doublingStanding(report: DoublingReport): Standing {
  const [noDouble, doubleTake, doublePass] = report.equities
  const [seat, onRoll] = [seatOf(report.seat), equitySeat(report)]
  return {
    probabilities: outcomeProbabilities(outcomeInfos, report.probabilities, onRoll),
    seat,
    equity:
      seat === onRoll ? bestEquity(noDouble, doubleTake, doublePass) : -Math.min(doubleTake, doublePass),
    source: 'before the roll',
    trained: '',
    complete: true,
  }
}
