/** Explanations of the control exhibits. */
import type { HelpText } from '../../../lib/help'

export const help = {
  preview: {
    text: 'The current policy acts in these environments, which are separate from training. Brightness shows how well each one does.',
    term: 'policy',
  },
  state: {
    text: 'State of the focused environment: the numbers that the network reads as its input.',
    term: 'state',
  },
  solved: {
    text: 'The environment counts as solved if the mean return of the last 100 training episodes is at least this number.',
    term: 'solved',
  },
  evaluation: {
    text: 'Returns of 100 episodes with the greedy policy, independent of training: mean ± standard deviation.',
    term: 'solved',
  },
  resetPreview: {
    text: 'Reset preview restarts the episodes of the displayed environments. Evaluate measures 100 greedy episodes. Neither changes training.',
    term: 'solved',
  },
  stepsPerSecond: { text: 'Environment steps per second of training, over all environments.', term: 'step' },
  policyMap: {
    text: 'Preferred action in each state. The two axes are state dimensions; all other dimensions have the values of the focused environment, whose path is the line.',
    term: 'policy',
  },
  valueMap: {
    text: 'Return that the network expects from each state on: bright is promising. The two axes are state dimensions; the line is the path of the focused environment.',
    term: 'value',
  },
  axis: { text: 'State dimension on this axis of both maps.', term: 'state' },
  learnedLake: {
    text: 'Expected return of each tile and most probable action, as learned so far. A click changes a tile while training runs.',
    term: 'value',
  },
  optimalLake: {
    text: 'Best possible return of each tile and best action, computed from the known rules for comparison.',
    term: 'value-iteration',
  },
  brush: { text: 'Kind of tile that a click on the learned lake sets.', term: 'environment' },
  parameters: {
    text: 'Physics of the environment. Changes take effect at once, in training and preview. A double click on a slider restores its default.',
    term: 'environment',
  },
} satisfies Record<string, HelpText>
