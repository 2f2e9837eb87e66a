/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'cube'>, WorldCard> = {
  cube2: {
    title: 'Cube 2×2×2',
    line: 'A network learns by trial and error, until it solves all 3,674,160 states.',
    hue: 316,
  },
  cube3: {
    title: 'Cube 3×3×3',
    line: 'A network that has only seen scrambles finds the way back to the solved cube.',
    hue: 258,
  },
}
