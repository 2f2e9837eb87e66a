/** Viewport of a board: zoom and center. */
import { fit, type Place } from './board'

export interface Size {
  width: number
  height: number
}

/** Side of a cell in pixels at maximum zoom. */
const closest = 48

export class Viewport {
  /** Zoom factor; 1 shows the whole board. */
  zoom = 1
  /** Center of the view in fractions of the board's sides. */
  private x = 0.5
  private y = 0.5

  /** Resets the view to the whole board. */
  whole(): void {
    this.zoom = 1
    this.x = this.y = 0.5
  }

  place(board: Size, view: Size): Place {
    const { scale: whole } = fit(board, view.width, view.height)
    if (this.zoom === 1) return fit(board, view.width, view.height)
    const scale = whole * this.zoom
    this.x = within(this.x, view.width / (scale * board.width))
    this.y = within(this.y, view.height / (scale * board.height))
    return {
      x: view.width / 2 - this.x * board.width * scale,
      y: view.height / 2 - this.y * board.height * scale,
      scale,
    }
  }

  /** Returns the maximum zoom factor. */
  most(board: Size, view: Size): number {
    return Math.max(1, closest / fit(board, view.width, view.height).scale)
  }

  /** Zooms by a factor around the point `at` of the view. */
  approach(factor: number, at: { x: number; y: number }, board: Size, view: Size): void {
    const before = cellAt(this.place(board, view), at)
    const zoom = Math.max(1, Math.min(this.most(board, view), this.zoom * factor))
    if (zoom === 1) return this.whole()
    this.zoom = zoom
    const scale = fit(board, view.width, view.height).scale * zoom
    this.x = (before.column + (view.width / 2 - at.x) / scale) / board.width
    this.y = (before.row + (view.height / 2 - at.y) / scale) / board.height
  }

  /** Pans the view by (dx, dy) pixels. */
  move(dx: number, dy: number, board: Size, view: Size): void {
    const { scale } = this.place(board, view)
    this.x -= dx / (scale * board.width)
    this.y -= dy / (scale * board.height)
    this.place(board, view)
  }
}

/** Returns the position on the board, in cells from its upper left corner, under the point `at` of the view. */
export function cellAt(place: Place, at: { x: number; y: number }): { column: number; row: number } {
  return { column: (at.x - place.x) / place.scale, row: (at.y - place.y) / place.scale }
}

/** Returns the center clamped so that the view stays on the board; `seen`: visible fraction of the board's side. */
function within(middle: number, seen: number): number {
  if (seen >= 1) return 0.5
  return Math.max(seen / 2, Math.min(1 - seen / 2, middle))
}
