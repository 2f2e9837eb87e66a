/** Card of the family's environment. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'language'>, WorldCard> = {
  language: {
    title: 'Language',
    line: 'A small relative of chatbots learns to write: from fragments of words to sentences. It can also learn from your own text.',
    guideMinutes: 10,
    hue: 235,
  },
}
