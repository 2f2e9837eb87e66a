/** Status of the game in one sentence. */
import type { GameAnalysis, GameTable, GameTurn } from '../../../engine/page/session'
import type { PastPosition } from './playedMatch'
import { simulationsOf, withoutSearch } from './players'
import { seatOf, type Seat } from './checkers'
import { nextGameLabel, pointsText, withRedouble, type MatchRules, type ShownCube } from './doubling'

/** Name of a win with the given points. */
export const stakes: Record<number, string> = { 1: 'a single game', 2: 'a gammon', 3: 'a backgammon' }

/** Returns whether the seated players have played the finished game. Players seated after the end have no points. */
export function playedHere({ outcome, score }: GameTable): boolean {
  return outcome !== null && (outcome.winner === null || score[seatOf(outcome.winner)] >= outcome.points)
}

/** Returns the names without the simulations, which remain if they tell two players of one kind apart. */
function calledNames(names: readonly [string, string]): readonly [string, string] {
  const [below, above] = [withoutSearch(names[0]), withoutSearch(names[1])]
  return below === above ? names : [below, above]
}

/** Returns the decision of a position, for the caption of its picture. `dice`: the roll; null before the roll. */
export function positionText(
  seat: Seat,
  dice: readonly [number, number] | null,
  cube: ShownCube | null,
  names: readonly [string, string],
): string {
  const name = calledNames(names)[seat]
  if (cube?.offered) return `${name} ${name === 'You' ? 'double' : 'doubles'} to ${cube.value}: take or pass?`
  return dice ? `${name} to play ${dice.join('-')}` : `${name} on roll`
}

/**
 * Returns the direction of four or more stones in a row, by their cells (6 · column + row) in ascending order; empty if they are
 * several rows.
 */
function directionOf(winning: readonly number[]): string {
  const [step, ...others] = new Set(winning.slice(1).map((cell, i) => cell - winning[i]!))
  if (step === undefined || others.length > 0) return ''
  return { 1: ' upward', 6: ' across' }[step] ?? ' diagonally'
}

/** Returns the result of a finished game of Connect Four with its reason. `called`: names of the players. */
function fourResult(
  table: GameTable,
  winner: number,
  how: string,
  called: readonly [string, string],
): string {
  const seat = seatOf(winner)
  // The stones tell apart two people at one board, and players that were seated after the game.
  const isNamed = playedHere(table) && called[0] !== called[1]
  const name = isNamed ? called[seat] : ['The colored stones', 'The other stones'][seat]!
  const verb = name === 'You' || !isNamed ? 'win' : 'wins'
  if (how === 'resigned') return `${name} ${verb}: the other side resigned.`
  const { board } = table
  const winning = board.kind === 'connect_four' ? (board.winning ?? []) : []
  return `${name} ${verb}: ${how}${directionOf([...winning].sort((a, b) => a - b))}.`
}

