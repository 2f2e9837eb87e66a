/** What a person does at the table besides playing: asks for hints, looks back, points at plays, sets up a position. */
import { untrack } from 'svelte'
import type { GameAnalysis, GameCandidate, GamePlayer, GameTable } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import type { Checkers } from '../model/checkers'
import { withSimulations } from '../model/players'
import { deeper } from '../model/seats'
import { gameOf, type GameState } from './table.svelte'

type Seats = [GamePlayer, GamePlayer]

export class Play {
  /** The games whose hints are shown. */
  #hinted = $state.raw<ReadonlySet<string>>(new Set())
  /** The turn of the history that is looked at; null: the present one. */
  turn = $state<number | null>(null)
  /** The candidate that is pointed at. */
  pointed = $state<number | null>(null)
  /** A position that is being set up. */
  editing = $state.raw<Checkers | null>(null)

  /** Who was asked to sit down, until the table shows them; of which run. */
  #asked: { run: number; seats: Seats } | null = null

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
  ) {}

  /** Whether the plays that the network would choose from are shown before a person has played; of each game by itself. */
  get hints(): boolean {
    return this.#hinted.has(this.lab.exhibit ?? '')
  }

  set hints(shown: boolean) {
    const game = this.lab.exhibit ?? ''
    this.#hinted = new Set([...this.#hinted].filter((other) => other !== game).concat(shown ? game : []))
  }

  /** Another game: what was looked at or set up is gone. */
  begin(): void {
    this.turn = null
    this.pointed = null
    this.editing = null
  }

  /** Looks at a turn of the history, or at the present again. */
  look(turn: number | null): void {
    this.turn = turn === this.turn ? null : turn
    this.pointed = null
  }

  /** The analysis of what is looked at, as far as it has come; none of a position that is being set up. */
  get analysis(): GameAnalysis | null {
    const { analysis, table } = this.game
    if (!analysis || !table || this.editing) return null
    return analysis.turn === (this.turn ?? table.history.length) ? analysis : null
  }

  /** Whether plays are shown: not to a person who wants to find one. */
  get showsPlays(): boolean {
    return this.hints || this.turn !== null || this.game.table?.stage === 'computer'
  }

  get candidates(): readonly GameCandidate[] {
    return this.showsPlays ? (this.analysis?.candidates ?? []) : []
  }

  /** The ID of the position that is shown, which may be an earlier one. */
  shownId(table: GameTable): string {
    return (this.turn === null ? undefined : table.history[this.turn]?.id) ?? table.id
  }

  /** Starts a new game between the same players. */
  newGame(): void {
    const seats = this.#seats()
    if (!seats) return
    this.begin()
    void this.game.ask({ kind: 'new_game', seats, first: null })
  }

  /** Seats another player; the game goes on. */
  async sit(seat: 0 | 1, player: GamePlayer): Promise<void> {
    const now = this.#seats()
    if (!now) return
    this.game.chosen = this.lab.run
    const seats: Seats = seat === 0 ? [player, now[1]] : [now[0], player]
    this.#asked = { run: this.lab.run, seats }
    if (!(await this.game.ask({ kind: 'set_seats', seats }))) this.#asked = null
  }

  /** Whether there is a present decision to analyze. */
  canAnalyze(table: GameTable): boolean {
    return this.turn === null && (table.stage === 'person' || table.stage === 'computer')
  }

  /** Begins the search of the present decision anew. */
  analyzeAgain(): void {
    void this.game.ask({ kind: 'analyze_again' })
  }

  /** Searches the present decision, and later ones, with more simulations. */
  thinkDeeper(largest: number): void {
    const { table } = this.game
    const further = table && deeper(table, largest)
    if (further) this.analyze(withSimulations(table.analyst, further))
  }

  /** Chooses the player that analyses a person's decisions. */
  analyze(analyst: GamePlayer): void {
    const { table } = this.game
    if (!table) return
    this.game.chosen = this.lab.run
    void this.game.ask({ kind: 'set_analysis', analyst, speed: table.analysis_speed })
  }

  /** The players at the table, including those who have only been asked to sit down. */
  #seats(): Seats | null {
    const seats = untrack(() => this.game.table?.seats)
    const asked = this.#asked
    if (asked && (asked.run !== this.lab.run || JSON.stringify(asked.seats) === JSON.stringify(seats)))
      this.#asked = null
    return this.#asked?.seats ?? seats ?? null
  }
}

export const [usePlay, playOf] = partOf((lab) => new Play(lab, gameOf(lab)))
