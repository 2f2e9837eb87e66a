/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'games'>, WorldCard> = {
  backgammon: {
    title: 'Backgammon',
    line: 'A program learns from games against itself, with dice. Watch it improve, and play against it.',
    hue: 28,
  },
  'connect-four': {
    title: 'Connect Four',
    line: 'A program learns from games against itself: from random to strong play while you watch.',
    hue: 208,
  },
}
