/** Seats of the players and available actions. */
import type { DoublingReport, GamePlayer, GameTable, PlayerChoice } from '../../../engine/page/session'
import { keyOf, playerName, searches, simulationsOf, withoutSearch } from './players'
import { seatOf } from './checkers'

export const isPerson = (player: GamePlayer): boolean => player.kind === 'person'

/** Returns whether a human player is seated. */
export function personPlays(table: GameTable): boolean {
  return table.seats.some(isPerson)
}

/**
 * Returns whether a human player plays: a match or money session from its start to its end, or a game without the doubling cube
 * from the first turn of the human player.
 */
export function playsMatch({ seats, doubling, history, stage }: GameTable): boolean {
  if (!seats.some(isPerson)) return false
  if (doubling) return doubling.match_winner === null
  return stage !== 'over' && history.some(({ seat }) => isPerson(seats[seatOf(seat)]))
}

/** Returns whether a human player is busy with the table: during a game that has begun, and during a match also between its games. */
export const isInGame = (table: GameTable): boolean =>
  playsMatch(table) || (table.stage !== 'over' && table.history.length > 0 && personPlays(table))

/** Returns the seat of the human player's opponent; the seat above without a human player, or with two. */
export function opponentSeat({ seats: [below, above] }: Pick<GameTable, 'seats'>): 0 | 1 {
  return isPerson(above) && !isPerson(below) ? 0 : 1
}

/** Returns whether exactly one human player plays, the visitor. */
const hasOpponent = ({ seats }: Pick<GameTable, 'seats'>): boolean => seats.filter(isPerson).length === 1

/** Returns the label of the players of a match: the opponent of the visitor if exactly one human player plays. */
export function opponentText(table: Pick<GameTable, 'seats'>, names: readonly [string, string]): string {
  return hasOpponent(table) ? `Your opponent: ${names[opponentSeat(table)]}` : 'Players'
}

/**
 * Returns which network analyzes the game if the visitor could take this network for the opponent; null if it is the opponent, or
 * without a visitor.
 */
export function analystNote(
  table: Pick<GameTable, 'seats' | 'analyst'>,
  choices: readonly PlayerChoice[],
): string | null {
  const { analyst, seats } = table
  if (!hasOpponent(table) || keyOf(analyst) === keyOf(seats[opponentSeat(table)])) return null
  return `Analysis by “${withoutSearch(playerName(analyst, choices))}”, which is not your opponent.`
}

const onRoll = ({ seats, seat }: GameTable): GamePlayer => seats[seatOf(seat)]

/** Returns whether the human player has to roll now. Automatic rolls wait for the decision to double. */
export function asksToRoll(table: GameTable): boolean {
  const { stage, dice_mode } = table
  const asks = dice_mode === 'ask' || (dice_mode === 'roll' && mayDouble(table))
  return stage === 'roll' && asks && isPerson(onRoll(table))
}

/** Returns whether the human player may double now. */
export function mayDouble(table: GameTable): boolean {
  return (table.doubling?.can_double ?? false) && isPerson(onRoll(table))
}

/** Returns whether the human player has to take or pass a double now. */
export function answersDouble({ stage, seats, seat }: GameTable): boolean {
  return stage === 'doubled' && isPerson(seats[seat === 1 ? 0 : 1])
}

/** Returns the evaluated doubling decision of a human player, or of a computer that waits in an entered position; null without one. */
export function pendingDecision({ doubling, seats, waits }: GameTable): DoublingReport | null {
  const pending = doubling?.pending
  return pending && (waits || isPerson(seats[seatOf(pending.seat)])) ? pending : null
}

/** Returns whether a doubling decision is due that can be analyzed: of a human player, or of a computer that waits. */
export const analyzesDoubling = (table: GameTable): boolean =>
  decidesDoubling(table) || (table.waits && pendingDecision(table) !== null)

/** Returns whether a human player has a play or a doubling decision to make now. */
export const decides = (table: GameTable): boolean => table.stage === 'person' || decidesDoubling(table)

/** Returns whether a human player has to double or roll, or to take or pass, now. */
export const decidesDoubling = (table: GameTable): boolean =>
  answersDouble(table) || (table.stage === 'roll' && mayDouble(table))

/** Returns the seat of the human player, of two human players the seat `onRoll`; null without a human player. */
export function personSeat({ seats }: Pick<GameTable, 'seats'>, onRoll: 0 | 1): 0 | 1 | null {
  const persons = ([0, 1] as const).filter((seat) => isPerson(seats[seat]))
  return persons.length === 2 ? onRoll : (persons[0] ?? null)
}

/** Returns the seat that can resign; null without a human player. */
export const resigner = (table: GameTable): 0 | 1 | null => personSeat(table, seatOf(table.seat))

/** Returns the reason why nothing can be taken back; null if a turn or a double of a human player can. */
export function takeBackProblem({ board, doubling, history, seats }: GameTable): string | null {
  if (doubling?.can_take_back || history.some(({ seat }) => isPerson(seats[seatOf(seat)]))) return null
  const rolls = board.kind === 'backgammon' ? ', and rolls are final' : ''
  return `Nothing to take back: you have not played a turn${rolls}`
}

/** Returns the next larger number of simulations for the analysis; null at the maximum. */
export function deeper(table: GameTable, largest: number): number | null {
  const now = simulationsOf(table.analyst) ?? 0
  return searches(largest).find((count) => count > now) ?? null
}
