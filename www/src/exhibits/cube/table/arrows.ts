/** Arrows on the cube that show the values of the moves. */
import type { CubeTable } from '../../../engine/page/session'
import { opposite, readTurn, type Face, type Size } from '../model/turns'
import { weights } from '../model/values'
import type { Arrow } from '../scene/arrows'

/**
 * Returns the arrows of the moves that the network has evaluated. `turning`: the faces that can turn; `pointed`: the
 * move that the user points at.
 */
export function valueArrows(
  { values, solved }: Pick<CubeTable, 'values' | 'solved'>,
  size: Size,
  turning: readonly Face[],
  pointed: string | null,
): Arrow[] {
  if (solved) return []
  const shares = weights(values, size === 3)
  return values.flatMap(({ turn, best }, i) => {
    const move = readTurn(turn)
    // The direction of a half turn is arbitrary.
    if (!move || move.quarters === 2) return []
    const arrow = { turn: move, weight: shares[i]!, best, pointed: pointed === turn }
    // The equivalent turn of the opposite face has the same value and may be the visible one.
    const twin = { ...arrow, turn: { ...move, face: opposite(move.face) } }
    return turning.includes(twin.turn.face) ? [arrow] : [arrow, twin]
  })
}
