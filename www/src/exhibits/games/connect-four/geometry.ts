/** Geometry of the board in pixels, for any box size. */
import { columns, rows } from './cells'

export interface Geometry {
  /** Side of a cell. */
  step: number
  left: number
  top: number
  /** Radius of a stone. */
  radius: number
}

/** Height of the numbers of the columns. */
const foot = 34

/** Lays out the board. `head`: height above the board. */
export function geometry(width: number, height: number, head: number): Geometry {
  const high = height - head - foot
  const step = Math.max(8, Math.min((width - 24) / columns, high / rows))
  return {
    step,
    left: (width - columns * step) / 2,
    top: head + Math.max(0, (high + 6 - rows * step) / 2),
    radius: step * 0.41,
  }
}

/** Returns the center of a column. */
export const columnX = ({ left, step }: Geometry, column: number): number => left + (column + 0.5) * step

/** Returns the center of a row, from the bottom. */
export const rowY = ({ top, step }: Geometry, row: number): number => top + (rows - row - 0.5) * step

/** Returns the center of a cell. */
export const cellSpot = (g: Geometry, cell: number) => ({
  x: columnX(g, Math.floor(cell / rows)),
  y: rowY(g, cell % rows),
})

/** Returns the frame around the cells. */
export const frame = ({ left, top, step }: Geometry) => ({
  ...{ x: left - 6, y: top - 6, width: columns * step + 12, height: rows * step + 12, rx: 8 },
})

/** Returns the baseline of the numbers of the columns. */
export const numberLine = ({ top, step }: Geometry): number => top + rows * step + 21
