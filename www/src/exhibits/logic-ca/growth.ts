/** Growth of the pattern in the quarters of the sandbox board. */
import type { Board } from './draw/board'
import { wrongCells } from './repair'

/** Names of the quarters of a board, row by row. */
export const quarterNames = ['upper left', 'upper right', 'lower left', 'lower right'] as const

/** Returns the area of a quarter of a board. A middle row or column belongs to the quarters after it. */
function areaOf({ width, height }: Board, quarter: number) {
  const [left, right] = quarter % 2 === 0 ? [0, width >> 1] : [width >> 1, width]
  const [top, bottom] = quarter < 2 ? [0, height >> 1] : [height >> 1, height]
  return { left, top, right, bottom }
}

/** Steps of the sandbox after which each quarter of the board has stayed as in the target. */
export class QuarterGrowth {
  /** [4] first step after the last board on which the quarter had a wrong cell. */
  steps: readonly number[] = [0, 0, 0, 0]
  private newest = 0

  /**
   * Updates the steps with the board at a step of the sandbox; null if the page shows another channel than the target. A board that
   * cannot be compared counts as wrong. An earlier step than before begins a new growth.
   */
  update(step: number, board: Board | null, target: Board | null): void {
    const before = step < this.newest ? [0, 0, 0, 0] : this.steps
    this.newest = step
    const isRight = (quarter: number) =>
      target !== null && wrongCells(board, target, areaOf(target, quarter)) === 0
    this.steps = before.map((complete, quarter) => (isRight(quarter) ? complete : step + 1))
  }
}
