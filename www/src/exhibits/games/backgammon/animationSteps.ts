/** Animation steps from the displayed board to the current state of the game. */
import type { GameMove, GameTable } from '../../../engine/page/session'
import { seatOf, played, same, unplayed, type Checkers, type Seat } from '../model/checkers'

export interface BoardSnapshot {
  checkers: Checkers
  /** Dice in the order of the roll. */
  dice: readonly [number, number] | null
  /** Dice that have not been played. */
  left: readonly number[]
  /** Seat to move. */
  seat: Seat
  /** ID of the roll; empty without a roll. */
  roll: string
}

export interface AnimationStep extends BoardSnapshot {
  /** Duration of the step in milliseconds. */
  hold: number
}

/** State of the game at the end of the last animation. */
export interface AnimatedState {
  game: number
  /** Number of turns in the history. */
  turns: number
  /** Position before the current turn. */
  base: Checkers
  shown: BoardSnapshot
}

export const rollTime = 750
export const moveTime = 340

/** Maximum number of turns to animate at once. */
const longest = 3

/** Returns the position before a turn of the history, by its index from 0. */
export function before(table: GameTable, checkers: Checkers, turn: number): Checkers {
  const now = unplayed(checkers, seatOf(table.seat), table.moves)
  return table.history
    .slice(turn)
    .reduceRight((at, { seat, moves }) => unplayed(at, seatOf(seat), moves), now)
}

/** Returns the remaining dice after a move. Bearing off may use a higher die than needed. */
export function spent(left: readonly number[], { from, to }: GameMove): number[] {
  const exact = left.indexOf(from - to)
  const at = exact >= 0 ? exact : left.indexOf(Math.max(...left))
  return left.filter((_, i) => i !== at)
}

function allDice([a, b]: readonly [number, number]): number[] {
  return a === b ? [a, a, a, a] : [a, b]
}

const rollKey = (game: number, turn: number, dice: readonly [number, number] | null): string =>
  dice ? `${game}/${turn}/${dice.join('-')}` : ''

/** Returns the board for the current state of the game. */
export function final(table: GameTable, checkers: Checkers): BoardSnapshot {
  return {
    checkers,
    dice: table.dice,
    // A computer plays all dice at once.
    left: table.stage === 'computer' && table.dice ? allDice(table.dice) : table.dice_left,
    seat: seatOf(table.seat),
    roll: rollKey(table.game, table.history.length, table.dice),
  }
}

/** Returns the animation steps. The last step shows the current state of the game. */
export function animationSteps(
  from: AnimatedState | null,
  table: GameTable,
  checkers: Checkers,
): AnimationStep[] {
  const end: AnimationStep = { ...final(table, checkers), hold: 0 }
  const turns = table.history.length
  if (!from || from.game !== table.game || turns < from.turns || turns > from.turns + longest) return [end]
  // Games between two computer players without a delay between moves are not animated.
  if (table.pace === 0 && !table.seats.some(({ kind }) => kind === 'person')) return [end]
  const steps: AnimationStep[] = []
  let base = from.base
  let shown: BoardSnapshot = from.shown
  for (const [i, turn] of table.history.slice(from.turns).entries()) {
    const seat = seatOf(turn.seat)
    const after = turn.moves.reduce((at, { from, to }) => played(at, seat, from, to), base)
    // Moves of the human player have been shown already, and so has a roll without a legal move.
    const news = turn.moves.length > 0 ? !same(after, shown.checkers) : table.seats[seat].kind !== 'person'
    if (news && turn.dice) {
      const roll = rollKey(table.game, from.turns + i, turn.dice)
      let left = allDice(turn.dice)
      const show = (at: Checkers, hold: number) => {
        shown = { checkers: at, dice: turn.dice, left, seat, roll }
        steps.push({ ...shown, hold })
      }
      if (shown.roll !== roll || !same(shown.checkers, base)) show(base, rollTime)
      let at = base
      for (const move of turn.moves) {
        at = played(at, seat, move.from, move.to)
        left = spent(left, move)
        show(at, moveTime)
      }
    }
    base = after
  }
  return [...steps, end]
}

/** Returns the state after the animation. */
export function stateAfter(table: GameTable, checkers: Checkers): AnimatedState {
  const base = unplayed(checkers, seatOf(table.seat), table.moves)
  return { game: table.game, turns: table.history.length, base, shown: final(table, checkers) }
}
