/** Quiz about the listed errors of an analyzed match: the visitor answers each decision before the page shows its analysis. */
import type { PlayedMatch } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import { played, placeOf, slotOf, type Checkers, type Seat, type Slot } from '../model/checkers'
import type { ShownCube } from '../model/doubling'
import { orderedPlays, type DieMove } from '../model/legalPlays'
import { playsAfter, targetsAfter, unusedDice } from '../model/moveTargets'
import { playText, separateMoves } from '../model/notation'
import { isSameDecision, type Decision, type MatchError } from '../model/matchAnalysis'
import { positionBefore, type PastPosition } from '../model/playedMatch'
import {
  answersTo,
  doublingLoss,
  isRight,
  listedLoss,
  questionText,
  scoreAt,
  type DoublingAction,
  type QuizAnswer,
} from '../model/quiz'
import type { TypedQuestion } from '../model/quizEntry'
import { rolledId } from '../model/rolledActions'
import { AnswerRating } from './answerRating.svelte'
import { openedMatchOf, type OpenedMatch } from './openedMatch.svelte'
import { rolloutOf, type Rollout } from './rollout.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** `rating`: the answer is evaluated; `verdict`: the analysis is shown; `summary`: all questions were asked. */
export type QuizPhase = 'question' | 'rating' | 'verdict' | 'summary'

export class Quiz {
  readonly rating: AnswerRating
  /** The match of the quiz; null without one. */
  #match = $state.raw<PlayedMatch | null>(null)
  #phase = $state<QuizPhase>('question')
  /** Errors that the questions are about, in the order of the match. */
  questions = $state.raw<readonly MatchError[]>([])
  /** Index of the question. */
  at = $state(0)
  /** Answers to the first questions. */
  answers = $state.raw<readonly QuizAnswer[]>([])
  /** Moves of the visitor in the question. */
  #made = $state.raw<readonly DieMove[]>([])
  /** Phase and question whose control took the focus last. */
  #focused: string | null = null
  /** Decision that was selected before the quiz. */
  #former: { index: number; decision: Decision } | null = null

