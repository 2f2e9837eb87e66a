/** Explanations of the control exhibits. */
import { helpByTerm } from '../../../lib/help'

/** Formula of the displayed return of an episode: the sum of its rewards r. */
export const returnFormula = 'G = Σ_t r_t'

export const help = helpByTerm({
  policy: {
    preview:
      'The current policy acts in these environments, which are separate from training. A stronger color means that it does better.',
    policyMap:
      'Preferred action in each state; at the ends of the color scale, a discrete action has a probability of 100 %. The two axes are state dimensions; all other dimensions have the values of the focused environment, whose path is the line.',
  },
  state: {
    state: 'State of the focused environment: the numbers that the network reads as its input.',
    axis: 'State dimension on this axis of both maps.',
  },
  solved: {
    solved:
      'The environment counts as solved if the mean return of the last 100 training episodes is at least this number.',
    evaluation:
      'Returns of 100 episodes with the greedy policy, independent of training: mean ± standard deviation.',
    resetPreview:
      'Reset preview restarts the episodes of the displayed environments. Evaluate measures 100 greedy episodes. Neither changes training.',
  },
  step: {
    stepsPerSecond: 'Environment steps per second of training, over all environments.',
  },
  value: {
    valueMap:
      'Return that the network expects from each state on: the stronger the color, the higher the return. Later steps count less (discount), so that it is lower than the return of an episode. The two axes are state dimensions; the line is the path of the focused environment.',
    learnedLake:
      'Expected return of each tile and most probable action, as learned so far. A click changes a tile while training runs.',
  },
  'value-iteration': {
    optimalLake:
      'Best possible return of each tile and best action, computed from the known rules for comparison.',
  },
  environment: {
    brush: 'Kind of tile that a click on the learned lake sets.',
    parameters:
      'Physics of the environment. Changes take effect at once, in training and preview. A double click on a slider restores its default.',
  },
})
