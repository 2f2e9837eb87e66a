/** Drawings as text. */
import type { Drawing } from './drawing'

export function write(drawing: Drawing): string {
  return (
    `${drawing.width}x${drawing.height}:` + Array.from(drawing.cells, (cell) => cell.toString(16)).join('')
  )
}
