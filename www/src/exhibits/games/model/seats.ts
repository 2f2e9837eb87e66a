/** Seats of the players and available actions. */
import type { GamePlayer, GameTable } from '../../../engine/page/session'
import { searches, simulationsOf } from './players'

export const isPerson = (player: GamePlayer): boolean => player.kind === 'person'

/** Returns whether a human player is seated. */
export function personPlays(table: GameTable): boolean {
  return table.seats.some(isPerson)
}

/** Returns the seat of the human player's opponent; the seat above without a human player, or with two. */
export function opponentSeat({ seats: [below, above] }: Pick<GameTable, 'seats'>): 0 | 1 {
  return isPerson(above) && !isPerson(below) ? 0 : 1
}

/** Returns whether the human player has to roll now. */
export function asksToRoll(table: GameTable): boolean {
  return (
    table.stage === 'roll' && table.dice_mode === 'ask' && isPerson(table.seats[table.seat === 1 ? 1 : 0])
  )
}

/**
 * Returns the seat that can resign: the human one, or the seat to move of two human players; null without a
 * human player.
 */
export function resigner(table: GameTable): 0 | 1 | null {
  const persons = ([0, 1] as const).filter((seat) => isPerson(table.seats[seat]))
  return persons.length === 2 ? (table.seat === 1 ? 1 : 0) : (persons[0] ?? null)
}

/** Returns the next larger number of simulations for the analysis; null at the maximum. */
export function deeper(table: GameTable, largest: number): number | null {
  const now = simulationsOf(table.analyst) ?? 0
  return searches(largest).find((count) => count > now) ?? null
}
