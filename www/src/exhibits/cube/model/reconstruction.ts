/** Scramble and solution in the history of the cube, and their link to Twizzle. */
import type { CubeActor, CubeTable } from '../../../engine/page/session'
import { inverseMove, moved, readMove, writeMove, type LayerMove } from './layer-move'
import { isUniform, solved } from './stickers'
import type { Size } from './turns'

/** Move of a reconstruction, with its originator and the name of the stage that ends with the move. */
export interface StagedMove extends LayerMove {
  by?: CubeActor | undefined
  stage?: string | undefined
}

export interface Reconstruction {
  /** Moves from the solved cube to the start of the algorithm; null if unknown. */
  setup: readonly StagedMove[] | null
  /** Moves of the person or solver, including undone moves and the rest of a solution. */
  algorithm: readonly StagedMove[]
}

/** Returns the number of turns of a scramble at the start of a history. */
export function scrambleTurns(history: CubeTable['history']): number {
  const others = history.findIndex(({ by }) => by !== 'scramble')
  return others < 0 ? history.length : others
}

/** Returns the turns of a solution that are not yet applied. */
export const aheadOf = ({ solving }: Pick<CubeTable, 'solving'>): readonly string[] =>
  solving?.status === 'playing' ? solving.solution.slice(solving.made) : []

/** Last attempt in a history and the rest of a solution, as positions in these turns. */
export interface Attempt {
  /**
   * Position at which the cube was solved before the attempt; 0 if it never was. Rotations of the solved cube belong to the moves
   * after them.
   */
  begin: number
  /** Position after the scramble: after turns that were made as a scramble, or after the turns of the person before a solver. */
  solution: number
  /** Whether the turns solve the cube. */
  isSolved: boolean
}

/** Returns the last attempt, which the scramble and the solution of earlier attempts do not belong to. */
export function lastAttempt(table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>): Attempt {
  const turns = [...table.history, ...aheadOf(table).map((turn) => ({ turn, by: 'solver' as const }))]
  const areSolved = statesOf({ ...table, history: turns }, 0).map(isUniform)
  const lastSolved = Math.max(0, areSolved.lastIndexOf(true, Math.max(0, areSolved.lastIndexOf(false))))
  const begin = areSolved[lastSolved] ? areSolved.lastIndexOf(false, lastSolved) + 1 : 0
  const attempt = turns.slice(begin)
  const scrambled = attempt.findLastIndex(({ by }) => by === 'scramble') + 1
  // A solver after turns of the person on a solved cube: the person has typed the scramble.
  const typed = areSolved[begin]
    ? Math.max(
        0,
        attempt.findIndex(({ by }) => by === 'solver'),
      )
    : 0
  return { begin, solution: begin + (scrambled || typed), isSolved: areSolved.at(-1)! }
}

/** Returns the turns of the attempt at the current position, without undone turns and later attempts. */
export function attemptTurns(table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>): string[] {
  const history = table.history.slice(0, table.at)
  return history.slice(lastAttempt({ ...table, history }).solution).map(({ turn }) => turn)
}

/** Returns the turns of the history and of the rest of a solution. */
function stagedTurns(table: Pick<CubeTable, 'history' | 'solving'>): StagedMove[] {
  const ahead = aheadOf(table).map((turn) => ({ turn, by: 'solver' as const, stage: undefined }))
  return [...table.history, ...ahead].flatMap(({ turn, by, stage }) => {
    const move = readMove(turn)
    return move ? [{ ...move, by, stage }] : []
  })
}

/** Divides the history into the turns up to the end of the last scramble and the algorithm. */
export function reconstruction(
  table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>,
): Reconstruction {
  const { stickers, at } = table
  const turns = stagedTurns(table)
  const length = lastAttempt(table).solution
  const algorithm = mergedMoves(turns.slice(length), bySolver)
  const size: Size = stickers.length === 24 ? 2 : 3
  const first = turns.slice(0, at).reverse().map(inverseMove).reduce(moved, stickers)
  if (first === solved(size)) return { setup: turns.slice(0, length), algorithm }
  // The start is unknown, but an algorithm that solves the cube is undone by its inverse.
  const solves = isUniform(turns.slice(at).reduce(moved, stickers))
  const undone = () => algorithm.toReversed().map((move) => ({ ...inverseMove(move), stage: undefined }))
  return { setup: solves ? undone() : null, algorithm }
}

