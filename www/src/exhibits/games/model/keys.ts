/** Keys of the board games. They act on the whole page, except in fields. */
import { arrows, type KeyBinding, type KeyGroup } from '../../../kit/keys'
import type { WorldOf } from '../../../worlds'

type Bindings = Readonly<Record<string, KeyBinding>>

const shared = {
  typePlay: { keys: ['m'], label: 'Type a move, or an action such as “roll”' },
  deepen: { keys: ['s'], label: 'Search deeper' },
  hints: { keys: ['h'], label: 'Show or hide hints' },
  analyzeAgain: { keys: ['a'], label: 'Restart the analysis' },
  newGame: { keys: ['n'], label: 'Start the next game after the end of a game' },
  pageKeys: { keys: ['k'], label: 'Limit these keys to the board, or use them on the whole page' },
} satisfies Bindings

/** Keys of the table of each game. */
export const tableKeys = {
  backgammon: {
    advance: {
      keys: ['Enter', 'r'],
      label: 'Roll the dice, end a complete play, or let a waiting computer move',
    },
    double: { keys: ['d'], label: 'Double' },
    take: { keys: ['t'], label: 'Take' },
    pass: { keys: ['p', 'x'], label: 'Pass' },
    undo: { keys: ['u'], label: 'Take the last move back' },
    ...shared,
  },
  'connect-four': shared,
} satisfies Record<WorldOf<'games'>, Bindings>
export type TableAction = {
  [G in keyof typeof tableKeys]: keyof (typeof tableKeys)[G]
}[keyof typeof tableKeys]

/** Keys of a match that is analyzed. */
export const matchKeys = {
  nextError: { keys: ['e'], label: 'Next error' },
  previousError: { keys: ['E'], label: 'Previous error' },
  next: { keys: ['ArrowRight'], label: 'Next decision' },
  previous: { keys: ['ArrowLeft'], label: 'Previous decision' },
  quiz: { keys: ['q'], label: 'Quiz about the listed errors' },
} satisfies Bindings
export type MatchAction = keyof typeof matchKeys

const boardKeys: Record<WorldOf<'games'>, readonly KeyBinding[]> = {
  backgammon: [
    { keys: Object.keys(arrows), label: 'Move over the board' },
    { keys: ['Enter'], label: 'Pick a checker up, and put it down' },
    { keys: ['Escape'], label: 'Put a checker back' },
  ],
  'connect-four': [
    { keys: ['ArrowLeft', 'ArrowRight'], label: 'Choose a column' },
    { keys: ['Enter', 'ArrowDown'], label: 'Drop a stone' },
    { keys: ['1', '7'], label: 'Drop a stone into a column, 1 to 7' },
  ],
}

/** Returns the list of the keys of a game. */
export const keyGroups = (game: WorldOf<'games'>): KeyGroup[] => [
  { title: 'Game', bindings: Object.values(tableKeys[game]) },
  { title: 'Board with the focus', bindings: boardKeys[game] },
  ...(game === 'backgammon' ? [{ title: 'Analyzed match', bindings: Object.values(matchKeys) }] : []),
]
