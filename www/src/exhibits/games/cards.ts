/** Cards of the environments of the family. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'games'>, WorldCard> = {
  backgammon: {
    title: 'Backgammon',
    line: 'AlphaZero self-play with tree search. Watch it improve, and play against it.',
    hue: 28,
  },
  'connect-four': {
    title: 'Connect Four',
    line: 'The same learner without dice: from random to strong play while you watch.',
    hue: 208,
  },
}
