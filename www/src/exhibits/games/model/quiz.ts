/** Questions about the errors of an analyzed match, their answers and the score. */
import type { AnalyzedAction, PlayedMatch, RolledPosition } from '../../../engine/page/session'
import { marks } from '../../../protocol/marks'
import { seatOf, type Checkers } from './checkers'
import { withRedouble } from './doubling'
import { isSamePlay } from './notation'
import {
  actionText,
  comparableIn,
  isCounted,
  isRedouble,
  lossText,
  points,
  type LossScale,
} from './matchAnalysis'
import { leastLoss } from './outcomes'
import type { PastPosition } from './playedMatch'
import { displayedLoss, markOf } from './rolledActions'
import { positionText } from './status'

/** Doubling action of a player. */
export type DoublingAction = Exclude<AnalyzedAction['action'], 'play'>

/** Answer of the visitor to a question. */
export interface QuizAnswer {
  /** Notation of the play, or name of the doubling action; null for a skipped question. */
  text: string | null
  /** Equity loss in points; null for a skipped question, and if it is unknown. */
  lost: number | null
}

/** Answers with a known loss: their number, the number of right ones, and the mean loss in points. */
export interface QuizScore {
  count: number
  right: number
  meanLoss: number
}

/** Returns the two answers to a question about a double or about the reply to it; null for a play. */
export function answersTo({ action }: Pick<AnalyzedAction, 'action'>): readonly DoublingAction[] | null {
  if (action === 'play') return null
  return action === 'take' || action === 'pass' ? ['take', 'pass'] : ['double', 'no double']
}

/** Loss in points from which an answer is wrong: the smallest loss with a mark. */
const wrongFrom = marks.at(-1)!.loss

/** Returns whether an answer is right: its loss has no mark. */
export const isRight = ({ lost }: Pick<QuizAnswer, 'lost'>): boolean => lost !== null && lost < wrongFrom

export function scoreOf(answers: readonly QuizAnswer[]): QuizScore {
  const losses = answers.flatMap(({ lost }) => lost ?? [])
  return {
    count: losses.length,
    right: answers.filter(isRight).length,
    meanLoss: losses.reduce((sum, lost) => sum + lost, 0) / Math.max(1, losses.length),
  }
}

/** Returns the score in words, such as `3 of 4 right, mean loss 0.035`. */
export function scoreText({ count, right, meanLoss }: QuizScore, { difference }: LossScale): string {
  const score = `${right} of ${count} right`
  return count > 0 ? `${score}, mean loss ${difference(meanLoss)}` : score
}

/** Returns the score with the numbers of unknown losses and of skipped questions in a sentence. */
export function summaryText(answers: readonly QuizAnswer[], scale: LossScale): string {
  const score = scoreOf(answers)
  const skipped = answers.filter(({ text }) => text === null).length
  const unknown = answers.length - skipped - score.count
  if (score.count + unknown === 0) return 'No question was answered.'
  const parts = [
    ...(score.count > 0 ? [scoreText(score, scale)] : []),
    ...(unknown > 0 ? [`${unknown} answer${unknown === 1 ? '' : 's'} with unknown loss`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ]
  return `${parts.join(', ')}.`
}

/** Returns the equity loss of a doubling action in points; one of the two actions is an error. */
export const doublingLoss = ({ action, error }: AnalyzedAction, answer: DoublingAction): number =>
  answer === action ? points(error) : 0

/**
 * Returns the equity loss of a play that leads from `before` to `after`, in points, by the rollout of the decision if it counts, and
 * otherwise by the analysis. Returns null if it lists no comparable loss of the play.
 */
export function listedLoss(
  action: AnalyzedAction,
  rolled: RolledPosition | null,
  before: Checkers,
  after: Checkers,
): number | null {
  const isAnswer = (play: string | null) =>
    play !== null && isSamePlay(before, seatOf(action.player), play, after)
  if (isAnswer(action.best)) return 0
  if (isAnswer(action.play)) return points(action.error)
  if (isCounted(action)) return rolledLoss(rolled, before, after, action)
  const found = action.candidates.find(({ play }) => isAnswer(play))
  return found && comparableIn(action.candidates)(found) ? shownLoss(points(found.loss)) : null
}

/** Returns the equity loss of a play by a rollout in points; null if the rollout lacks the play. */
export function rolledLoss(
  rolled: RolledPosition | null,
  before: Checkers,
  after: Checkers,
  { player }: Pick<AnalyzedAction, 'player'>,
): number | null {
  const found = rolled?.plays.find(({ play }) => isSamePlay(before, seatOf(player), play, after))
  return found ? displayedLoss(found.loss) : null
}

const shownLoss = (lost: number): number => (lost >= leastLoss ? lost : 0)

/** Returns the score of the match at a question in parentheses; empty in a money session. */
export function scoreAt(
  { score, crawford }: Pick<PastPosition, 'score' | 'crawford'>,
  { names, length }: Pick<PlayedMatch, 'names' | 'length'>,
): string {
  if (length === 0) return ''
  const game = crawford ? ', Crawford game' : ''
  return ` (${names[0]} ${score[0]}, ${names[1]} ${score[1]}, match to ${length}${game})`
}

/** Returns the question about an action in the position before it. */
export function questionText(
  action: AnalyzedAction,
  { seat, dice, cube }: Pick<PastPosition, 'seat' | 'dice' | 'cube'>,
  names: readonly [string, string],
): string {
  const position = positionText(seat, dice, cube, names)
  const answers = answersTo(action)
  if (!answers) return `${position}.`
  return cube?.offered
    ? position
    : `${position}: ${answers.map((answer) => named(action, answer)).join(' or ')}?`
}

/** Returns the name of a doubling action. */
export const named = (action: Pick<AnalyzedAction, 'position'>, answer: string): string =>
  withRedouble(answer, isRedouble(action))

/** Returns the roll of a play, or the question about a double or the reply to it. */
export const decisionName = (action: Pick<AnalyzedAction, 'action' | 'position' | 'roll'>): string =>
  action.roll?.join('-') ?? `${named(action, answersTo(action)?.[0] ?? '')}?`

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Returns the loss of an answer, the best action, and the action of the match with its loss, in sentences. */
export function verdictText(action: AnalyzedAction, { text, lost }: QuizAnswer, scale: LossScale): string {
  const kind = action.play === null ? 'action' : 'play'
  const [answer, made] = [named(action, text ?? ''), actionText(action)]
  const best = named(action, action.best ?? '')
  const isMade = answer === made
  const ending = isMade ? `, as in the match` : ''
  const loss = (points: number) => lossText(points, markOf(points), scale)
  const sentences = [
    lost === null
      ? `The loss of ${answer} is unknown.`
      : lost === 0
        ? `Right: ${answer} is the best ${kind}.`
        : isRight({ lost })
          ? `Right: ${answer} loses only ${loss(lost)}${ending}.`
          : `${capitalized(answer)} loses ${loss(lost)}${ending}.`,
    ...(lost === 0 ? [] : [`Best ${kind}: ${best}.`]),
    ...(isMade ? [] : [`In the match: ${made}, which loses ${loss(points(action.error))}.`]),
  ]
  return sentences.join(' ')
}
