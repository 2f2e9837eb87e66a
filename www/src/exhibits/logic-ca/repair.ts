/** Repair of the sandbox board after damage, measured against the target. */
import type { Board } from './draw/board'

/** Part of a board, in cells; `right` and `bottom` are excluded. */
interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/**
 * Returns the number of cells that differ from the target, in an area or on the whole board; null for boards of different sizes or
 * channels.
 */
export function wrongCells(board: Board | null, target: Board | null, area?: Area): number | null {
  if (!board || !target) return null
  const { width, height, channels } = target
  if (board.width !== width || board.height !== height || board.channels !== channels) return null
  const { left, top, right, bottom } = area ?? { left: 0, top: 0, right: width, bottom: height }
  let wrong = 0
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) {
      const from = (row * width + column) * channels
      for (let at = from; at < from + channels; at++)
        if (board.data[at]! > 127 !== target.data[at]! > 127) {
          wrong++
          break
        }
    }
  return wrong
}

/** Progress of the repair since the last stroke of a brush. */
export class Repair {
  /** Largest number of wrong cells since the stroke. */
  worst = 0
  /** Number of wrong cells now. */
  wrong = 0
  /** Steps of the sandbox since the first board after the stroke, until the board was as the target again. */
  steps = 0
  private start: number | null = null

  /** Whether the damaged board was as the target again. */
  get done(): boolean {
    return this.worst > 0 && this.wrong === 0
  }

  /** Updates the progress with the number of wrong cells at a step of the sandbox. */
  update(step: number, wrong: number): void {
    if (this.done) return
    this.wrong = wrong
    this.worst = Math.max(this.worst, wrong)
    this.start ??= step
    this.steps = Math.max(0, step - this.start)
  }
}

/** Returns the share of the cells of a board that are as in the target; null for boards of different sizes, or without cells. */
export function matchingShare(board: Board | null, target: Board | null): number | null {
  const wrong = wrongCells(board, target)
  const cells = target ? target.width * target.height : 0
  return wrong === null || cells === 0 ? null : 1 - wrong / cells
}

/**
 * Returns the share of the cells of a board that are as in the target, repeated with this period in rows and columns, at the best
 * shift; null without a board or target, or if the target is smaller than the period. Only the first channel is compared.
 */
export function repeatedShare(board: Board | null, target: Board | null, period: number): number | null {
  if (!board || !target || Math.min(target.width, target.height) < period) return null
  const places = Array.from(
    { length: period ** 2 },
    (_, at) => [Math.floor(at / period), at % period] as const,
  )
  // Numbers of cells with bit 1, and of all cells, by row and column modulo the period.
  const [ones, all] = [new Float64Array(period ** 2), new Float64Array(period ** 2)]
  for (let row = 0, at = 0; row < board.height; row++)
    for (let column = 0; column < board.width; column++, at += board.channels) {
      const place = (row % period) * period + (column % period)
      all[place]!++
      if (board.data[at]! > 127) ones[place]!++
    }
  const right = places.map(([down, across]) =>
    places.reduce((sum, [row, column], place) => {
      const from = ((row + down) % period) * target.width + ((column + across) % period)
      const isOne = target.data[from * target.channels]! > 127
      return sum + (isOne ? ones[place]! : all[place]! - ones[place]!)
    }, 0),
  )
  return Math.max(...right) / (board.width * board.height)
}

/** Returns the share of the cells of a target that an empty board has in common with it; null without cells. */
export const emptyShare = (target: Board | null): number | null =>
  matchingShare(target && { ...target, data: new Uint8Array(target.data.length) }, target)

/** Returns the bit of the first channel of a cell. */
export const bitAt = ({ width, channels, data }: Board, [column, row]: readonly [number, number]): 0 | 1 =>
  data[(row * width + column) * channels]! > 127 ? 1 : 0

/**
 * Returns the column and row of the cell nearest to the middle that is set in the target, so that signals of a complete pattern
 * are 1; the middle cell if the target is empty.
 */
export function litCell({ width, height, channels, data }: Board): [number, number] {
  const middle: [number, number] = [width >> 1, height >> 1]
  let [nearest, least] = [middle, Infinity]
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    const far = (x - middle[0]) ** 2 + (y - middle[1]) ** 2
    const isLit = data.subarray(at * channels, (at + 1) * channels).some((value) => value > 127)
    if (isLit && far < least) [nearest, least] = [[x, y], far]
  }
  return nearest
}
