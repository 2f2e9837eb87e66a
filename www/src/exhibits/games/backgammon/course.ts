/** What to show, one after another, to come from what is shown to what is on the table. */
import type { GameMove, GameTable } from '../../../engine/page/session'
import { BAR, moved, other, played, same, type Checkers, type Seat } from '../model/checkers'

export interface Shown {
  checkers: Checkers
  /** As the dice fell. */
  dice: readonly [number, number] | null
  /** Those that have not been played. */
  left: readonly number[]
  /** Whose turn it is. */
  seat: Seat
  /** Of the roll: another text is another one. Empty where none is shown. */
  roll: string
}

export interface Step extends Shown {
  /** For how long nothing else is shown, in milliseconds. */
  hold: number
}

/** Where the last course ended. */
export interface Place {
  game: number
  /** Turns of its history. */
  turns: number
  /** Before the turn under way. */
  base: Checkers
  shown: Shown
}

export const rollTime = 750
export const moveTime = 340

/** More turns than these at once are not followed. */
const longest = 3

/** The checkers on a table; null where another game is played. */
export function checkersOf(table: GameTable): Checkers | null {
  return table.board.kind === 'backgammon' ? table.board.checkers : null
}

const seatOf = (seat: number): Seat => (seat === 1 ? 1 : 0)

/** The checkers before these moves of a player. */
export function unplayed(checkers: Checkers, seat: Seat, moves: readonly GameMove[]): Checkers {
  return moves.reduceRight((after, { from, to, hits }) => {
    const back = moved(after, seat, to, from)
    return hits ? moved(back, other(seat), BAR, 25 - to) : back
  }, checkers)
}

/** The checkers before a turn of the history, counted from 0. */
export function before(table: GameTable, checkers: Checkers, turn: number): Checkers {
  const now = unplayed(checkers, seatOf(table.seat), table.moves)
  return table.history
    .slice(turn)
    .reduceRight((at, { seat, moves }) => unplayed(at, seatOf(seat), moves), now)
}

/** What is left of the dice after a move: of a checker that is borne off, the highest die may say more than is needed. */
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

/** What the table says now. */
export function final(table: GameTable, checkers: Checkers): Shown {
  return {
    checkers,
    dice: table.dice,
    // A computer plays its dice all at once.
    left: table.stage === 'computer' && table.dice ? allDice(table.dice) : table.dice_left,
    seat: seatOf(table.seat),
    roll: rollKey(table.game, table.history.length, table.dice),
  }
}

/** The steps, the last of which is the table as it is. */
export function course(from: Place | null, table: GameTable, checkers: Checkers): Step[] {
  const end: Step = { ...final(table, checkers), hold: 0 }
  const turns = table.history.length
  if (!from || from.game !== table.game || turns < from.turns || turns > from.turns + longest) return [end]
  // Two computers that play at once are not followed move by move.
  if (table.pace === 0 && !table.seats.some(({ kind }) => kind === 'person')) return [end]
  const steps: Step[] = []
  let base = from.base
  let shown: Shown = from.shown
  for (const [i, turn] of table.history.slice(from.turns).entries()) {
    const seat = seatOf(turn.seat)
    const after = turn.moves.reduce((at, { from, to }) => played(at, seat, from, to), base)
    // A person has seen the own moves already, and the own roll where no move is possible.
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

/** Where a course to this table ends. */
export function placeAfter(table: GameTable, checkers: Checkers): Place {
  const base = unplayed(checkers, seatOf(table.seat), table.moves)
  return { game: table.game, turns: table.history.length, base, shown: final(table, checkers) }
}
