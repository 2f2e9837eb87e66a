/**
 * Match that is analyzed: the selected game and decision. The position of a decision of an opened record is set up at
 * the table. The match at the table is not changed: the board shows an earlier position.
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
  isSameDecision,
  ratedTurns,
  type AnalyzedTurn,
  type Decision,
} from '../model/matchAnalysis'
import { isMatchText, playedGame } from '../model/playedMatch'
import { isPerson } from '../model/seats'
import { MatchAnalysis } from './matchAnalysis.svelte'
import { gameOf, type GameState } from './table.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** Names of the files that contain records, and of the binary files of eXtreme Gammon, which are refused with a remedy. */
export const recordFile = /\.(mat|sgf|txt|xg)$/i

export class OpenedMatch {
  #match = $state.raw<PlayedMatch | null>(null)
  /** Name of the file of the match, without its ending. */
  name = ''
  /** Number of the game at the table if the match is the one at the table; null for a record. */
  #tableGame = $state.raw<number | null>(null)
  /** Index of the selected game. */
  index = $state(0)
  /** Decision that was selected last; null if none was. The steps start at it, also after another position was set up. */
  last = $state.raw<Decision | null>(null)
  /** ID of the position of the last decision at the table; null until the table has the position. */
  #position = $state.raw<string | null>(null)
  /** Whether the next frame has the position of the last decision. */
  #isReplied = false
  /** Number of the game at the table that continues a position of the record; null without one. */
  #continued = $state.raw<number | null>(null)
  readonly analysis = new MatchAnalysis()
  /** Number of the run that is paused during the analysis; null without one. */
  #pausedRun: number | null = null
  /** The match at the table that was analyzed last; null without one. */
  #rated = $state.raw<PlayedMatch | null>(null)

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
    private readonly ui: TableUi,
  ) {
    lab.watchStarts(() => {
      // The match at the table ends with its run. The new table does not have the position of a record.
      if (this.#tableGame !== null) this.close()
      this.analysis.stop()
      this.#continued = null
      this.#isReplied = false
      this.#position ??= ''
    })
    lab.watch(() => {
      if (!this.#isReplied || !game.table) return
      this.#isReplied = false
      this.#position = game.table.id
    })
  }

  /** The match; null if none is open. During a visit to another game, a record stays open for the next visit. */
  get match(): PlayedMatch | null {
    return this.lab.exhibit === 'backgammon' ? this.#match : null
  }

  set match(match) {
    this.#match = match
  }

  /** Whether the match is the one at the table. */
  get isAtTable(): boolean {
    return this.match !== null && this.#tableGame !== null
  }

  /** Selected decision of the game; null if none is selected, or if the board shows another position. */
  get selected(): Decision | null {
    const { table } = this.game
    if (!this.match) return null
    if (this.isAtTable) return this.ui.past || this.ui.turn !== null ? this.last : null
    const isShown = this.#position === null || (table && this.ui.shownId(table) === this.#position)
    return isShown ? this.last : null
  }

  /** Whether a position of the record is being played on. */
  get isContinued(): boolean {
    const { table } = this.game
    return this.match !== null && !this.isAtTable && table !== null && table.game === this.#continued
  }

  /** Whether the board shows a decision of a record, whose position is not played on. */
  get isReview(): boolean {
    return !this.isAtTable && this.match !== null && this.selected !== null && !this.isContinued
  }

  /** Whether the board shows the current position, and the position is not under review: commands act on the board. */
  get isPlayable(): boolean {
    return this.ui.isPresent && !this.isReview
  }

  /** Continues the game from the shown position of the record. The next selection returns to the record. */
  playOn(): void {
    this.#continued = this.game.table?.game ?? null
  }

  /** The rated actions of the selected decision. */
  get ratedActions(): readonly AnalyzedAction[] {
    return this.selected ? actionsOf(this.analyzed[this.selected.turn], this.selected.doubling) : []
  }

  /** Returns the rated turns of a game of the match at the table, also after its analysis was closed. */
  ratedAtTable(match: PlayedMatch, index: number): readonly AnalyzedTurn[] {
    const before = this.#rated?.games[index]
    if (!before) return []
    return ratedTurns(before, match.games[index], this.analysis.analyzed?.games[index])
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
    return analyzedTurns(this.analysis.analyzed?.games[this.index])
  }

  /** Names of the players at the table; null if the board shows no decision of a match, or a computer is seated. */
  get names(): [string, string] | null {
    if (this.isAtTable) return null
    return this.match && (this.selected || this.isContinued) && this.game.table?.seats.every(isPerson)
      ? this.match.names
      : null
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
    this.analysis.show(match)
    this.ui.hints = true
    await this.select(0)
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
    this.analysis.show(this.match)
    await this.select(match.games.length - 1)
    this.#rated = this.match
    await this.analyze()
  }

  /** Selects a decision of a game, by default the first play. */
  async select(index: number, decision: Decision = { turn: 0, doubling: false }): Promise<void> {
    this.index = index
    this.last = null
    await this.show(decision)
  }

  /** Returns whether there is a decision after (1) or before (-1) the last one. */
  canStep(by: 1 | -1): boolean {
    return this.#beside(by) !== null
  }

  /** Selects the decision after (1) or before (-1) the last one, which may be in another game. */
  async step(by: 1 | -1): Promise<void> {
    const beside = this.#beside(by)
    if (beside) await this.select(...beside)
  }

  /** Returns the decisions of the game with an index. */
  #decisions(index: number): (Decision & { id: string | null })[] {
    const game = this.match?.games[index]
    return game ? decisionsOf(game, analyzedTurns(this.analysis.analyzed?.games[index])) : []
  }

  /** Returns game and decision after (1) or before (-1) the last one; null if there is none. */
  #beside(by: 1 | -1): [index: number, decision: Decision] | null {
    const { index, last } = this
    if (!last) return null
    const decisions = this.#decisions(index)
    const at = decisions.findIndex((decision) => isSameDecision(decision, last))
    if (decisions[at + by]) return [index, decisions[at + by]!]
    const next = this.#decisions(index + by).at(by === 1 ? 0 : -1)
    return next ? [index + by, next] : null
  }

  /** Shows the position of a decision of the match at the table on the board. */
  #showAtTable({ turn, doubling }: Decision): void {
    const { match, shown } = this
    const { table } = this.game
    if (!match || !shown || !table) return
    const isCurrent =
      table.game === this.#tableGame && this.index === match.games.length - 1 && playedGame(table) !== null
    // The search of an earlier play of the current game is stored.
    if (isCurrent && !doubling && table.history[turn]) this.ui.turn = turn
    else this.ui.past = this.game.log.positionBefore(match, this.index, { turn, doubling })
  }

  /**
   * Sets up the position of a decision of the selected game, a play with its roll. Seats two human players, so that no computer
   * moves.
   */
  async show({ turn, doubling }: Decision): Promise<void> {
    const found = this.#decisions(this.index).find((decision) => isSameDecision(decision, { turn, doubling }))
    if (!found) return
    const decision = { turn, doubling }
    this.last = decision
    this.#position = null
    this.#isReplied = false
    this.#continued = null
    this.ui.begin()
    if (this.isAtTable) return this.#showAtTable(decision)
    if (found.id === null) return
    if (!this.game.table?.seats.every(isPerson)) {
      this.game.chosen.players = this.lab.run
      await this.game.ask({ kind: 'set_seats', seats: [{ kind: 'person' }, { kind: 'person' }] })
    }
    const reply = await this.game.ask({
      kind: 'set_position',
      position: { kind: 'id', id: found.id },
      seat: null,
      dice: null,
    })
    if (this.last !== decision) return
    if (reply) this.#isReplied = true
    else this.last = null
  }

  /** Closes the match. The match at the table continues at its current position. */
  close(): void {
    if (this.isAtTable) this.ui.begin()
    this.#tableGame = null
    this.analysis.stop()
    this.match = null
    this.last = null
  }
}

export const [useOpenedMatch, openedMatchOf] = partOf(
  (lab) => new OpenedMatch(lab, gameOf(lab), tableUiOf(lab)),
)
