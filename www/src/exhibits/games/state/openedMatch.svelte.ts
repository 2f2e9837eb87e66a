/**
 * Match that is analyzed, opened from a record or played at the table: the selected game and decision. The board shows the
 * position of the decision in place of the current one, so that the match at the table does not change.
 */
import { tools } from '../../../engine/page/tools'
import type { AnalyzedAction, PlayedGame, PlayedMatch } from '../../../engine/page/session'
import { inFile } from '../../../lib/problem'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts, type ActivityToast } from '../../../state/toasts.svelte'
import {
  actionsOf,
  analyzedTurns,
  decisionsOf,
  errorBeside,
  errorsOf,
  isCloseDoubling,
  isSameDecision,
  ratedTurns,
  undoubledId,
  type AnalyzedTurn,
  type Decision,
  type ErrorKind,
  type MatchError,
} from '../model/matchAnalysis'
import { isMatchText, playedGame, positionBefore, type PastPosition } from '../model/playedMatch'
import { isInGame } from '../model/seats'
import { withRollouts } from '../model/rolledActions'
import { MatchAnalysis } from './matchAnalysis.svelte'
import { rolloutOf, type Rollout } from './rollout.svelte'
import { gameOf, type GameState } from './table.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** Names of the files that contain records, and of the binary files of eXtreme Gammon, which are refused with a remedy. */
export const recordFile = /\.(mat|sgf|txt|xg)$/i

/** Returns the key of a decision of the match. */
const keyOf = (index: number, { turn, doubling }: Decision): string => `${index} ${turn} ${doubling}`

