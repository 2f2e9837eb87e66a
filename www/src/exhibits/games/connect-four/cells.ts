/** A board of Connect Four: 42 cells, 6 · column + row from the bottom; 0 empty, 1 seat 0, 2 seat 1. */
import type { GameTable } from '../../../engine/page/session'

export const columns = 7
export const rows = 6

export type Cells = readonly number[]

export const empty: Cells = Array<number>(columns * rows).fill(0)

export function cellsOf(table: GameTable): { cells: Cells; winning: readonly number[] } | null {
  return table.board.kind === 'connect_four' ? table.board : null
}

/** Returns the number of stones in a column. */
export function height(cells: Cells, column: number): number {
  const stones = cells.slice(rows * column, rows * (column + 1))
  const free = stones.indexOf(0)
  return free < 0 ? rows : free
}

/** Returns the board with a stone dropped in a column; unchanged if the column is full. */
export function dropped(cells: Cells, column: number, seat: number): Cells {
  const row = height(cells, column)
  if (row === rows) return cells
  const after = [...cells]
  after[rows * column + row] = seat + 1
  return after
}

/** Steps from a cell to its neighbors, as columns and rows: vertical, horizontal, and both diagonals. */
const directions = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
] as const

/** Four or more stones in a row: the cells of its ends. */
export type Row = readonly [from: number, to: number]

/** Returns the rows of four or more stones of `seat` through a cell, which counts as one of its stones. */
export function rowsThrough(cells: Cells, cell: number, seat: number): Row[] {
  const isOwn = (column: number, row: number) =>
    column >= 0 && column < columns && row >= 0 && row < rows && cells[rows * column + row] === seat + 1
  const length = (column: number, row: number, dx: number, dy: number): number =>
    isOwn(column + dx, row + dy) ? 1 + length(column + dx, row + dy, dx, dy) : 0
  const [column, row] = [Math.floor(cell / rows), cell % rows]
  return directions.flatMap(([dx, dy]): Row[] => {
    const [ahead, behind] = [length(column, row, dx, dy), length(column, row, -dx, -dy)]
    const next = rows * dx + dy
    return ahead + behind >= 3 ? [[cell - behind * next, cell + ahead * next]] : []
  })
}

/** Returns the empty cells in which a stone of `seat` completes four in a row. */
export const completing = (cells: Cells, seat: number): number[] =>
  cells.flatMap((cell, i) => (cell === 0 && rowsThrough(cells, i, seat).length > 0 ? [i] : []))

/** Returns the rows of a finished game, each once. `winning`: their cells. */
export function winningRows(cells: Cells, winning: readonly number[]): Row[] {
  const found = winning.flatMap((cell) => rowsThrough(cells, cell, cells[cell]! - 1))
  return [...new Map(found.map((row) => [row.join(), row])).values()]
}

/** Describes a row for screen readers. */
export const describeRow = (row: Row): string =>
  row.map((cell) => `column ${Math.floor(cell / rows) + 1}, row ${(cell % rows) + 1}`).join(' to ')

/** Returns the board before a turn of the history, by its index from 0. */
export function before(table: GameTable, cells: Cells, turn: number): Cells {
  const after = [...cells]
  for (const { moves } of table.history.slice(turn).reverse()) {
    for (const { from } of [...moves].reverse()) after[rows * from + height(after, from) - 1] = 0
  }
  return after
}
