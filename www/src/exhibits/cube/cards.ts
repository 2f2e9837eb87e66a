/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'cube'>, WorldCard> = {
  cube2: {
    title: 'Cube 2×2×2',
    line: 'A program learns by trial and error to solve the small cube. Another one, which learned from solved examples, solves all 3,674,160 states.',
    guideMinutes: 10,
    hue: 316,
  },
  cube3: {
    title: 'Cube 3×3×3',
    line: 'A program that has only seen scrambles, never a solution, learns to solve the large cube.',
    guideMinutes: 7,
    hue: 258,
  },
}