export class OpenedMatch {
  #match = $state.raw<PlayedMatch | null>(null)
  /** Name of the file of the match, without its ending. */
  name = ''
  /** Number of the game at the table if the match is the one at the table; null for a record. */
  #tableGame = $state.raw<number | null>(null)
  /** Index of the selected game. */
  index = $state(0)
  /** Decision that was selected last; null if none was. The steps start at it, also after another position was shown. */
  last = $state.raw<Decision | null>(null)
  /** Position of the last decision; null if the table stores it as a turn of the current game. */
  #past = $state.raw<PastPosition | null>(null)
  readonly analysis = new MatchAnalysis()
  /** The rated actions, with the losses by rollouts; null before the analysis. */
  readonly rated = $derived.by(
    () => this.analysis.analyzed && withRollouts(this.analysis.analyzed, this.rollout.results),
  )
  /** Player whose errors are listed; null for both. */
  player = $state<number | null>(null)
  /** Kind of the errors that are listed; null for both. */
  kind = $state<ErrorKind | null>(null)
  /** Marks of errors that are not listed. */
  #withoutMarks = $state.raw<ReadonlySet<string>>(new Set())
  /** Whether the best plays of the decisions are hidden, so that the visitor can find them. */
  #hidesBest = $state(false)
  /** Decisions that are shown while the best plays are hidden, by their keys. */
  #revealed = $state.raw<ReadonlySet<string>>(new Set())
  /** Whether a quiz hides the analysis of all decisions (true) or shows it (false); null without a quiz. */
  hiddenByQuiz = $state<boolean | null>(null)
  /** The match whose section took the focus last. */
  #focused: PlayedMatch | null = null
  /** Number of the run that is paused during the analysis; null without one. */
  #pausedRun: number | null = null
  /** The match at the table that was analyzed last; null without one. */
  #rated = $state.raw<PlayedMatch | null>(null)

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
    private readonly ui: TableUi,
    private readonly rollout: Rollout,
  ) {
    lab.watchStarts(() => {
      // The match at the table ends with its run.
      if (this.#tableGame !== null) this.close()
      this.analysis.stop()
    })
  }

  /** The match; null if none is open. During a visit to another game, a record stays open for the next visit. */
  get match(): PlayedMatch | null {
    return this.lab.exhibit === 'backgammon' ? this.#match : null
  }

  set match(match) {
    this.#match = match
  }

  /** Returns whether the section of the match takes the focus: once for each match. */
  takesFocus(): boolean {
    const isNew = this.match !== this.#focused
    this.#focused = this.match
    return isNew
  }

  /** Whether the match is the one at the table. */
  get isAtTable(): boolean {
    return this.match !== null && this.#tableGame !== null
  }

  /** Selected decision of the game; null if none is selected, or if the board shows another position. */
  get selected(): Decision | null {
    const { past, turn } = this.ui
    if (!this.match) return null
    const isTurn = past === null && turn === this.last?.turn && this.game.table?.game === this.#tableGame
    return (this.#past ? past === this.#past : isTurn) ? this.last : null
  }

  /** Whether the board shows a position that is not one of the match, such as a position that was entered. */
  get isLeft(): boolean {
    return this.match !== null && this.selected === null
  }

  /** Whether the board shows the match in place of a match that is played at the table. */
  get interruptsMatch(): boolean {
    const { table } = this.game
    return this.selected !== null && (this.isAtTable || (table !== null && isInGame(table)))
  }

  /** Sets up the position of the selected decision at the table, whose players play it on. The next selection returns to the match. */
  async playOn(): Promise<void> {
    const id = this.#past?.id ?? this.#found?.id
    if (!id) return
    const position = { kind: 'id', id } as const
    if (await this.game.ask({ kind: 'set_position', position, seat: null, dice: null })) this.ui.begin()
  }

  /** The last decision with the ID of its position. */
  get #found() {
    const { last } = this
    return last && this.#decisions(this.index).find((decision) => isSameDecision(decision, last))
  }

  /** Whether the best plays are shown: of the selected decision of the match, otherwise the hints at the table. */
  get hints(): boolean {
    return this.selected ? !this.#hidesBest : this.ui.hints
  }

  set hints(shown: boolean) {
    if (this.selected) {
      this.#hidesBest = !shown
      this.#revealed = new Set()
    } else this.ui.hints = shown
  }

  /** Whether the board shows a decision of the match without its best plays. */
  get isHidden(): boolean {
    return this.selected !== null && this.hides(this.index, this.selected)
  }

  /** Returns whether the analysis of a decision is hidden. */
  hides(index: number, decision: Decision): boolean {
    return this.hiddenByQuiz ?? (this.#hidesBest && !this.#revealed.has(keyOf(index, decision)))
  }

  /** Shows the analysis of the decision on the board; other decisions stay hidden. At the table, shows the hints. */
  reveal(): void {
    const { index, selected } = this
    if (selected) this.#revealed = new Set(this.#revealed).add(keyOf(index, selected))
    else this.ui.hints = true
  }

  /** The actions of the selected decision as the analysis has rated them, without a rollout; none while they are hidden. */
  get ratedActions(): readonly AnalyzedAction[] {
    if (!this.selected || this.isHidden) return []
    const turns = analyzedTurns(this.analysis.analyzed?.games[this.index])
    return actionsOf(turns[this.selected.turn], this.selected.doubling)
  }

  /** The rated play whose table of plays and arrows are shown; null if those of a search are, or if there is none. */
  get ratedPlay(): AnalyzedAction | null {
    const [action] = this.ratedActions
    if (!action || action.candidates.length === 0) return null
    const { analysis, candidates, columns } = this.ui
    const isSearched = analysis !== null && candidates.length > 0
    const isOfSearch = columns === 'probabilities' || columns === 'visits'
    return isSearched && isOfSearch ? null : action
  }

  /** Errors of the player and the kind, with all marks. */
  get errorsOfPlayer(): MatchError[] {
    return errorsOf(this.rated?.games ?? [], this.player, this.kind)
  }

  /** Errors that are listed and stepped through. */
  get errors(): MatchError[] {
    return this.errorsOfPlayer.filter(({ action }) => this.listsMark(action.mark!))
  }

  /** Doubling decisions without a mark that lose equity or are close, of the player and the kind whose errors are listed. */
  get closeDoublings(): MatchError[] {
    return errorsOf(this.rated?.games ?? [], this.player, this.kind, isCloseDoubling)
  }

  /** The decision not to double before the selected play; null without one, and before the turn is rated. */
  get undoubled(): Decision | null {
    const { selected } = this
    const rated = selected && !selected.doubling ? this.analyzed[selected.turn] : undefined
    if (!selected || !rated || undoubledId(rated, selected.turn) === null) return null
    return { turn: selected.turn, doubling: true }
  }

  /** Returns whether errors with a mark are listed. */
  listsMark(mark: string): boolean {
    return !this.#withoutMarks.has(mark)
  }

  /** Lists the errors with a mark, or leaves them out. */
  toggleMark(mark: string): void {
    const others = [...this.#withoutMarks].filter((other) => other !== mark)
    this.#withoutMarks = new Set(this.listsMark(mark) ? [...others, mark] : others)
  }

  /** Lists all errors, and forgets the decisions that were revealed. */
  #resetLists(): void {
    this.player = this.kind = this.hiddenByQuiz = null
    this.#withoutMarks = new Set()
    this.#revealed = new Set()
  }

  /** Selects the error after (1) or before (-1) the last decision; after the last error the first one. */
  stepToError(by: 1 | -1): void {
    const error = errorBeside(this.errors, this.index, this.last, by)
    if (error) this.select(error.index, error.decision)
  }

  /** Returns the rated turns of a game of the match at the table, also after its analysis was closed. */
  ratedAtTable(match: PlayedMatch, index: number): readonly AnalyzedTurn[] {
    const before = this.#rated?.games[index]
    if (!before) return []
    return ratedTurns(before, match.games[index], this.rated?.games[index])
  }

  /** Analyzes the match. Training is paused meanwhile, since both need the processor. */
  async analyze(): Promise<void> {
    const { analysis, lab } = this
    if (analysis.running) return
    if (lab.running === 'running') {
      lab.pause()
      this.#pausedRun = lab.run
    }
    await analysis.start()
    // The analysis was stopped and resumed in the meantime.
    if (analysis.running) return
    if (this.#pausedRun === lab.run && lab.running === 'paused') await lab.play()
    this.#pausedRun = null
  }

  /** The selected game. */
  get shown(): PlayedGame | null {
    return this.match?.games[this.index] ?? null
  }

  /** The rated turns of the selected game. */
  get analyzed(): AnalyzedTurn[] {
    return analyzedTurns(this.rated?.games[this.index])
  }

  /** Names of the players of a record; null if the board shows no decision of a record. */
  get names(): [string, string] | null {
    return this.match && this.selected && !this.isAtTable ? this.match.names : null
  }

  /** Opens a record and shows its first turn. Shows an error if the file is not a record. */
  async open(file: File): Promise<void> {
    // Errors about the previous file are obsolete.
    toasts.dismissErrors()
    let activity = null as ActivityToast | null
    let match: PlayedMatch
    try {
      // Invalid UTF-8 is replaced: older programs write names in Latin-1.
      const text = new TextDecoder().decode(await file.arrayBuffer())
      if (!isMatchText(file.name, text)) {
        toasts.error({
          message: `${file.name} is not a match text.`,
          hint: 'In eXtreme Gammon, export the match as text (.mat); GNU Backgammon writes .mat and SGF.',
        })
        return
      }
      match = await tools.ask('readMatch', { text }, (phase) => {
        activity ??= toasts.activity('busy', '')
        activity.message = phase === 'loading' ? 'Loading the reader …' : 'Reading the match …'
      })
    } catch (problem) {
      toasts.error(inFile(file.name, problem))
      return
    } finally {
      activity?.close()
    }
    // The visitor has left the backgammon page in the meantime.
    if (this.lab.exhibit !== 'backgammon') return
    this.match = match
    this.name = file.name.replace(/\.[^.]*$/, '')
    this.#tableGame = null
    this.#rated = null
    this.#resetLists()
    this.analysis.show(match)
    this.select(0)
  }

  /**
   * Shows and analyzes the match at the table so far, which continues when the analysis is closed. Selects the first play of the
   * newest game with a turn.
   */
  async analyzeAtTable(match: PlayedMatch): Promise<void> {
    const { table } = this.game
    if (!table) return
    // The search during the game and the analysis have different losses.
    const games = match.games.map((game) => ({
      ...game,
      turns: game.turns.map((turn) => ({ ...turn, lost: null, best: null, equity: null })),
    }))
    this.match = { ...match, games }
    this.name = 'backgammon-match'
    this.#tableGame = table.game
    this.#resetLists()
    this.analysis.show(this.match)
    this.select(match.games.length - 1)
    this.#rated = this.match
    await this.analyze()
  }

  /** Selects a decision of a game, by default the first play. */
  select(index: number, decision: Decision = { turn: 0, doubling: false }): void {
    this.index = index
    this.last = null
    this.show(decision)
  }

  /** Returns whether there is a decision after (1) or before (-1) the last one. */
  canStep(by: 1 | -1): boolean {
    return this.#beside(by) !== null
  }

  /** Selects the decision after (1) or before (-1) the last one, which may be in another game. */
  step(by: 1 | -1): void {
    const beside = this.#beside(by)
    if (beside) this.select(...beside)
  }

  /** Returns the decisions of the game with an index. */
  #decisions(index: number): (Decision & { id: string | null })[] {
    const game = this.match?.games[index]
    const selected = index === this.index ? this.last : null
    return game ? decisionsOf(game, analyzedTurns(this.rated?.games[index]), selected) : []
  }

  /** Returns game and decision after (1) or before (-1) the last one; null if there is none. */
  #beside(by: 1 | -1): [index: number, decision: Decision] | null {
    const { index, last } = this
    if (!last) return null
    const decisions = this.#decisions(index)
    const found = decisions.findIndex((decision) => isSameDecision(decision, last))
    // A doubling decision without a double is listed only while it is rated; its play follows.
    const at = found < 0 ? decisions.findIndex(({ turn }) => turn === last.turn) - Math.max(0, by) : found
    if (decisions[at + by]) return [index, decisions[at + by]!]
    const next = this.#decisions(index + by).at(by === 1 ? 0 : -1)
    return next ? [index + by, next] : null
  }

  /** Shows the position of a decision of the selected game on the board. */
  show({ turn, doubling }: Decision): void {
    const { game, index, match, ui } = this
    const { table } = game
    const decision = (this.last = { turn, doubling })
    const found = this.#found
    if (!match || !found) return void (this.last = null)
    ui.begin()
    // A quiz does not show the search of the table.
    const isCurrent =
      this.hiddenByQuiz === null &&
      this.isAtTable &&
      table?.game === this.#tableGame &&
      index === match.games.length - 1 &&
      playedGame(table) !== null
    // The search of an earlier play of the current game is stored.
    if (isCurrent && !doubling && table.history[turn]) {
      this.#past = null
      ui.turn = turn
      return
    }
    const before = this.isAtTable
      ? game.log.positionBefore(match, index, decision)
      : positionBefore(match, match.games[index]!, decision)
    ui.past = this.#past = { ...before, id: before.id ?? found.id }
  }

  /** Closes the match. The match at the table continues at its current position. */
  close(): void {
    if (this.selected) this.ui.begin()
    this.#tableGame = null
    this.analysis.stop()
    this.match = null
    this.last = this.hiddenByQuiz = null
    this.#past = null
  }
}

export const [useOpenedMatch, openedMatchOf] = partOf(
  (lab) => new OpenedMatch(lab, gameOf(lab), tableUiOf(lab), rolloutOf(lab)),
)
