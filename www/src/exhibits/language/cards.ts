/** Card of the family's environment. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'language'>, WorldCard> = {
  language: {
    title: 'Language',
    line: 'A small GPT, trained from noise to sentences. Prompt it, or train it on your own text.',
    hue: 235,
  },
}
