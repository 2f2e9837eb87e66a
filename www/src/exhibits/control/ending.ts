/** End panels of the classic-control runs: a sentence about the result, and suggestions for further runs. */
import { duration, number } from '../../lib/format'
import type { WorldOf } from '../../worlds'
import { ending, watchAgain, type Ending, type NextStep } from '../shared/ending/ending'

const again = watchAgain('living-view')

const preset = (label: string, name: string): NextStep => ({
  label,
  does: [
    { kind: 'restart', preset: name },
    { kind: 'learn', on: true },
  ],
  target: 'living-view',
})

/** Returns the end panel of a solved run. `result` describes the mean return in words. */
const solved = (result: (mean: number) => string, next: readonly NextStep[]): Ending =>
  ending({
    title: 'Solved',
    figures: {
      steps: { run: 'solved-steps' },
      seconds: { run: 'solved-seconds' },
      mean: { metric: 'return_mean' },
    },
    learned: ({ steps, seconds, mean }) =>
      `Solved after ${number(steps, 0)} environment steps, ${duration(seconds)}: ${result(mean)}.`,
    next,
  })

const steps = (mean: number) => number(-mean, 0)
const share = (mean: number) => `the goal is reached in ${number(100 * mean, 0)} % of the episodes`

export const endings: Record<WorldOf<'control'>, Ending> = {
  cartpole: solved(
    (mean) => `mean return ${number(mean, 0)} of 500`,
    [
      again,
      preset('Moon gravity', 'moon'),
      {
        label: 'Push the cart',
        does: [
          { kind: 'learn', on: false },
          { kind: 'act', on: true },
          { kind: 'press', element: 'living-view', key: 'd' },
        ],
        target: 'living-view',
      },
      { label: 'Next: MountainCar', does: 'mountain-car' },
    ],
  ),
  'mountain-car': solved(
    (mean) => `the car reaches the flag after ${steps(mean)} steps on average`,
    [preset('Steep hill', 'steep-hill'), again, { label: 'Next: Pendulum', does: 'pendulum' }],
  ),
  pendulum: solved(
    (mean) => `mean return ${number(mean, 0)}, at most 0`,
    [preset('Weak motor', 'weak-motor'), again, { label: 'Next: Acrobot', does: 'acrobot' }],
  ),
  acrobot: solved(
    (mean) => `the tip crosses the line after ${steps(mean)} steps on average`,
    [preset('Heavy leg', 'heavy-leg'), again, { label: 'Next: Frozen lake', does: 'frozen-lake' }],
  ),
  'frozen-lake': solved(share, [
    preset('Not slippery', 'not-slippery'),
    {
      label: 'Change the lake',
      does: [{ kind: 'click', element: 'brush-H' }],
      target: 'lake-learned',
    },
    again,
    { label: 'Next: Frozen lake 8×8', does: 'frozen-lake-8x8' },
  ]),
  'frozen-lake-8x8': solved(share, [
    preset('Not slippery', 'not-slippery'),
    again,
    { label: 'Next: Connect Four', does: 'connect-four' },
  ]),
}
