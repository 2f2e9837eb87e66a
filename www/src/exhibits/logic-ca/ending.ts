/** End panel of a circuit's training: a sentence about the result, and suggestions for further runs. */
import { duration, number } from '../../lib/format'
import { watchAgain } from '../shared/ending/watch-again'
import { ending, nextExhibit, type Ending } from '../shared/ending/ending'
import { percent } from './figures'

export const endings: Record<'logic-ca', Ending> = {
  'logic-ca': ending({
    title: 'Training complete',
    figures: {
      epochs: { progress: 'steps' },
      seconds: { run: 'seconds' },
      accuracy: { metric: 'hard_accuracy' },
      gates: { metric: 'gates_kept' },
    },
    learned: ({ epochs, seconds, accuracy, gates }) =>
      `After ${number(epochs, 0)} epochs, ${duration(seconds)}, the hard circuit computes ${percent(accuracy)} % of the cells correctly, with ${number(gates, 0)} gates.`,
    next: [
      {
        label: 'Damage the pattern',
        does: [
          { kind: 'click', element: 'tool-erase' },
          { kind: 'press', element: 'sandbox', key: 'ArrowRight' },
          { kind: 'press', element: 'sandbox', key: 'Enter' },
        ],
        target: 'sandbox',
      },
      {
        label: 'Test on larger boards',
        does: [{ kind: 'click', element: 'evaluate' }],
        target: 'evaluate',
      },
      watchAgain('living-view'),
      nextExhibit('logic-ca'),
    ],
  }),
}