/** Returns the stickers of the cube at each position from `from` to the end of the history, including undone moves. */
export function statesOf(
  { stickers, history, at }: Pick<CubeTable, 'stickers' | 'history' | 'at'>,
  from: number,
): string[] {
  const moves = history.map(({ turn }) => readMove(turn))
  const make = (state: string, move: LayerMove | null) => (move ? moved(state, move) : state)
  const start = moves
    .slice(Math.min(from, at), at)
    .reverse()
    .reduce((state, move) => make(state, move && inverseMove(move)), stickers)
  const states = [moves.slice(at, from).reduce(make, start)]
  for (const move of moves.slice(from)) states.push(make(states.at(-1)!, move))
  return states
}

/** Returns the moves of the person in the last attempt, and the state before them, if they solve the cube; otherwise null. */
export function ownSolution(
  table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>,
): { start: string; moves: readonly string[] } | null {
  const setup = lastAttempt(table).solution
  const own = table.history.slice(setup)
  if (own.length === 0 || own.some(({ by }) => by !== 'person')) return null
  const states = statesOf(table, setup)
  const solves = isUniform(states.at(-1)!) && !isUniform(states[0]!)
  return solves ? { start: states[0]!, moves: own.map(({ turn }) => turn) } : null
}

/** Returns whether two moves in a row are equal quarter turns, which are one half turn. */
const makeHalfTurn = (first: LayerMove | null | undefined, second: LayerMove): boolean =>
  first?.layers === second.layers &&
  first.face === second.face &&
  first.quarters === second.quarters &&
  second.quarters !== 2

/** Returns whether a solver, whose metric may have no half turns, made a move. Other moves are listed as made. */
const bySolver = ({ by }: StagedMove): boolean => by === 'solver'

/** Merges two equal quarter turns in a row, for which `mayMerge` holds, to a half turn. */
export function mergedMoves<M extends LayerMove>(
  moves: readonly M[],
  mayMerge: (move: M) => boolean = () => true,
): M[] {
  const merged: M[] = []
  for (const move of moves) {
    const last = merged.at(-1)
    if (last && mayMerge(last) && mayMerge(move) && makeHalfTurn(last, move))
      merged[merged.length - 1] = { ...move, quarters: 2 }
    else merged.push(move)
  }
  return merged
}

/** Writes moves in the notation of the WCA. A line ends after each stage, with the name of the stage as a comment. */
export const writeMoves = (moves: readonly StagedMove[]): string =>
  moves
    .map((move) => writeMove(move) + (move.stage ? ` // ${move.stage}\n` : ' '))
    .join('')
    .trimEnd()

/**
 * Text that the user has entered, such as `[R, U] // commutator`, and its moves in the history of the cube with the ID `cube`, from
 * position `from` on.
 */
export interface EnteredAlgorithm {
  text: string
  cube: number
  from: number
  turns: readonly string[]
}

/** Returns whether a text in standard notation has moves, not only comments. */
export const hasMoves = (text: string): boolean =>
  /[A-Za-z]/.test(text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''))

/** Returns an entered text with its moves, once the history has received them at the position `from`; null before. */
export function enteredAlgorithm(
  text: string,
  from: number,
  { cube, history, at }: Pick<CubeTable, 'cube' | 'history' | 'at'>,
): EnteredAlgorithm | null {
  const made = history.slice(from)
  if (made.length === 0 || at !== history.length || made.some(({ by }) => by !== 'person')) return null
  return { text: text.trim(), cube, from, turns: made.map(({ turn }) => turn) }
}

/** Entered text whose moves are not displayed yet. */
export interface PendingAlgorithm {
  text: string
  /** ID of the cube that was displayed when the text was entered. */
  cube: number
  /** Whether another cube replaces this one before the moves. */
  isReplaced: boolean
  /** Position of the moves in the history. */
  from: number
}

