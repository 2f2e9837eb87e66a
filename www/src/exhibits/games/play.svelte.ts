/** What a person does at the table besides playing: asks for hints, looks back, points at plays, puts a position together. */
import { untrack } from 'svelte'
import type { GameAnalysis, GameCandidate, GamePlayer, GameTable } from '../../session'
import type { Checkers } from './backgammon/checkers'
import { lab } from '../../state/lab.svelte'
import { searches, simulationsOf, withSimulations } from './players'
import { game } from './table.svelte'

class Play {
  /** Whether the plays that the network would choose from are shown before a person has played. */
  hints = $state(false)
  /** The turn of the history that is looked at; null: the present one. */
  turn = $state<number | null>(null)
  /** The candidate that is pointed at. */
  pointed = $state<number | null>(null)
  /** A position that is being put together. */
  editing = $state.raw<Checkers | null>(null)

  /** Another game: what was looked at or put together is gone. */
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

  /** The analysis of what is looked at, as far as it has come. */
  get analysis(): GameAnalysis | null {
    const { analysis, table } = game
    if (!analysis || !table) return null
    return analysis.turn === (this.turn ?? table.history.length) ? analysis : null
  }

  /** Whether plays are shown: not to a person who wants to find one. */
  get tells(): boolean {
    return this.hints || this.turn !== null || game.table?.stage === 'computer'
  }

  get candidates(): readonly GameCandidate[] {
    return this.tells ? (this.analysis?.candidates ?? []) : []
  }
}

export const play = new Play()

export const isPerson = (player: GamePlayer): boolean => player.kind === 'person'

/** The ID of the position that is shown, which may be an earlier one. */
export const shownId = (table: GameTable): string =>
  (play.turn === null ? undefined : table.history[play.turn]?.id) ?? table.id

/** Whether a person sits at the table. */
export function personPlays(table: GameTable): boolean {
  return table.seats.some(isPerson)
}

/** Whether a person is to roll the dice now; those of a computer roll by themselves. */
export function asksToRoll(table: GameTable): boolean {
  return (
    table.stage === 'roll' && table.dice_mode === 'ask' && isPerson(table.seats[table.seat === 1 ? 1 : 0])
  )
}

type Seats = [GamePlayer, GamePlayer]

/** Who was asked to sit down, until the table shows them; of which run. */
let asked: { run: number; seats: Seats } | null = null

/** Who sits at the table, those among them who have only been asked to. */
function seatsNow(): Seats | null {
  const seats = untrack(() => game.table?.seats)
  if (asked && (asked.run !== lab.run || JSON.stringify(asked.seats) === JSON.stringify(seats))) asked = null
  return asked?.seats ?? seats ?? null
}

/** A new game; whoever sits there stays. */
export function newGame(): void {
  const seats = seatsNow()
  if (!seats) return
  play.begin()
  void game.ask({ kind: 'new_game', seats, first: null })
}

/** Another player for a seat; the game goes on. */
export async function sit(seat: 0 | 1, player: GamePlayer): Promise<void> {
  const now = seatsNow()
  if (!now) return
  game.chosen = lab.run
  const seats: Seats = seat === 0 ? [player, now[1]] : [now[0], player]
  asked = { run: lab.run, seats }
  if (!(await game.ask({ kind: 'set_seats', seats }))) asked = null
}

/** The seat that may give the game up: a person's, of two persons the one whose turn it is; null where only computers play. */
export function resigner(table: GameTable): 0 | 1 | null {
  const persons = ([0, 1] as const).filter((seat) => isPerson(table.seats[seat]))
  return persons.length === 2 ? (table.seat === 1 ? 1 : 0) : (persons[0] ?? null)
}

/** Whether there is a present decision to think about. */
export function canAnalyse(table: GameTable): boolean {
  return play.turn === null && (table.stage === 'person' || table.stage === 'computer')
}

/** Begins the search of the present decision anew. */
export function analyseAgain(): void {
  void game.ask({ kind: 'analyse_again' })
}

/** The next larger number of simulations for the analysis; null where it is the largest already. */
export function deeper(table: GameTable, largest: number): number | null {
  const now = simulationsOf(table.analyst) ?? 0
  return searches(largest).find((count) => count > now) ?? null
}

/** Has the search of the present decision go on for longer, and those of later ones. */
export function thinkDeeper(largest: number): void {
  const { table } = game
  const further = table && deeper(table, largest)
  if (further) analyse(withSimulations(table.analyst, further))
}

/** Who looks at a person's decisions. */
export function analyse(analyst: GamePlayer): void {
  const table = game.table
  if (!table) return
  game.chosen = lab.run
  void game.ask({ kind: 'set_analysis', analyst, speed: table.analysis_speed })
}
