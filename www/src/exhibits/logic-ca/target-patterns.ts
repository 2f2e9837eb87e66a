/** Built-in target patterns as templates for drawings. */
import type { TargetInfo } from '../../protocol/types'
import { blank, fromText, repeated, type Drawing } from './drawing'

/**
 * Returns a built-in pattern as a drawing: tiled over a board of the given size if it repeats, else in its own size.
 */
export function pattern(
  targets: readonly TargetInfo[],
  name: string,
  width: number,
  height: number,
): Drawing {
  const target = targets.find((target) => target.name === name)
  const drawing = target && fromText(target.drawing)
  if (!drawing) return blank(width, height, 1)
  return target.repeated ? repeated(drawing, width, height) : drawing
}
