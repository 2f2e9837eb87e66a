/** Arrows on the cube that show the values of the moves. */
import type { CubeTable } from '../../../engine/page/session'
import { opposite, readTurn, type Size } from '../model/turns'
import { weights } from '../model/values'
import type { Arrow } from '../scene/arrows'

/**
 * Returns the arrows of the moves that the network has evaluated. `pointed`: the move that the user points at.
 */
export function valueArrows(
  { values, solved }: Pick<CubeTable, 'values' | 'solved'>,
  size: Size,
  pointed: string | null,
): Arrow[] {
  if (solved) return []
  const shares = weights(values, size === 3)
  return values.flatMap(({ turn, best }, i) => {
    const move = readTurn(turn)
    // The direction of a half turn is arbitrary.
    if (!move || move.quarters === 2) return []
    const arrow = { turn: move, weight: shares[i]!, best, pointed: pointed === turn }
    // On the 2×2×2 cube, the turn of the opposite face has the same value and may be the visible one.
    const twin = { ...arrow, turn: { ...move, face: opposite(move.face) } }
    return size === 3 ? [arrow] : [arrow, twin]
  })
}
