/** Where the checkers of a game of backgammon are. */

/** The place of checkers that were borne off. */
export const OFF = 0
/** The place of checkers that were hit. */
export const BAR = 25
/** Where a checker can be: off, on one of the points 1 to 24, on the bar. */
export const PLACES = 26
/** Checkers of one player. */
export const CHECKERS = 15

/** Which of the two players: 0 sits below, 1 above. */
export type Seat = 0 | 1

/** Checkers of one player at each place, as that player counts points. */
export type Side = readonly number[]

/** Both players' checkers, those of seat 0 first; each seen by its own player. */
export type Checkers = readonly [Side, Side]

export const seats: readonly Seat[] = [0, 1]

export function other(seat: Seat): Seat {
  return seat === 0 ? 1 : 0
}

function side(counts: Readonly<Record<number, number>>): Side {
  return Array.from({ length: PLACES }, (_, place) => counts[place] ?? 0)
}

const first = side({ 24: 2, 13: 5, 8: 3, 6: 5 })

/** The position in which a game begins. */
export const start: Checkers = [first, first]

/** No checker on the board, for a position to be put together. */
export const cleared: Checkers = [side({ [OFF]: CHECKERS }), side({ [OFF]: CHECKERS })]

/** How many pips the checkers are from being borne off, a checker on the bar being 25 away. */
export function pips(side: Side): number {
  return side.reduce((sum, count, place) => sum + count * place, 0)
}

/**
 * A place on the board whoever's it is: the points as seat 0 counts them, and a bar and a tray for each player.
 */
export type Slot = number

const theirBar = 26
const theirOff = 27

/** Every slot there is. */
export const slots: readonly Slot[] = Array.from({ length: 28 }, (_, slot) => slot)

export function slotOf(seat: Seat, place: number): Slot {
  if (seat === 0) return place
  return place === BAR ? theirBar : place === OFF ? theirOff : 25 - place
}

/** The place that a slot is to a player; null where it is the other one's bar or tray. */
export function placeOf(seat: Seat, slot: Slot): number | null {
  if (slot >= 1 && slot <= 24) return seat === 0 ? slot : 25 - slot
  if (slot === BAR || slot === theirBar) return (slot === BAR) === (seat === 0) ? BAR : null
  return (slot === OFF) === (seat === 0) ? OFF : null
}

/** Who has checkers in a slot, and how many. */
export function held(checkers: Checkers, slot: Slot): { seat: Seat; count: number } | null {
  for (const seat of seats) {
    const place = placeOf(seat, slot)
    const count = place === null ? 0 : checkers[seat][place]!
    if (count > 0) return { seat, count }
  }
  return null
}

/** The checkers with one of a player's moved from a place to another. */
export function moved(checkers: Checkers, seat: Seat, from: number, to: number): Checkers {
  const counts = [...checkers[seat]]
  counts[from]!--
  counts[to]!++
  return seat === 0 ? [counts, checkers[1]] : [checkers[0], counts]
}

/** A move by one die, with what it hits. */
export function played(checkers: Checkers, seat: Seat, from: number, to: number): Checkers {
  const after = moved(checkers, seat, from, to)
  const blot = to >= 1 && to <= 24 && checkers[other(seat)][25 - to] === 1
  return blot ? moved(after, other(seat), 25 - to, BAR) : after
}

/** Where a checker may be put while a position is put together: anywhere but where the other player's are. */
export function free(checkers: Checkers, seat: Seat, place: number): boolean {
  return place === OFF || place === BAR || checkers[other(seat)][25 - place] === 0
}

export function same(a: Checkers, b: Checkers): boolean {
  return seats.every((seat) => a[seat].every((count, place) => count === b[seat][place]))
}

/** What a slot is called, as seat 0 counts. */
export function slotName(slot: Slot): string {
  if (slot === BAR) return 'your bar'
  if (slot === theirBar) return 'the other bar'
  if (slot === OFF) return 'your tray'
  return slot === theirOff ? 'the other tray' : `point ${slot}`
}