  /** The question; null before and after the questions. */
  readonly question = $derived.by(() => {
    const { phase } = this
    return phase === null || phase === 'summary' ? null : (this.questions[this.at] ?? null)
  })
  /** The question, if the board shows its decision; null otherwise. */
  readonly shown = $derived.by(() => {
    const { opened, question, ui } = this
    const isShown =
      question !== null &&
      ui.editing === null &&
      opened.index === question.index &&
      isSameDecision(opened.selected, question.decision)
    return isShown ? question : null
  })
  /** Position of the question, before the action. */
  readonly position = $derived.by((): PastPosition | null => {
    const { question } = this
    const match = this.#match
    if (!match || !question) return null
    const position = positionBefore(match, match.games[question.index]!, question.decision)
    const isReply = question.action.action === 'take' || question.action.action === 'pass'
    const { cube } = position
    return isReply && cube
      ? { ...position, cube: { ...cube, value: 2 * cube.value, offered: true } }
      : position
  })
  readonly #legal = $derived.by(() => {
    const { position } = this
    return position?.dice ? orderedPlays(position.checkers, position.seat, position.dice) : []
  })
  readonly #targets = $derived.by(() =>
    this.phase === 'question' ? targetsAfter(this.#legal, this.#made) : [],
  )

  constructor(
    private readonly opened: OpenedMatch,
    private readonly rollout: Rollout,
    private readonly ui: TableUi,
  ) {
    this.rating = new AnswerRating(rollout)
  }

  /** Phase of the quiz; null without one. Another match ends the quiz. */
  get phase(): QuizPhase | null {
    return this.#match !== null && this.#match === this.opened.match ? this.#phase : null
  }

  /** Returns whether the control of the phase takes the focus: once for each phase of a question. */
  takesFocus(): boolean {
    const now = `${this.phase === 'rating' ? 'question' : this.phase} ${this.at}`
    const isNew = now !== this.#focused
    this.#focused = now
    return isNew
  }

  /** Whether the board shows the question, to be answered or while the answer is evaluated. */
  get isAsking(): boolean {
    return (this.phase === 'question' || this.phase === 'rating') && this.shown !== null
  }

  /** The question in a sentence; null without one. */
  get text(): string | null {
    const { shown, position, at, questions } = this
    const match = this.#match
    if (!shown || !position || !match) return null
    const score = scoreAt(position, match)
    const question = questionText(shown.action, position, match.names)
    return `Question ${at + 1} of ${questions.length}${score}: ${question}`
  }

  /** The answers to a doubling question that can be chosen; null for a play, and outside of questions. */
  get choices(): readonly DoublingAction[] | null {
    return this.isAsking && this.#phase === 'question' && this.question
      ? answersTo(this.question.action)
      : null
  }

  /** The position with the moves of the visitor; null unless the board shows a question. */
  get checkers(): Checkers | null {
    return this.isAsking && this.position ? this.#after(this.position) : null
  }

  /** The doubling cube that is offered in the question about the reply; null otherwise. */
  get offeredCube(): ShownCube | null {
    const cube = this.isAsking ? this.position?.cube : null
    return cube?.offered ? cube : null
  }

  /** Dice that are not used yet; null unless the board shows the question about a play. */
  get unused(): readonly number[] | null {
    const dice = this.position?.dice
    return this.isAsking && dice ? unusedDice(dice, this.#made) : null
  }

  #after({ checkers, seat }: PastPosition): Checkers {
    return this.#made.reduce((at, { from, to }) => played(at, seat, from, to), checkers)
  }

  get #seat(): Seat {
    return this.position?.seat ?? 0
  }

  /** Slots of the checkers that can move. */
  get sources(): ReadonlySet<Slot> {
    return new Set(this.#targets.map(({ from }) => slotOf(this.#seat, from)))
  }

  /** Returns the slots that a checker can reach. */
  targets(slot: Slot): readonly Slot[] {
    const from = placeOf(this.#seat, slot)
    return this.#targets.filter((target) => target.from === from).map(({ to }) => slotOf(this.#seat, to))
  }

  move(from: Slot, to: Slot): void {
    const [source, destination] = [placeOf(this.#seat, from), placeOf(this.#seat, to)]
    const found = this.#targets.find((target) => target.from === source && target.to === destination)
    if (found) this.#made = [...this.#made, ...found.moves]
  }

  get canUndo(): boolean {
    return this.#phase === 'question' && this.isAsking && this.#made.length > 0
  }

  undo(): void {
    if (this.canUndo) this.#made = this.#made.slice(0, -1)
  }

  /** Whether the moves of the visitor are a complete play. */
  get canConfirm(): boolean {
    const isComplete = ({ length }: readonly DieMove[]) => length === this.#made.length
    return (
      this.isAsking &&
      this.#phase === 'question' &&
      playsAfter(this.#legal, this.#made).some(({ moves }) => isComplete(moves))
    )
  }

  /** The question that can be answered by typing; null if there is none. */
  get typed(): TypedQuestion | null {
    const { choices, position } = this
    if (choices) return { kind: 'doubling', choices }
    if (!this.isAsking || this.#phase !== 'question' || !position?.dice) return null
    const { checkers, seat, dice } = position
    return { kind: 'play', checkers, seat, dice, made: this.canConfirm ? this.#made : null }
  }

  /** Answers the question by a complete play in place of the moves on the board. */
  play(moves: readonly DieMove[]): Promise<void> {
    if (this.typed?.kind === 'play') this.#made = moves
    return this.confirm()
  }

  /** Begins with questions about the listed errors. Does nothing without errors, and during a quiz. */
  start(): void {
    const { opened } = this
    const { errors, selected } = opened
    if (this.phase || !selected || errors.length === 0) return
    this.rollout.stop()
    this.#former = { index: opened.index, decision: selected }
    this.#begin(errors)
  }

  #begin(questions: readonly MatchError[]): void {
    this.#match = this.opened.match
    this.questions = questions
    this.answers = []
    this.#focused = null
    this.#ask(0)
  }

  #ask(at: number): void {
    const { opened } = this
    const { index, decision } = this.questions[at]!
    this.at = at
    this.#made = []
    this.#phase = 'question'
    opened.hiddenByQuiz = true
    opened.select(index, decision)
  }

  /** Answers the question by the play on the board. */
  async confirm(): Promise<void> {
    const { question, questions, position } = this
    if (!this.canConfirm || !question || !position) return
    const { action } = question
    const { checkers: before, seat } = position
    const after = this.#after(position)
    const text = playText(before, seat, this.#made)
    const listed = listedLoss(action, this.rollout.resultOf(rolledId(action)), before, after)
    if (listed !== null) return this.#reveal({ text, lost: listed })
    this.#phase = 'rating'
    const isRated = () => this.question === question && this.phase === 'rating'
    const lost = await this.rating.lossOf(action, separateMoves(this.#made), before, after, isRated)
    if (isRated()) this.#reveal({ text, lost })
    // After a visit to another game, the question can be answered again.
    else if (this.questions === questions) this.#phase = 'question'
  }

  /** Answers a question about a double, or about the reply to it. */
  choose(answer: DoublingAction): void {
    const { question } = this
    if (question && this.choices?.includes(answer))
      this.#reveal({ text: answer, lost: doublingLoss(question.action, answer) })
  }

  #reveal(answer: QuizAnswer): void {
    this.answers = [...this.answers, answer]
    this.#phase = 'verdict'
    // The equities of a double would answer the question about the reply.
    this.opened.hiddenByQuiz = this.isReplyNext
  }

  /** Whether the next question is about the reply to the double of this one. */
  get isReplyNext(): boolean {
    const [now, next] = this.questions.slice(this.at)
    return now?.index === next?.index && next !== undefined && isSameDecision(now!.decision, next.decision)
  }

  skip(): void {
    if (this.phase !== 'question' || !this.shown) return
    this.answers = [...this.answers, { text: null, lost: null }]
    this.#advance()
  }

  /** Asks the next question after a verdict, or shows the summary. */
  next(): void {
    if (this.phase === 'verdict' && this.shown) this.#advance()
  }

  #advance(): void {
    if (this.at + 1 < this.questions.length) return this.#ask(this.at + 1)
    this.#phase = 'summary'
    this.#restore()
  }

  /** The questions without a right answer. */
  get missed(): readonly MatchError[] {
    return this.questions.filter((_, i) => this.answers[i] && !isRight(this.answers[i]))
  }

  /** Asks the questions without a right answer again. */
  again(): void {
    const { missed } = this
    if (this.phase === 'summary' && missed.length > 0) this.#begin(missed)
  }

  /** Shows the decision of the question again; in the summary, the decision that was selected last. */
  resume(): void {
    const { opened, question } = this
    if (question) opened.select(question.index, question.decision)
    else if (opened.last) opened.show(opened.last)
  }

  /** Ends the quiz, and shows the decision that was selected before. */
  end(): void {
    if (!this.phase) return
    this.rating.stop()
    this.#restore()
    this.#match = null
  }

  /** Shows the decision that was selected before the quiz. */
  #restore(): void {
    const { opened } = this
    opened.hiddenByQuiz = null
    if (this.#former && opened.selected) opened.select(this.#former.index, this.#former.decision)
  }
}

export const [useQuiz, quizOf] = partOf((lab) => {
  const quiz = new Quiz(openedMatchOf(lab), rolloutOf(lab), tableUiOf(lab))
  lab.watchStarts(() => quiz.rating.stop())
  return quiz
})
