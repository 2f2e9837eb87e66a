/** Positions of backgammon. */
import type { GameMove, GameTable } from '../../../engine/page/session'

/** Index of checkers that are borne off. */
export const OFF = 0
/** Index of checkers on the bar. */
export const BAR = 25
/** Number of indices: borne off (0), points 1 to 24, bar (25). */
export const PLACES = 26
/** Number of checkers of one player. */
export const CHECKERS = 15

/** Seat: 0 is below, 1 above. */
export type Seat = 0 | 1

/** Number of a player's checkers at each index, [26], in the numbering of that player. */
export type Side = readonly number[]

/** Position: checkers of seat 0 and seat 1, each in the numbering of that player. */
export type Checkers = readonly [Side, Side]

export const seats: readonly Seat[] = [0, 1]

/** Returns a seat of the protocol, which is 0 or 1, as a seat. */
export const seatOf = (seat: number): Seat => (seat === 1 ? 1 : 0)

export function other(seat: Seat): Seat {
  return seat === 0 ? 1 : 0
}

function side(counts: Readonly<Record<number, number>>): Side {
  return Array.from({ length: PLACES }, (_, place) => counts[place] ?? 0)
}

const first = side({ 24: 2, 13: 5, 8: 3, 6: 5 })

/** Starting position of backgammon. */
export const start: Checkers = [first, first]

/** All checkers off the board, for position setup. */
export const cleared: Checkers = [side({ [OFF]: CHECKERS }), side({ [OFF]: CHECKERS })]

/** Returns the pip count; a checker on the bar counts 25. */
export function pips(side: Side): number {
  return side.reduce((sum, count, place) => sum + count * place, 0)
}

/** Returns the pips of a side with their unit. */
export function pipsText(side: Side): string {
  const count = pips(side)
  return count === 1 ? '1 pip' : `${count} pips`
}

/**
 * Location on the board, the same for both players: a point in the numbering of seat 0, or a player's bar or tray.
 */
export type Slot = number

const theirBar = 26
const theirOff = 27

/** All slots of the board. */
export const slots: readonly Slot[] = Array.from({ length: 28 }, (_, slot) => slot)

export function slotOf(seat: Seat, place: number): Slot {
  if (seat === 0) return place
  return place === BAR ? theirBar : place === OFF ? theirOff : 25 - place
}

/** Returns the index of a slot in the numbering of a player; null for the other player's bar or tray. */
export function placeOf(seat: Seat, slot: Slot): number | null {
  if (slot >= 1 && slot <= 24) return seat === 0 ? slot : 25 - slot
  if (slot === BAR || slot === theirBar) return (slot === BAR) === (seat === 0) ? BAR : null
  return (slot === OFF) === (seat === 0) ? OFF : null
}

/** Returns the owner and the number of the checkers in a slot; null for an empty slot. */
export function held(checkers: Checkers, slot: Slot): { seat: Seat; count: number } | null {
  for (const seat of seats) {
    const place = placeOf(seat, slot)
    const count = place === null ? 0 : checkers[seat][place]!
    if (count > 0) return { seat, count }
  }
  return null
}

/** Returns the position after moving one checker, without a hit. */
export function moved(checkers: Checkers, seat: Seat, from: number, to: number): Checkers {
  const counts = [...checkers[seat]]
  counts[from]!--
  counts[to]!++
  return seat === 0 ? [counts, checkers[1]] : [checkers[0], counts]
}

/** Returns the position after a move by one die, including a hit. */
export function played(checkers: Checkers, seat: Seat, from: number, to: number): Checkers {
  const after = moved(checkers, seat, from, to)
  const blot = to >= 1 && to <= 24 && checkers[other(seat)][25 - to] === 1
  return blot ? moved(after, other(seat), 25 - to, BAR) : after
}

/** Returns the position of a game; null for games other than backgammon. */
export function checkersOf(table: GameTable): Checkers | null {
  return table.board.kind === 'backgammon' ? table.board.checkers : null
}

/** Returns the position before the given moves. */
export function unplayed(checkers: Checkers, seat: Seat, moves: readonly GameMove[]): Checkers {
  return moves.reduceRight((after, { from, to, hits }) => {
    const back = moved(after, seat, to, from)
    return hits ? moved(back, other(seat), BAR, 25 - to) : back
  }, checkers)
}

/** Returns whether a checker can be placed during position setup: on any point without opposing checkers. */
export function free(checkers: Checkers, seat: Seat, place: number): boolean {
  return place === OFF || place === BAR || checkers[other(seat)][25 - place] === 0
}

export function same(a: Checkers, b: Checkers): boolean {
  return seats.every((seat) => a[seat].every((count, place) => count === b[seat][place]))
}

/** Returns the number of the point in a slot, from the side of a seat. */
export const pointNumber = (slot: Slot, seat: Seat): number => (seat === 0 ? slot : 25 - slot)

/** Returns the name of a slot, from the side of a seat. */
export function slotName(slot: Slot, seat: Seat): string {
  const whose = (owner: Seat): string => (owner === seat ? 'your' : 'the other')
  if (slot === BAR || slot === theirBar) return `${whose(slot === BAR ? 0 : 1)} bar`
  if (slot === OFF || slot === theirOff) return `${whose(slot === OFF ? 0 : 1)} tray`
  return `point ${pointNumber(slot, seat)}`
}
