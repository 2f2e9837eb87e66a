/** Card of the family's environment. */
import type { WorldCard, WorldOf } from '../../worlds'

export const cards: Record<WorldOf<'language'>, WorldCard> = {
  language: {
    title: 'Language',
    line: 'A small language model learns to write: from noise to sentences. Give it a beginning, or your own text to learn from.',
    hue: 235,
  },
}
