/** A cellular automaton whose rule is a single gate: a is the left neighbor of a cell, b the upper one. */
import { valueOf } from '../circuit/functions'

/** Bits of a square board, row by row. */
export type Board = Uint8Array<ArrayBuffer>

/** Returns the board after a step; cells beyond the border are 0. */
export function nextBoard(cells: Board, side: number, gate: number): Board {
  return cells.map((_, i) =>
    valueOf(gate, i % side === 0 ? 0 : cells[i - 1]!, i < side ? 0 : cells[i - side]!),
  )
}

/** Bits of a checkerboard with fields of one cell; the upper left cell is 1. */
export const checkerboard = (side: number): Board =>
  Uint8Array.from({ length: side * side }, (_, i) => 1 - (((i % side) + Math.floor(i / side)) % 2))

/** Returns the number of cells in which two boards differ. */
export const differences = (a: Board, b: Board): number =>
  a.reduce((sum, cell, i) => sum + Number(cell !== b[i]), 0)
