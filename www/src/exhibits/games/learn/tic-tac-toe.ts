/** Rules of tic-tac-toe, a game that is small enough to search by hand. */

/** Nine cells in rows; 0 empty, 1 the first player, 2 the second player. */
export type Board = readonly number[]

const lines = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
] as const

export const movesOf = (board: Board): number[] => [...board.keys()].filter((cell) => board[cell] === 0)

export const played = (board: Board, cell: number, player: number): Board => board.with(cell, player)

/** Returns the result for the player to move: −1 if the opponent has three in a row, 0 for a draw, else null. */
export function result(board: Board): number | null {
  if (lines.some(([a, b, c]) => board[a] !== 0 && board[a] === board[b] && board[a] === board[c])) return -1
  return board.includes(0) ? null : 0
}
