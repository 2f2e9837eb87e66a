/** The field for typed plays: meaning of its text at the current stage of the game. */
import type { Command, GameMove, GameTable } from '../../../engine/page/session'
import { commandOf, type BoardAction } from './boardActions'
import { checkersOf, seatOf, unplayed } from './checkers'
import { movesKey } from './legalPlays'
import { readPlay } from './readPlay'
import { rollOf } from './roll'
import { answersDouble, asksToRoll, isPerson, mayDouble, personPlays } from './seats'
import { moveNowLabel } from './status'

/**
 * Action of Enter. `play`: makes the moves and ends the turn. `command`: sends a command. `action`: continues the game, `next`
 * starts the next game. `part` and `problem`: nothing, for the reason in `text`. `text` is shown while the visitor types.
 */
export type Entry = { text: string } & (
  | { kind: 'play'; moves: readonly GameMove[] }
  | { kind: 'command'; command: Command }
  | { kind: 'action'; action: BoardAction | 'next' }
  | { kind: 'part' }
  | { kind: 'problem' }
)

const words: Readonly<Record<string, BoardAction | 'next' | undefined>> = {
  roll: 'roll',
  r: 'roll',
  double: 'double',
  redouble: 'double',
  d: 'double',
  take: 'take',
  t: 'take',
  pass: 'pass',
  drop: 'pass',
  p: 'pass',
  undo: 'undo',
  next: 'next',
}

const done: Readonly<Record<BoardAction | 'next', string>> = {
  advance: 'Enter continues.',
  roll: 'Enter rolls the dice.',
  double: 'Enter doubles.',
  take: 'Enter takes the double.',
  pass: 'Enter passes the double.',
  undo: 'Enter takes the last move back.',
  next: 'Enter starts the next game.',
}

/** Returns what the visitor can do now, in one sentence. */
export function stageHint(table: GameTable): string {
  const { stage, dice_mode, waits, seats, seat, board } = table
  if (stage === 'over') return 'The game is over: “next” starts the next game.'
  if (waits) return `The computer waits: Enter is “${moveNowLabel(table)}”.`
  if (stage === 'roll' && dice_mode === 'by_hand') return 'Enter the roll first, such as 31.'
  if (asksToRoll(table))
    return mayDouble(table) ? 'Roll or double first: Enter rolls.' : 'Roll the dice first: Enter rolls.'
  if (answersDouble(table)) return 'Answer the double first: “take” or “pass”.'
  if (stage === 'person') {
    if (board.kind === 'connect_four') return 'Type a column from 1 to 7.'
    if (table.can_confirm)
      return table.moves.length === 0 ? 'No move is possible: Enter passes.' : 'Enter ends the turn.'
    return `Type a play with ${table.dice?.join('-') ?? 'the dice'}, such as 24/18.`
  }
  if (!personPlays(table)) return 'Two computers play. Choose “You” as a player first.'
  if (stage === 'roll' && isPerson(seats[seatOf(seat)])) return 'The dice are being rolled.'
  return 'Wait for your turn: the other player is to act.'
}

/** Returns the meaning of the text of the field. */
export function readEntry(typed: string, table: GameTable): Entry {
  const text = typed.trim().toLowerCase()
  if (text === '') {
    if (commandOf(table, 'advance')) return { kind: 'action', action: 'advance', text: stageHint(table) }
    return { kind: 'part', text: stageHint(table) }
  }
  const word = Object.hasOwn(words, text) ? words[text] : undefined
  if (word) {
    const isPossible = word === 'next' ? table.stage === 'over' : commandOf(table, word) !== null
    return isPossible
      ? { kind: 'action', action: word, text: done[word] }
      : { kind: 'problem', text: impossibleText(table, word) }
  }
  const begun = Object.keys(words).some((word) => word.startsWith(text))
  const isRoll = table.stage === 'roll' && table.dice_mode === 'by_hand' && !table.waits
  const dice = isRoll ? rollOf(text) : null
  if (dice)
    return { kind: 'command', command: { kind: 'roll', dice }, text: `Enter rolls ${dice.join('-')}.` }
  if (begun || (isRoll && /^[1-6]\s*[-, ]?$/.test(text))) return { kind: 'part', text: stageHint(table) }
  if (table.stage !== 'person') return { kind: 'problem', text: stageHint(table) }
  return table.board.kind === 'connect_four' ? readColumn(text, table) : readMoves(typed, table)
}

/** Returns why an action is not possible, and the possible ones. */
function impossibleText(table: GameTable, word: BoardAction | 'next'): string {
  switch (word) {
    case 'next':
      return 'The game is not over: resign it, or play on.'
    case 'undo':
      return 'Nothing to undo.'
    case 'double':
      if (table.board.kind === 'connect_four') return stageHint(table)
      if (!table.doubling) return 'Without a doubling cube: start a match or a money session.'
      return asksToRoll(table) ? 'You cannot double now: Enter rolls.' : stageHint(table)
    case 'take':
    case 'pass':
      return table.board.kind === 'connect_four'
        ? stageHint(table)
        : `No double is offered. ${stageHint(table)}`
    default:
      return stageHint(table)
  }
}

function readColumn(text: string, table: GameTable): Entry {
  if (!/^[1-7]$/.test(text)) return { kind: 'problem', text: 'Type a column from 1 to 7.' }
  const column = Number(text) - 1
  if (!table.targets.some(({ to }) => to === column))
    return { kind: 'problem', text: `Column ${text} is full: choose another one.` }
  const command = { kind: 'move', from: column, to: column } as const
  return { kind: 'command', command, text: `Enter drops a stone into column ${text}.` }
}

function readMoves(text: string, table: GameTable): Entry {
  const now = checkersOf(table)
  const { dice } = table
  if (!now || !dice) return { kind: 'problem', text: stageHint(table) }
  const seat = seatOf(table.seat)
  const read = readPlay(text, unplayed(now, seat, table.moves), seat, [dice[0], dice[1]])
  if (read.kind !== 'play') return read
  return { kind: 'play', moves: read.play.moves, text: `Enter plays ${read.notation}.` }
}

/** Returns whether the moves of the current turn are these moves. */
export const isMade = ({ moves }: Pick<GameTable, 'moves'>, made: readonly GameMove[]): boolean =>
  moves.length > 0 && movesKey(moves) === movesKey(made)
