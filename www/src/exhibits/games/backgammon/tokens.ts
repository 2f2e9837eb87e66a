/** Checkers with IDs that persist across positions, so that moves can be animated. */
import { CHECKERS, PLACES, seats, slotOf, type Checkers, type Seat, type Slot } from '../model/checkers'

export interface Token {
  /** Identifier from 0 to 29, constant for a board. */
  id: number
  seat: Seat
  slot: Slot
  /** Index in the stack, from 0 at the rim. */
  level: number
  /** Number of checkers in the stack. */
  count: number
  place: number
}

/** Creates the tokens of a first position. */
export function fresh(checkers: Checkers): Token[] {
  return seats.flatMap((seat) => {
    const places = checkers[seat].flatMap((count, place) => Array<number>(count).fill(place))
    return stacked(
      seat,
      places.map((place, i) => ({ id: seat * CHECKERS + i, place })),
    )
  })
}

/**
 * Moves the tokens to another position with the fewest movements. The top checkers of a stack leave it; the rearmost
 * checker moves to the rearmost free point.
 */
export function settle(tokens: readonly Token[], checkers: Checkers): Token[] {
  return seats.flatMap((seat) => {
    const mine = tokens.filter((token) => token.seat === seat)
    const stay: { id: number; place: number; level: number }[] = []
    const leave: { id: number; place: number }[] = []
    const lacking: number[] = []
    for (let place = PLACES - 1; place >= 0; place--) {
      const here = mine.filter((token) => token.place === place).sort((a, b) => a.level - b.level)
      const wanted = checkers[seat][place]!
      stay.push(...here.slice(0, wanted))
      leave.push(...here.slice(wanted))
      for (let i = here.length; i < wanted; i++) lacking.push(place)
    }
    const come = leave.map(({ id }, i) => ({ id, place: lacking[i]!, level: Infinity }))
    return stacked(
      seat,
      [...stay, ...come].sort((a, b) => a.level - b.level),
    )
  })
}

/** Stacks tokens in the given order and sorts them by identifier. */
function stacked(seat: Seat, tokens: readonly { id: number; place: number }[]): Token[] {
  const counts = Array<number>(PLACES).fill(0)
  const placed = tokens.map(({ id, place }) => ({ id, place, level: counts[place]!++ }))
  return placed
    .map((token) => ({ ...token, seat, slot: slotOf(seat, token.place), count: counts[token.place]! }))
    .sort((a, b) => a.id - b.id)
}