/** Returns the status. `names` holds the players' names; "You" for a human player. */
export function status(
  table: GameTable,
  analysis: GameAnalysis | null,
  names: readonly [string, string],
): string {
  const called = calledNames(names)
  const name = called[seatOf(table.seat)]
  const you = name === 'You'
  const { outcome } = table
  if (outcome) {
    if (outcome.winner === null) return 'A draw: all columns are full, without four in a row.'
    if (table.board.kind === 'connect_four') return fourResult(table, outcome.winner, outcome.how, called)
    const seat = seatOf(outcome.winner)
    const winner = playedHere(table) ? called[seat] : ['The side below', 'The side above'][seat]
    const verb = winner === 'You' ? 'win' : 'wins'
    const what = stakes[outcome.win] ?? 'a game'
    const resigned = outcome.how === 'resigned'
    if (outcome.how === 'dropped')
      return `${winner} ${verb} ${pointsText(outcome.points)}: the double was passed.`
    const how = resigned ? ', as the other side resigned' : ''
    return `${winner} ${verb} ${what}${how}: ${pointsText(outcome.points)}.`
  }
  const isRedouble = (table.doubling?.owner ?? null) !== null
  const roll = table.dice ? ` ${table.dice.join('-')}` : ''
  switch (table.stage) {
    case 'roll':
      if (table.waits)
        return `${name} to ${table.doubling?.can_double ? withRedouble('double or roll', isRedouble) : 'roll'}: ${pressed(table)}.`
      if (table.dice_mode === 'by_hand') return you ? 'Enter your roll.' : `Enter the roll of ${name}.`
      if (!you) return `${name} rolls.`
      return table.doubling?.can_double
        ? withRedouble('Your turn: roll or double.', isRedouble)
        : 'Your turn: roll the dice.'
    case 'doubled': {
      const verb = withRedouble(you ? 'double' : 'doubles', isRedouble)
      const doubles = `${name} ${verb} to ${2 * (table.doubling?.cube ?? 1)}`
      const other = called[table.seat === 1 ? 0 : 1]
      if (table.waits) return `${doubles}: ${pressed(table)}.`
      return other === 'You' ? `${doubles}: take or pass?` : `${doubles}: ${other} decides.`
    }
    case 'person':
      if (table.board.kind === 'connect_four') return 'Your move: choose a column.'
      if (table.can_confirm)
        return table.moves.length === 0 ? `No move is possible with${roll}.` : `${name} played${roll}: done?`
      return you ? `Your move with${roll}.` : `${name} to play${roll}.`
    case 'computer': {
      // The analyst analyzes the move of a player without search, and searches while a computer waits in an entered position.
      const player = table.seats[seatOf(table.seat)]
      const isHeld = table.waits && table.pace !== null
      const searches = !isHeld && (simulationsOf(player) ?? 0) > 0
      return searches && analysis && analysis.wanted > 1 && analysis.made < analysis.wanted
        ? `${name} searches${roll && ` with${roll}`}: ${analysis.made} of ${analysis.wanted} simulations.`
        : table.waits
          ? `${name} to play${roll}: ${pressed(table)}.`
          : `${name} plays${roll}.`
    }
    case 'over':
      return 'The game is over.'
  }
}

/** Returns the label of the button that ends the wait of a computer. */
export function moveNowLabel({ stage, dice_mode }: Pick<GameTable, 'stage' | 'dice_mode'>): string {
  if (stage === 'doubled') return 'Answer now'
  if (stage !== 'roll') return 'Move now'
  return dice_mode === 'by_hand' ? 'Continue' : 'Roll now'
}

const pressed = (table: GameTable) => `press “${moveNowLabel(table)}”`

/** Returns the reason why the current position has no list of plays; null for a doubling decision. `rules`: rules that are chosen for the next game. */
export function withoutPlays(table: GameTable, rules: MatchRules | null): string | null {
  switch (table.stage) {
    case 'roll':
      return 'The plays are compared as soon as the dice are rolled.'
    case 'doubled':
      return null
    case 'over':
      return `The game is over. “${nextGameLabel(table, rules)}” starts another one.`
    default:
      return 'No search is running.'
  }
}

/** Returns the status while a position of a match is shown that is not the current one. `what`: kind of the position. */
export function earlierPosition(
  { seat, dice }: Pick<PastPosition, 'seat' | 'dice'>,
  names: readonly [string, string],
  what: 'Earlier position' | 'Opened match',
): string {
  return `${what}: ${names[seat]} ${dice ? `with ${dice.join('-')}` : 'before the roll'}.`
}

/** Returns the status while an earlier turn (index from 0) is shown. */
export function beforeTurn(turn: GameTurn, at: number, names: readonly [string, string]): string {
  const roll = turn.dice ? ` with ${turn.dice.join('-')}` : ''
  return `Before turn ${at + 1}: ${names[seatOf(turn.seat)]}${roll}.`
}
