/** Legal plays of a roll in backgammon. */
import type { GameMove } from '../../../engine/page/session'
import { BAR, OFF, other, played, type Checkers, type Seat } from './checkers'

export type Roll = readonly [number, number]

/** Move of a checker by one die, in the numbering of the player who moves. */
export interface DieMove extends GameMove {
  die: number
}

/** Complete play of a roll: moves in a legal order, and the position after them. */
export interface LegalPlay {
  moves: readonly DieMove[]
  after: Checkers
}

/** Returns the dice that a roll has: four of a double. */
export const diceOf = ([a, b]: Roll): number[] => (a === b ? [a, a, a, a] : [a, b])

/** Returns whether all checkers of a player are in the home board or borne off. */
export const isHome = (checkers: Checkers, seat: Seat): boolean =>
  checkers[seat].every((count, place) => count === 0 || place <= 6)

/** Returns whether the opponent blocks a place, in the numbering of `seat`. */
export const isBlocked = (checkers: Checkers, seat: Seat, place: number): boolean =>
  place !== OFF && checkers[other(seat)][25 - place]! >= 2

/** Returns the move of a checker by a die; null if it is not legal, regardless of the other dice. */
function moveOf(checkers: Checkers, seat: Seat, from: number, die: number): DieMove | null {
  const own = checkers[seat]
  if (own[from] === 0 || (own[BAR]! > 0 && from !== BAR)) return null
  const to = Math.max(OFF, from - die)
  if (to === OFF) {
    if (!isHome(checkers, seat)) return null
    const isHighest = own.every((count, place) => count === 0 || place <= from)
    return from === die || isHighest ? { from, to, hits: false, die } : null
  }
  if (isBlocked(checkers, seat, to)) return null
  return { from, to, hits: checkers[other(seat)][25 - to] === 1, die }
}

/** Returns all sequences of moves by dice in this order, until no further move is legal. */
function sequences(checkers: Checkers, seat: Seat, [die, ...rest]: readonly number[]): LegalPlay[] {
  const found: LegalPlay[] = []
  for (let from = BAR; from > OFF && die !== undefined; from--) {
    const move = moveOf(checkers, seat, from, die)
    if (!move) continue
    for (const { moves, after } of sequences(played(checkers, seat, from, move.to), seat, rest))
      found.push({ moves: [move, ...moves], after })
  }
  return found.length > 0 ? found : [{ moves: [], after: checkers }]
}

/** Returns the key of moves regardless of their order. */
export const movesKey = (moves: readonly Pick<GameMove, 'from' | 'to'>[]): string =>
  moves
    .map(({ from, to }) => `${from}/${to}`)
    .sort()
    .join(' ')

/**
 * Returns the legal plays of a roll in each order of their moves. A player uses as many dice as possible and, if only one of both, the
 * higher one. Without a legal move, the result is one play without moves.
 */
export function orderedPlays(checkers: Checkers, seat: Seat, roll: Roll): LegalPlay[] {
  const [high, low] = [Math.max(...roll), Math.min(...roll)]
  if (high === low) return longest(sequences(checkers, seat, diceOf(roll)))
  const plays = longest(
    [
      [high, low],
      [low, high],
    ].flatMap((dice) => sequences(checkers, seat, dice)),
  )
  const byHigh = plays.filter(({ moves }) => moves.length === 1 && moves[0]!.die === high)
  return byHigh.length > 0 ? byHigh : plays
}

/** Returns the plays that use most dice; one of them if they use none. */
function longest(plays: readonly LegalPlay[]): LegalPlay[] {
  const most = Math.max(...plays.map(({ moves }) => moves.length))
  return most === 0 ? plays.slice(0, 1) : plays.filter(({ moves }) => moves.length === most)
}

/** Returns the legal plays as {@link orderedPlays}, one for each set of moves. */
export function legalPlays(checkers: Checkers, seat: Seat, roll: Roll): LegalPlay[] {
  const distinct = new Map<string, LegalPlay>()
  for (const play of orderedPlays(checkers, seat, roll)) {
    const key = movesKey(play.moves)
    if (!distinct.has(key)) distinct.set(key, play)
  }
  return [...distinct.values()]
}
