/** Pictures to begin a drawing with: those that the experiment knows. */
import type { TargetInfo } from '../../protocol/types'
import { blank, fromText, repeated, type Drawing } from './drawing'

/** A picture for a board of this size, going over all of it, or in a size of its own. */
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
