/** Guided path of the frozen lake: random transitions, and a comparison with the exact optimum. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Action, type Guide } from '../../shared/guide/guide'
import { dqnStep, lakes, percent, rareGoal, reached, slipTest } from './lake'
import { furtherPreset, mean, pause, solvingStep, steps, untrainedStep, updates } from './shared'

/** Mean return that counts as solved. */
const solved = 0.725
/** Share of the episodes that reach the goal if the policy has a path without holes. */
const shortest = 0.95
/** Entropy in nats below which a policy hardly varies its actions. */
const certain = 0.05
const withoutSlip: Action = { kind: 'set', path: 'world.success_rate', value: 1 }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'Cross a frozen lake without falling into a hole. On each tile a [neural network](network) chooses one of four directions; this rule is the [policy](policy). The ice is slippery: only a third of the moves goes where it should, the others turn left or right. The goal gives one point; all else gives none. An [episode](episode) is one attempt, from the start tile to its end: at the goal, in a hole, or after 100 steps.',
      question: 'How often does an untrained network reach the goal?',
      guesses: rareGoal.guesses,
      usually: 'an untrained network reaches the goal in 1 or 2 of 100 episodes.',
    },
    (evaluated) => ({
      text: `The goal is reached in ${percent(evaluated)} of 100 episodes, because random directions soon meet a hole.`,
      right: rareGoal.indexOf(evaluated),
    }),
  ),
  solvingStep(
    {
      title: 'Learning from a rare reward',
      text: 'An episode earns one point or none. Training makes directions more probable that led to the goal more often than expected ([policy gradient](policy-gradient)). The left lake shows the learned direction of each tile and how good the tile is, its [value](value). The right lake shows the best possible, computed by [value iteration](value-iteration).',
      shows: lakes,
      question: `After how many steps is the task solved (goal in ${number(100 * solved, 1)} % of the episodes)?`,
    },
    solved,
    [200_000, 400_000],
    (mean) =>
      `${reached(mean)}, because the learned directions keep away from the holes, even if the ice turns them`,
  ),
  slipTest(
    solved,
    'beside a hole it moves away from the hole, and lets the ice turn it toward the goal.',
    'Against a border, a move that never slips goes nowhere',
  ),
  step({
    title: 'Learning continues',
    text: 'The button keeps the ice without slip, or removes the slip if it is not yet, and turns training on. The network continues with what it has learned so far. The best policy on the right is then a shortest path to the goal.',
    question: 'Does the policy find a shortest path?',
    guesses: ['Yes', 'No'],
    target: 'lake-learned',
    action: { label: 'Train without slip', does: [withoutSlip, ...trainFast] },
    figures: { rate: { field: 'world.success_rate' }, entropy: { metric: 'entropy' }, mean, updates, steps },
    outcome: ({ rate, entropy, mean, updates, steps }, then) => {
      if (rate !== 1 || entropy === undefined || mean === undefined) return null
      if (updates === undefined || steps === undefined || updates < (then.updates ?? 0) + 1000) return null
      const figures = `${compact(steps - (then.steps ?? 0))} steps later, ${reached(mean)}.`
      if (mean >= shortest)
        return {
          text: `${figures} Without slip, each success shows directions that always lead to the goal.`,
          right: 0,
        }
      return mean < solved && entropy < certain
        ? {
            text: `${figures} The policy hardly varies its directions any more, so that it finds no better ones.`,
            right: 1,
          }
        : `Not yet: ${figures}`
    },
    isFinal: ({ entropy, mean }) =>
      mean !== undefined && (mean >= shortest || (mean < solved && (entropy ?? 1) < certain)),
    finish: pause,
  }),
  {
    ...dqnStep,
    summary: {
      learned: [
        { text: 'A reward at the goal alone is enough to learn a direction for each tile.', steps: [1, 2] },
        {
          text: 'The best policy depends on the ice: a policy for slippery ice fails without slip, until it is trained again.',
          steps: [3, 4],
        },
        { text: 'There are several ways to learn from the same rewards; DQN is one of them.', steps: [5] },
      ],
      next: furtherPreset('Train on ice without slip', 'not-slippery'),
    },
  },
]
