/** UI state of the game: hints, selected turn, hovered candidate, position setup. */
import { untrack } from 'svelte'
import type {
  Command,
  GameAnalysis,
  GameCandidate,
  GameMove,
  GamePlayer,
  GameTable,
} from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { store, stored } from '../../../lib/storage'
import { commandOf, type BoardAction } from '../model/boardActions'
import type { Checkers } from '../model/checkers'
import { chosenRules, otherLength, type MatchRules, type RuleChoice } from '../model/doubling'
import { isMade } from '../model/entry'
import type { PlayColumns, ShownRollout } from '../model/plays'
import { isUntouched, type PastPosition } from '../model/playedMatch'
import { isUntrained } from '../model/outcomes'
import { withSimulations } from '../model/players'
import { deeper } from '../model/seats'
import { gameOf, type GameState } from './table.svelte'

type Seats = [GamePlayer, GamePlayer]

export class TableUi {
  /** Names of the games with visible hints. */
  #hinted = $state.raw<ReadonlySet<string>>(new Set())
  /** Selected turn of the history; null for the current one. */
  turn = $state<number | null>(null)
  /** Position of a decision of a match that the board shows instead of the current one; null without one. */
  past = $state.raw<PastPosition | null>(null)
  /** Columns of the table of plays that the visitor has selected; null before a selection. */
  columns = $state<PlayColumns | null>(null)
  /** Notation of the hovered or focused play of the table of plays; null without one. */
  pointed = $state<string | null>(null)
  /** Play that the visitor has selected, with the key of its decision; null without one. */
  #selected = $state.raw<{ key: string; play: string } | null>(null)
  /** Rollout that the page shows; null without one. */
  rolled = $state.raw<ShownRollout | null>(null)
  /** Position that the user is setting up; null if no setup is in progress. */
  editing = $state.raw<Checkers | null>(null)
  /** Text of the field for a position, and the reason why it was refused; empty if it was not. */
  entry = $state.raw({ text: '', problem: '' })
  /** Rules that the user has chosen for the next game of backgammon; null if none are chosen. */
  choice = $state.raw<RuleChoice | null>(null)

  /** Whether the training is shown during a match; the browser stores the choice. */
  #showsTraining = $state(stored('games-training') === 'shown')
  #pageKeys = $state(stored('games-keys') !== 'board')

  /** Whether a command of {@link act} waits for its reply. */
  #isActing = $state(false)
  /** The table at the last reply to {@link act}, which does not show the result yet; null after a refused command. */
  #acted = $state.raw<GameTable | null>(null)

