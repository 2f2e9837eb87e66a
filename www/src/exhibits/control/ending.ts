/** End panels of the classic-control runs: a sentence about the result, and suggestions for further runs. */
import { duration, number } from '../../lib/format'
import { ending, nextExhibit } from '../shared/ending/ending'
import { forEachWorld } from './texts'

export const endings = forEachWorld(({ result, next }, world) =>
  ending({
    title: 'Solved',
    figures: {
      steps: { run: 'solved-steps' },
      seconds: { run: 'solved-seconds' },
      mean: { metric: 'return_mean' },
    },
    learned: ({ steps, seconds, mean }) =>
      `Solved after ${number(steps, 0)} environment steps, ${duration(seconds)}: ${result(mean)}.`,
    compared: ({ steps }) => `${number(steps, 0)} environment steps`,
    next: [...next, nextExhibit(world)],
  }),
)
