/** Numbers and text alternatives of the boards of an automaton. */
import type { Table } from '../../../lib/csv'
import { number } from '../../../lib/format'
import type { Board } from './board'

const colors = ['red', 'green', 'blue']

/** Returns boards of the same size as a table: a row for each cell, and a column from 0 to 1 for each channel of each board. */
export function boardTable(boards: Readonly<Record<string, Board | null>>): Table | null {
  const shown = Object.entries(boards).flatMap(([name, board]) => (board ? [{ name, board }] : []))
  const first = shown[0]?.board
  if (!first) return null
  const cells = Array.from({ length: first.width * first.height }, (_, cell) => cell)
  return {
    row: cells.map((cell) => Math.floor(cell / first.width) + 1),
    column: cells.map((cell) => (cell % first.width) + 1),
    ...Object.fromEntries(
      shown.flatMap(({ name, board: { channels, data } }) =>
        Array.from({ length: channels }, (_, channel) => [
          channels === 1 ? name : `${name} ${colors[channel]}`,
          cells.map((cell) => data[cell * channels + channel]! / 255),
        ]),
      ),
    ),
  }
}

/** Says how large a board is, and how many of its cells are on, or the mean of each color. */
export function boardText(name: string, board: Board | null): string {
  if (!board) return `${name}: no board yet.`
  const { width, height, channels, data } = board
  const means = Array.from({ length: channels }, (_, channel) => {
    let sum = 0
    for (let i = channel; i < data.length; i += channels) sum += data[i]! / 255
    return `${number((100 * sum) / (width * height), 0)} %`
  })
  const content =
    channels === 1 ? `${means[0]} on` : means.map((mean, i) => `${colors[i]} ${mean}`).join(', ')
  return `${name}: ${width} × ${height} cells, ${content}.`
}
