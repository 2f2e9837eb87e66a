/** Who sits at the table, and what they may do. */
import type { GamePlayer, GameTable } from '../../../engine/page/session'
import { searches, simulationsOf } from './players'

export const isPerson = (player: GamePlayer): boolean => player.kind === 'person'

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

/** The seat that may resign: a person's, of two persons the one whose turn it is; null where only computers play. */
export function resigner(table: GameTable): 0 | 1 | null {
  const persons = ([0, 1] as const).filter((seat) => isPerson(table.seats[seat]))
  return persons.length === 2 ? (table.seat === 1 ? 1 : 0) : (persons[0] ?? null)
}

/** The next larger number of simulations for the analysis; null where it is the largest already. */
export function deeper(table: GameTable, largest: number): number | null {
  const now = simulationsOf(table.analyst) ?? 0
  return searches(largest).find((count) => count > now) ?? null
}