  /** Requested players that the game has not confirmed, with the number of the run. */
  #requestedSeats: { run: number; seats: Seats } | null = null

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
  ) {
    lab.watchStarts(() => (this.entry = { text: '', problem: '' }))
  }

  /** Whether candidate plays are shown before the human player moves; stored per game. */
  get hints(): boolean {
    return this.#hinted.has(this.lab.exhibit ?? '')
  }

  set hints(shown: boolean) {
    const game = this.lab.exhibit ?? ''
    this.#hinted = new Set([...this.#hinted].filter((other) => other !== game).concat(shown ? game : []))
  }

  get showsTraining(): boolean {
    return this.#showsTraining
  }

  set showsTraining(shown: boolean) {
    this.#showsTraining = shown
    store('games-training', shown ? 'shown' : 'folded')
  }

  /** Whether keys act without the focus on the board; the browser stores the choice. */
  get pageKeys(): boolean {
    return this.#pageKeys
  }

  set pageKeys(act: boolean) {
    this.#pageKeys = act
    store('games-keys', act ? 'page' : 'board')
  }

  /** Whether the board shows the current position, on which commands act. */
  get isPresent(): boolean {
    return this.turn === null && this.past === null && this.editing === null
  }

  /** Shows the current position instead of an earlier one. */
  showPresent(): void {
    this.turn = null
    this.past = null
    this.pointed = null
  }

  /** Shows the current position, and ends the selection of a play, the position setup and the entry of a refused position. */
  begin(): void {
    this.showPresent()
    this.#selected = null
    this.editing = null
    if (this.entry.problem !== '') this.entry = { text: '', problem: '' }
  }

  /** Selects a turn of the history, or the current one. */
  showTurn(turn: number | null): void {
    this.turn = turn === this.turn ? null : turn
    this.past = null
    this.pointed = null
  }

  /** Whether the table shows the result of the last command of {@link act}. */
  get ready(): boolean {
    const { table } = this.game
    return table !== null && !this.#isActing && table !== this.#acted
  }

  /**
   * Sends commands of the visitor until one is refused, unless the table does not show the result of the last ones yet. Returns
   * whether all were accepted.
   */
  async act(...commands: readonly Command[]): Promise<boolean> {
    if (!this.ready) return false
    this.#isActing = true
    let accepted = 0
    try {
      for (const command of commands) {
        if (!(await this.game.ask(command))) break
        accepted++
      }
    } finally {
      this.#isActing = false
    }
    const isDone = accepted === commands.length
    // The first frame after the reply shows the result; the table may change for other reasons before. After a refusal, the frame of
    // the accepted commands may have arrived.
    this.#acted = isDone ? this.game.table : null
    return isDone
  }

  /** Continues the game at the board: rolls, doubles, ends a turn, starts the next game, … Returns whether the action was possible. */
  async proceed(action: BoardAction | 'next'): Promise<boolean> {
    const { table } = this.game
    if (!table || !this.isPresent) return false
    if (action === 'next') {
      if (table.stage === 'over') this.newGame()
      return table.stage === 'over'
    }
    const command = commandOf(table, action)
    return command !== null && (await this.act(command))
  }

  /** Makes the moves of a play in place of the moves of the current turn, and ends the turn. */
  play(moves: readonly GameMove[]): Promise<boolean> {
    const { table } = this.game
    if (!table) return Promise.resolve(false)
    return this.act(...(isMade(table, moves) ? [] : this.#movesOf(table, moves)), { kind: 'confirm_turn' })
  }

  /** Returns the commands that make moves in place of the moves of the current turn. */
  #movesOf(table: GameTable, moves: readonly GameMove[]): Command[] {
    return [
      ...table.moves.map(() => ({ kind: 'undo_move' }) as const),
      ...moves.map(({ from, to }) => ({ kind: 'move', from, to }) as const),
    ]
  }

  /**
   * Analysis of the selected turn; null if there is none, during position setup, and by an untrained network while the pretrained
   * one is loaded.
   */
  get analysis(): GameAnalysis | null {
    const { analysis, table } = this.game
    if (!analysis || !table || this.editing || this.past) return null
    if (this.game.changing && isUntrained(analysis)) return null
    return analysis.turn === (this.turn ?? table.history.length) ? analysis : null
  }

  /** Whether candidate plays are shown; hidden from a human player without hints. */
  get showsPlays(): boolean {
    return this.hints || this.turn !== null || this.game.table?.stage === 'computer'
  }

  /** Candidate plays with the equities of the player on roll, the best one first. */
  get candidates(): readonly GameCandidate[] {
    const { analysis } = this
    return analysis && this.showsPlays ? analysis.candidates : []
  }

  /** Whether the human player to move can make the candidate plays. */
  get canPlay(): boolean {
    return this.isPresent && this.game.table?.stage === 'person' && this.analysis !== null
  }

  /** Returns whether the moves of the current turn are a complete candidate play. */
  isMade({ moves }: GameCandidate): boolean {
    const { table } = this.game
    return table !== null && table.can_confirm && isMade(table, moves)
  }

  /** Makes a candidate play, or ends the turn if the play is made. */
  async playOrConfirm(candidate: GameCandidate): Promise<void> {
    if (!this.canPlay) return
    if (this.isMade(candidate)) await this.act({ kind: 'confirm_turn' })
    else await this.playCandidate(candidate)
  }

  /** Makes a candidate play instead of the moves of the current turn, which the player then confirms. */
  async playCandidate(candidate: GameCandidate): Promise<void> {
    const { table } = this.game
    if (!table || !this.canPlay || this.isMade(candidate)) return
    await this.act(...this.#movesOf(table, candidate.moves))
  }

  /** Notation of the selected play of the shown decision; null without one. */
  get selectedPlay(): string | null {
    const { table } = this.game
    const selected = this.#selected
    return table && selected?.key === this.#shownKey(table) ? selected.play : null
  }

  /** Selects a play, whose arrows the board then shows; the second call ends the selection. */
  selectPlay(play: string): void {
    const { table } = this.game
    if (table) this.#selected = play === this.selectedPlay ? null : { key: this.#shownKey(table), play }
  }

  /** Returns the key of the shown decision. Games can have equal positions. */
  #shownKey(table: GameTable): string {
    return `${this.lab.run} ${table.game} ${this.shownId(table)}`
  }

  /** Notation of the only play that the board shows: the hovered or the selected one; null without one. */
  get shownPlay(): string | null {
    return this.pointed ?? this.selectedPlay
  }

  /** Returns the ID of the shown position, which may be an earlier one; null if unknown. */
  shownId(table: GameTable): string | null {
    if (this.past) return this.past.id
    return (this.turn === null ? undefined : table.history[this.turn]?.id) ?? table.id
  }

  /** Changed rules, which apply from the next game; null without a change. */
  get nextRules(): MatchRules | null {
    const { table } = this.game
    return table?.board.kind === 'backgammon' ? chosenRules(this.choice, table.doubling) : null
  }

  /** Starts a new game with the same players, by the chosen rules. */
  newGame(): void {
    const [seats, rules] = [this.#seats(), this.nextRules]
    if (!seats) return
    if (rules) return void this.startMatch(rules)
    this.begin()
    void this.game.ask({ kind: 'new_game', seats, first: null })
  }

  /**
   * Chooses the rules of the next game. They apply at once if the visitor has not played yet, except during position setup and for a
   * match length that is entered.
   */
  choose(choice: RuleChoice): void {
    this.choice = choice
    const { nextRules } = this
    const { table } = this.game
    if (nextRules && choice.key !== otherLength && !this.editing && table && isUntouched(table))
      void this.startMatch(nextRules)
  }

  /** Starts a match, a money session or cubeless games with a new game. Returns whether it was started. */
  async startMatch({ length, jacoby }: MatchRules): Promise<boolean> {
    this.begin()
    const { choice } = this
    const isStarted = (await this.game.ask({ kind: 'start_match', length, jacoby })) !== null
    // Keeps a choice that was made in the meantime.
    if (isStarted && this.choice === choice) this.choice = null
    return isStarted
  }

  /** Replaces the player at a seat; the game continues. */
  async sit(seat: 0 | 1, player: GamePlayer): Promise<void> {
    const now = this.#seats()
    if (!now) return
    this.game.chosen.players = this.lab.run
    const seats: Seats = seat === 0 ? [player, now[1]] : [now[0], player]
    this.#requestedSeats = { run: this.lab.run, seats }
    if (!(await this.game.ask({ kind: 'set_seats', seats }))) this.#requestedSeats = null
  }

  /** Returns whether the current decision can be analyzed. */
  canAnalyze(table: GameTable): boolean {
    return this.isPresent && (table.stage === 'person' || table.stage === 'computer')
  }

  /** Restarts the search of the current decision. */
  analyzeAgain(): void {
    void this.game.ask({ kind: 'analyze_again' })
  }

  /** Raises the number of simulations of the analysis. */
  searchDeeper(largest: number): void {
    const { table } = this.game
    const further = table && deeper(table, largest)
    if (further) this.analyze(withSimulations(table.analyst, further))
  }

  /** Sets the analyst. */
  analyze(analyst: GamePlayer): void {
    const { table } = this.game
    if (!table) return
    this.game.chosen.analyst = this.lab.run
    void this.game.ask({ kind: 'set_analysis', analyst, speed: table.analysis_speed })
  }

  /** Returns the players at both seats, including requested players that the game has not confirmed. */
  #seats(): Seats | null {
    const seats = untrack(() => this.game.table?.seats)
    const requested = this.#requestedSeats
    if (
      requested &&
      (requested.run !== this.lab.run || JSON.stringify(requested.seats) === JSON.stringify(seats))
    )
      this.#requestedSeats = null
    return this.#requestedSeats?.seats ?? seats ?? null
  }
}

export const [useTableUi, tableUiOf] = partOf((lab) => new TableUi(lab, gameOf(lab)))
