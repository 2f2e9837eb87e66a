/** What the mean return of each environment counts: the note below the number. */
import type { WorldOf } from '../../worlds'

const goal = 'Share of the episodes that reach the goal, from 0 to 1.'

export const returnMeaning: Record<WorldOf<'control'>, string> = {
  cartpole: 'Steps until the pole falls, at most 500.',
  'mountain-car': 'Steps until the car reaches the flag, with a minus sign.',
  pendulum: 'Sum of the costs of an episode, with a minus sign; 0 is best.',
  acrobot: 'Steps until the tip is above the line, with a minus sign.',
  'frozen-lake': goal,
  'frozen-lake-8x8': goal,
}
