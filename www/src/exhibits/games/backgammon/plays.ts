/** Plays as they are drawn on the board. */
import { BAR, OFF, slotOf, type Seat, type Slot } from '../model/checkers'

/** One checker's way by one die, or by several: from a place to another, as its player counts. */
export type Way = readonly [from: number, to: number]

/** A play to draw. */
export interface ShownPlay {
  key: string
  seat: Seat
  /** Where checkers go, one arrow each. */
  ways: readonly (readonly [from: Slot, to: Slot])[]
  /** 0 to 1: how much it matters beside the others. */
  weight: number
  best: boolean
}

/** Moves by one die each, put together: a checker that moves on from where another move ended goes one way. */
export function joined(moves: readonly Way[]): Way[] {
  const ways: [number, number][] = []
  for (const [from, to] of moves) {
    const before = ways.find((way) => way[1] === from && from !== OFF)
    if (before) before[1] = to
    else ways.push([from, to])
  }
  return ways
}

/** Ways as seat 0's slots. */
export function onBoard(seat: Seat, ways: readonly Way[]): [Slot, Slot][] {
  return ways.map(([from, to]) => [slotOf(seat, from), slotOf(seat, to)])
}

const name = (place: number): string => (place === BAR ? 'bar' : place === OFF ? 'off' : String(place))

/** A checker's way in writing, such as `bar/20`. */
export function written([from, to]: Way): string {
  return `${name(from)}/${name(to)}`
}
