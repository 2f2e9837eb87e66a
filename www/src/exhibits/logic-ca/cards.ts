/** Card of the family's environment. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'logic_ca'>, WorldCard> = {
  'logic-ca': {
    title: 'Logic automaton',
    line: 'The cells of a board learn to grow a pattern together, and to repair it.',
    guideMinutes: 9,
    hue: 345,
    // A small board: its pattern appears after some hundred epochs, as that of the default, but in seconds.
    start: 'preset=checkerboard-small',
  },
}
