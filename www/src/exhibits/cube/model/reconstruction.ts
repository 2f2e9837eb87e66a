/** Scramble and solution in the history of the cube, and their link to Twizzle. */
import type { CubeActor, CubeTable } from '../../../engine/page/session'
import { solved, turned } from './stickers'
import { inverse, readTurn, writeTurn, type Size, type Turn } from './turns'

export interface Reconstruction {
  /** Turns from the solved cube to the start of the algorithm; null if unknown. */
  setup: readonly Turn[] | null
  /** Turns of the person or solver, including undone turns and the rest of a solution. */
  algorithm: readonly Turn[]
}

/** Returns the number of turns of a scramble at the start of a history. */
export function scrambleTurns(history: CubeTable['history']): number {
  const others = history.findIndex(({ by }) => by !== 'scramble')
  return others < 0 ? history.length : others
}

/** Returns the turns of a solution that are not yet applied. */
export const aheadOf = ({ solving }: Pick<CubeTable, 'solving'>): readonly string[] =>
  solving?.status === 'playing' ? solving.solution.slice(solving.made) : []

/** Divides the history into the scramble at its start and the algorithm. */
export function reconstruction(
  table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>,
): Reconstruction {
  const { stickers, history, at } = table
  const read = (texts: readonly string[]) => texts.flatMap((text) => readTurn(text) ?? [])
  const turns = read([...history.map(({ turn }) => turn), ...aheadOf(table)])
  const length = scrambleTurns(history)
  const algorithm = turns.slice(length)
  const size: Size = stickers.length === 24 ? 2 : 3
  const first = turns.slice(0, at).reverse().map(inverse).reduce(turned, stickers)
  if (first === solved(size)) return { setup: turns.slice(0, length), algorithm }
  // The start is unknown, but an algorithm that solves the cube is undone by its inverse.
  const solves = turns.slice(at).reduce(turned, stickers) === solved(size)
  return { setup: solves ? algorithm.toReversed().map(inverse) : null, algorithm }
}

/** Returns whether two turns in a row are equal quarter turns, which are one half turn. */
const makeHalfTurn = (first: Turn | undefined, second: Turn): boolean =>
  first?.face === second.face && first.quarters === second.quarters && second.quarters !== 2

/** Merges two equal quarter turns in a row to a half turn. */
export function mergedTurns(turns: readonly Turn[]): Turn[] {
  const merged: Turn[] = []
  for (const turn of turns) {
    if (makeHalfTurn(merged.at(-1), turn)) merged[merged.length - 1] = { face: turn.face, quarters: 2 }
    else merged.push(turn)
  }
  return merged
}

/** Writes turns in the notation of the WCA; two equal quarter turns in a row are a half turn. */
export const writeTurns = (turns: readonly Turn[]): string => mergedTurns(turns).map(writeTurn).join(' ')

/** Move in the list of turns: a turn, or two equal quarter turns in a row of a solution. */
export interface ListedMove {
  turn: string
  by: CubeActor
  /** Positions in the turns before and after the move. */
  from: number
  to: number
}

/** Returns the moves of the history and of the rest of a solution. */
export function listedMoves(table: Pick<CubeTable, 'history' | 'at' | 'solving'>): ListedMove[] {
  const { history, at, solving } = table
  const ahead = aheadOf(table).map((turn) => ({ turn, by: 'solver' as const }))
  const moves: ListedMove[] = []
  for (const [from, { turn, by }] of [...history, ...ahead].entries()) {
    const [last, next] = [moves.at(-1), readTurn(turn)]
    // A half turn of which only one quarter is applied is listed as two quarter turns. A playback completes it.
    const isApart = from === at && solving?.status !== 'playing'
    const isSolution = by === 'solver' && last?.by === 'solver'
    if (isSolution && next && !isApart && makeHalfTurn(readTurn(last.turn) ?? undefined, next)) {
      last.turn = writeTurn({ face: next.face, quarters: 2 })
      last.to = from + 1
    } else moves.push({ turn, by, from, to: from + 1 })
  }
  return moves
}

/** Returns the address that shows a reconstruction in Twizzle. */
export function twizzleUrl(size: Size, setup: readonly Turn[], algorithm: readonly Turn[]): string {
  const puzzle = `${size}x${size}x${size}`
  const fields = { 'setup-alg': writeTurns(setup), alg: writeTurns(algorithm), puzzle }
  return `https://alpha.twizzle.net/edit/?${new URLSearchParams(fields)}`
}
