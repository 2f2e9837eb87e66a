/**
 * End panel of the language-model run: a sentence about its perplexity compared with the trigram model, and
 * suggestions for further runs.
 */
import { compact, number } from '../../lib/format'
import { ending, nextExhibit, type Ending } from '../shared/ending/ending'
import { perplexity } from './model/perplexity'

export const endings: Record<'language', Ending> = {
  language: ending({
    title: 'Better than counting',
    figures: {
      tokens: { progress: 'steps' },
      earlier: { element: 'status', attribute: 'earlier', missing: 0 },
      held: { metric: 'validation_loss' },
      trigram: { metric: 'trigram' },
    },
    learned: ({ tokens, earlier, held, trigram }) =>
      `After ${earlier > 0 ? `${compact(earlier)} tokens in earlier training and ` : ''}${number(tokens, 0)} tokens${earlier > 0 ? ' here' : ''} the perplexity on held-out text is ${perplexity(held)}. Counting triples of tokens has ${perplexity(trigram)}.`,
    next: [
      {
        label: 'Generate text',
        does: [{ kind: 'click', element: 'example-0' }],
        target: 'playground',
      },
      {
        label: 'Train on your own text',
        does: [{ kind: 'click', element: 'own-text' }],
        target: 'text',
      },
      nextExhibit('language'),
    ],
  }),
}