/** Returns whether the moves of an entered text can still appear: false once they are displayed, or the cube is another one. */
export function isAwaited(
  { cube, isReplaced, from }: PendingAlgorithm,
  table: Pick<CubeTable, 'cube' | 'at'>,
): boolean {
  const isSame = table.cube === cube
  if (isReplaced) return isSame || table.at <= from
  return isSame && table.at <= from
}

/** Returns whether the history has the moves of an entered text, made by the person. */
export const isListed = (
  { cube, from, turns }: EnteredAlgorithm,
  table: Pick<CubeTable, 'cube' | 'history'>,
): boolean =>
  table.cube === cube &&
  turns.every((turn, i) => {
    const made = table.history[from + i]
    return made?.turn === turn && made.by === 'person'
  })

/** Writes the algorithm of the last attempt. Entered texts, in the order of their moves, keep their brackets and comments. */
export function writtenAlgorithm(
  table: Pick<CubeTable, 'cube' | 'stickers' | 'history' | 'at' | 'solving'>,
  entered: readonly EnteredAlgorithm[],
): string {
  const turns = stagedTurns(table)
  const parts: string[] = []
  let end = lastAttempt(table).solution
  const write = (to: number) => {
    if (to > end) parts.push(writeMoves(mergedMoves(turns.slice(end, to), bySolver)))
  }
  for (const one of entered) {
    if (one.from < end || !isListed(one, table)) continue
    write(one.from)
    parts.push(one.text)
    end = one.from + one.turns.length
  }
  write(turns.length)
  // A comment ends with its line.
  return parts.join(parts.some((part) => /\/\/|\n/.test(part)) ? '\n' : ' ')
}

/** Move in the list of turns: a move, or two equal quarter turns in a row of a solution. */
export interface ListedMove {
  turn: string
  by: CubeActor
  /** Name of the stage that ends with the move. */
  stage?: string | undefined
  /** Positions in the turns before and after the move. */
  from: number
  to: number
}

/** Returns the moves of the history and of the rest of a solution. */
export function listedMoves(table: Pick<CubeTable, 'history' | 'at' | 'solving'>): ListedMove[] {
  const { history, at, solving } = table
  const ahead = aheadOf(table).map((turn) => ({ turn, by: 'solver' as const, stage: undefined }))
  const moves: ListedMove[] = []
  for (const [from, { turn, by, stage }] of [...history, ...ahead].entries()) {
    const [last, next] = [moves.at(-1), readMove(turn)]
    // A half turn of which only one quarter is applied is listed as two quarter turns. A playback completes it.
    const isApart = from === at && solving?.status !== 'playing'
    const isSolution = by === 'solver' && last?.by === 'solver'
    if (isSolution && next && !isApart && makeHalfTurn(readMove(last.turn), next)) {
      last.turn = writeMove({ ...next, quarters: 2 })
      last.to = from + 1
    } else moves.push({ turn, by, stage, from, to: from + 1 })
  }
  return moves
}

/**
 * Returns whether each move ends a line in the list of turns: the last move of a stage, and the last move of the scramble
 * if the algorithm has stages.
 */
export function lineEnds(moves: readonly Pick<ListedMove, 'by' | 'stage'>[]): boolean[] {
  const hasStages = moves.some(({ stage }) => stage)
  return moves.map(
    ({ by, stage }, i) => hasStages && (!!stage || (by === 'scramble' && moves[i + 1]?.by !== 'scramble')),
  )
}

/** Returns the address that shows a reconstruction in Twizzle. */
export function twizzleUrl(
  size: Size,
  setup: readonly StagedMove[],
  algorithm: readonly StagedMove[],
): string {
  const puzzle = `${size}x${size}x${size}`
  const fields = { 'setup-alg': writeMoves(setup), alg: writeMoves(algorithm), puzzle }
  return `https://alpha.twizzle.net/edit/?${new URLSearchParams(fields)}`
}
