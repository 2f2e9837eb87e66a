/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'games'>, WorldCard> = {
  backgammon: {
    title: 'Backgammon',
    line: 'A program learns a game with dice by playing against itself. Play against a trained one.',
    guideMinutes: 8,
    hue: 28,
  },
  'connect-four': {
    title: 'Connect Four',
    line: 'A program learns from games against itself: from random moves to strong play. Play against it.',
    guideMinutes: 8,
    hue: 208,
  },
}
