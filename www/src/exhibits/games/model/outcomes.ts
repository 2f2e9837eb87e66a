/** Outcome probabilities of both players, from the value heads of a network. */
import { compact, number } from '../../../lib/format'
import { marks } from '../../../protocol/marks'
import type { OutcomeInfo, GameAnalysis, GameOutcome, GameTurn } from '../../../engine/page/session'
import { inSentence, withoutSearch } from './players'
import type { Scale } from './texts'
import { seatOf } from './checkers'

export interface SideProbabilities {
  /** Probability of any win, 0 to 1; gammons and backgammons are included. */
  win: number
  gammon: number
  backgammon: number
}

export interface OutcomeProbabilities {
  seats: readonly [SideProbabilities, SideProbabilities]
  draw: number
}

/** Evaluation of a position. */
export interface Standing {
  probabilities: OutcomeProbabilities | null
  /** Seat from whose view the equity is. */
  seat: 0 | 1
  /** Equity for `seat`; null if unknown. */
  equity: number | null
  /** Source of equity and probabilities; empty if unknown. */
  source:
    | ''
    | 'searched'
    | 'the network alone'
    | 'before the roll'
    | 'last decision'
    | 'match analysis'
    | 'rollout'
    | 'over'
    | 'hidden until your decision'
  /** Description of how far the evaluating network was trained; empty if unknown. */
  trained: string
  /** Whether the search has ended. */
  complete: boolean
}

export const unknown: Standing = {
  probabilities: null,
  seat: 0,
  equity: null,
  source: '',
  trained: '',
  complete: false,
}

/** Evaluation that is hidden from the player who decides. */
export const hidden: Standing = { ...unknown, source: 'hidden until your decision' }

/** Returns an evaluation from the view of a seat. */
export const seenFrom = (standing: Standing, seat: 0 | 1): Standing => ({
  ...standing,
  seat,
  equity: standing.equity !== null && seat !== standing.seat ? -standing.equity : standing.equity,
})

/** Returns the evaluation after the best play of an analysis, with the equity of the player to move, as of the plays. */
export function standing(infos: readonly OutcomeInfo[], analysis: GameAnalysis): Standing {
  return {
    probabilities: outcomeProbabilities(infos, analysis.outcome_probabilities, analysis.seat),
    seat: seatOf(analysis.seat),
    equity: analysis.equity,
    source: analysis.searched ? 'searched' : 'the network alone',
    trained: trainingOf(analysis),
    complete: isComplete(analysis),
  }
}

/** Evaluations of the current position and of the position that the board shows, which may be an earlier one. */
export interface Standings {
  current: Standing
  shown: Standing
}

/**
 * Returns the evaluations after a new state. The last evaluation of the current position is kept until a new one arrives, also while
 * an earlier position is shown (`isPast`). `known`: evaluation of the shown position, if known. `isBeforeRoll`: whether the current
 * position is before the roll or a reply, so that a kept evaluation is that of the last decision.
 */
export function nextStandings(
  { current }: Standings,
  known: Standing | null,
  outcome: GameOutcome | null,
  isPast: boolean,
  isBeforeRoll = false,
): Standings {
  if (isPast) return { current, shown: known ?? unknown }
  const now = outcome ? ended(outcome) : (known ?? (isBeforeRoll ? ofLastDecision(current) : current))
  return { current: now, shown: now }
}

/** Names an evaluation that is kept before the roll; the result of a game that was taken back is none. */
function ofLastDecision(standing: Standing): Standing {
  if (standing.source === '' || standing.source === 'over') return unknown
  return { ...standing, source: 'last decision', trained: '' }
}

/** Returns whether the search of an analysis has ended. */
export const isComplete = ({ made, wanted, full }: GameAnalysis): boolean => full || made >= wanted

/** Returns whether an analysis is by a network of the run before its first gradient step. */
export const isUntrained = ({ player, updates }: Pick<GameAnalysis, 'player' | 'updates'>): boolean =>
  updates === 0 && (player.kind === 'newest' || player.kind === 'best')

/** Describes how far the network of an analysis was trained. */
function trainingOf(analysis: GameAnalysis): string {
  if (analysis.updates > 0) return `after ${compact(analysis.updates)} gradient steps`
  return isUntrained(analysis) ? 'before training' : ''
}

/** Smallest equities of a position that is not even, clearly better, and nearly won, without gammons. */
const [uneven, clear, won] = [0.05, 0.3, 0.8]

