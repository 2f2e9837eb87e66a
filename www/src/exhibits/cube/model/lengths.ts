/** Lengths of move sequences in the metrics of the cube community. */
import type { CubeActor } from '../../../engine/page/session'
import { readMove, type LayerMove } from './layer-move'
import { mergedMoves } from './reconstruction'

const read = (moves: readonly string[]) => moves.flatMap((move) => readMove(move) ?? [])
const total = (moves: readonly LayerMove[], cost: (move: LayerMove) => number): number =>
  moves.reduce((sum, move) => sum + cost(move), 0)

/** A turn of outer layers is one move, a slice turn two; rotations do not count. */
const outerTurns = ({ layers }: LayerMove): number => ({ face: 1, wide: 1, slice: 2, whole: 0 })[layers]

/** Returns the number of moves in the quarter-turn metric: a half turn is two moves. */
export const quarterTurns = (moves: readonly string[]): number =>
  total(read(moves), (move) => outerTurns(move) * (move.quarters === 2 ? 2 : 1))

/** Returns the number of moves in the half-turn metric: two equal quarter turns in a row are one half turn. */
export const halfTurns = (moves: readonly string[]): number => total(mergedMoves(read(moves)), outerTurns)

/** Returns the number of moves in the slice-turn metric: a slice turn is one move. */
export const sliceTurns = (moves: readonly string[]): number =>
  total(mergedMoves(read(moves)), ({ layers }) => (layers === 'whole' ? 0 : 1))

/** Returns the number of half turns of the stage that ends with each move; null for the other moves. */
export function stageLengths(
  moves: readonly { turn: string; by: CubeActor; stage?: string | undefined }[],
): (number | null)[] {
  let begin = 0
  return moves.map(({ by, stage }, i) => {
    const length = stage ? halfTurns(moves.slice(begin, i + 1).map(({ turn }) => turn)) : null
    if (stage || by === 'scramble') begin = i + 1
    return length
  })
}

/** Writes a number of quarter turns, such as "11 quarter turns". */
export const quarterTurnsText = (count: number): string =>
  `${count.toLocaleString('en')}\u00a0quarter ${count === 1 ? 'turn' : 'turns'}`

/**
 * Writes the length of a solution, such as "3 turns"; in both metrics if these differ, such as "11 quarter turns (9 in the
 * half-turn metric)".
 */
export function lengthText(turns: readonly string[]): string {
  const [quarter, half] = [quarterTurns(turns), halfTurns(turns)]
  return half === quarter
    ? quarterTurnsText(quarter).replace('quarter ', '')
    : `${quarterTurnsText(quarter)} (${half.toLocaleString('en')}\u00a0in the half-turn metric)`
}
