/** End panels of the cube runs: a sentence about the solve rate, and suggestions for further runs. */
import { duration, number } from '../../lib/format'
import type { WorldOf } from '../../worlds'
import { watchAgain } from '../shared/ending/watch-again'
import { ending, type Ending, type NextStep } from '../shared/ending/ending'

const solve: NextStep = {
  label: 'Solve a random cube',
  does: [
    { kind: 'fill', element: 'scramble-length', value: 'null' },
    { kind: 'click', element: 'scramble' },
    { kind: 'click', element: 'solve' },
  ],
  target: 'cube',
}

export const endings: Record<WorldOf<'cube'>, Ending> = {
  cube2: ending({
    title: 'Solved',
    figures: {
      samples: { run: 'solved-steps' },
      seconds: { run: 'solved-seconds' },
      share: { metric: 'solved' },
    },
    learned: ({ samples, seconds, share }) =>
      `Solved after ${number(samples, 0)} samples, ${duration(seconds)}: without search, the network solves ${number(100 * share, 2)} % of all 3,674,160 states.`,
    next: [solve, watchAgain('map'), { label: 'Next: Cube 3×3×3', does: 'cube3' }],
  }),
  cube3: ending({
    title: 'Most cubes solved',
    figures: {
      samples: { progress: 'steps' },
      seconds: { run: 'seconds' },
      share: { metric: 'solved_256' },
    },
    learned: ({ samples, seconds, share }) =>
      `After ${number(samples, 0)} samples, ${duration(seconds)}, beam search of width 256 solves ${number(100 * share, 0)} % of random cubes.`,
    next: [solve, { label: 'Next: Language', does: 'language' }],
  }),
}
