/** Card of the family's environment. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'logic_ca'>, WorldCard> = {
  'logic-ca': {
    title: 'Logic automaton',
    line: 'A cellular automaton of trained logic gates grows a pattern and repairs it.',
    hue: 345,
  },
}
