/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'cube'>, WorldCard> = {
  cube2: {
    title: 'Cube 2×2×2',
    line: 'Deep Q-learning from random turns to solving all 3,674,160 states.',
    hue: 316,
  },
  cube3: {
    title: 'Cube 3×3×3',
    line: 'A network trained on scrambles alone guides a beam search to a solution.',
    hue: 258,
  },
}
