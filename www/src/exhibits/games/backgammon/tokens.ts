/** Checkers that stay themselves while positions change, so that what moves can be seen to move. */
import { CHECKERS, PLACES, seats, slotOf, type Checkers, type Seat, type Slot } from '../model/checkers'

export interface Token {
  /** 0 to 29, the same for the life of a board. */
  id: number
  seat: Seat
  slot: Slot
  /** Its place in the stack, counted from the rim. */
  level: number
  /** How many the stack has. */
  count: number
  place: number
}

/** The tokens of a position, none of which has been anywhere before. */
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
 * The same tokens in another position. As few as can be leave their places: of each stack the uppermost, the rearmost
 * going to the rearmost of the places that want one.
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

/** Tokens on their stacks, in the order in which they are given; in the order of their numbers afterwards. */
function stacked(seat: Seat, tokens: readonly { id: number; place: number }[]): Token[] {
  const counts = Array<number>(PLACES).fill(0)
  const placed = tokens.map(({ id, place }) => ({ id, place, level: counts[place]!++ }))
  return placed
    .map((token) => ({ ...token, seat, slot: slotOf(seat, token.place), count: counts[token.place]! }))
    .sort((a, b) => a.id - b.id)
}