/** Describes an equity without gammons, for the player `view` of {@link viewOf}; `isOver`: it is the result of the game. */
export function inWords(equity: number, view: string, isOver: boolean): string {
  const size = Math.abs(equity)
  if (isOver && size < uneven) return 'Drawn'
  if (size < uneven) return 'Even'
  const subject = view === 'you' ? 'You' : view.replace(/^the/, 'The')
  const [is, has] = view === 'you' ? ['are', 'have'] : ['is', 'has']
  if (isOver) return `${subject} ${has} ${equity > 0 ? 'won' : 'lost'}`
  if (size >= won) return `${subject} ${is} ${equity > 0 ? 'winning' : 'losing'}`
  return `${subject} ${is} ${size < clear ? 'slightly ' : ''}${equity > 0 ? 'better' : 'worse'}`
}

/** Returns the name within a sentence of the player from whose view an equity is. */
export function viewOf(names: readonly [string, string], seat: 0 | 1): string {
  const [below, above] = [withoutSearch(names[0]), withoutSearch(names[1])]
  if (below === above) return seat === 0 ? 'the side below' : 'the side above'
  const name = seat === 0 ? below : above
  return name === 'You' ? 'you' : inSentence(name)
}

/** Returns the evaluation of a finished game: the points won with the doubling cube. */
export function ended({ winner, win: kind, points }: GameOutcome): Standing {
  const side = (seat: number): SideProbabilities => {
    const won = seat === winner
    return { win: Number(won), gammon: Number(won && kind > 1), backgammon: Number(won && kind > 2) }
  }
  const draw = Number(winner === null)
  const equity = winner === null ? 0 : forWhite(points, winner)
  return {
    probabilities: { seats: [side(0), side(1)], draw },
    seat: 0,
    equity,
    source: 'over',
    trained: '',
    complete: true,
  }
}

const clamp = (value: number): number => Math.max(0, Math.min(1, value))

/**
 * Converts the head outputs of `seat` to probabilities of both sides. The heads are trained separately and
 * may contradict each other: gammon probabilities are limited by win probabilities.
 */
export function outcomeProbabilities(
  infos: readonly Pick<OutcomeInfo, 'name'>[],
  outcome_probabilities: readonly number[],
  seat: number,
): OutcomeProbabilities | null {
  if (outcome_probabilities.length === 0 || outcome_probabilities.length !== infos.length) return null
  const of = (name: string): number | null => {
    const at = infos.findIndex((info) => info.name === name)
    return at < 0 ? null : clamp(outcome_probabilities[at]!)
  }
  const win = of('win') ?? 0
  // Without a head for losses, every game that is not won is lost.
  const lose = Math.min(1 - win, of('lose') ?? 1)
  const draw = 1 - win - lose
  const side = (win: number, gammon: number, backgammon: number): SideProbabilities => ({
    win,
    gammon: Math.min(win, gammon),
    backgammon: Math.min(win, gammon, backgammon),
  })
  const mine = side(win, of('win_gammon') ?? 0, of('win_backgammon') ?? 0)
  const theirs = side(lose, of('lose_gammon') ?? 0, of('lose_backgammon') ?? 0)
  return { seats: seat === 0 ? [mine, theirs] : [theirs, mine], draw }
}

/** Converts an equity from the view of `seat` to the view of seat 0. */
export function forWhite(equity: number, seat: number): number {
  return seat === 0 ? equity : -equity
}

const severities = { '?!': 'doubtful', '?': 'error', '??': 'blunder' } as const
export type Severity = 'fine' | (typeof severities)[keyof typeof severities]

/** Returns the severity of an equity loss, by the marks of GNU Backgammon. */
export function severity(lost: number): Severity {
  const found = marks.find(({ loss }) => lost >= loss)
  return found ? severities[found.mark] : 'fine'
}

/** Least equity loss that is displayed. */
export const leastLoss = 0.0005

/** Returns whether a play of the table loses equity that is displayed. */
export const isMistake = ({ lost }: Pick<GameTurn, 'lost'>): boolean => (lost ?? 0) >= leastLoss

/** Formats an equity loss; a dash for a negative loss, which results from few visits. */
export const lostText = (lost: number, { difference }: Pick<Scale, 'difference'>): string =>
  lost < 0 ? '–' : difference(lost)

/** Formats a standard error as an addition to its mean; empty if it is unknown. */
export const plusMinus = (error: number | null | undefined): string =>
  typeof error === 'number' ? `\u00a0±\u2009${number(error, 3)}` : ''
