/** Guided path of the larger frozen lake: a reward that is found by chance, and a change of the lake. */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, type Guide } from '../../shared/guide/guide'
import { dqnStep, lakes, percent, rareGoal, reached, slipTest } from './lake'
import { furtherPreset, mean, pause, roundSteps, solvingStep, steps, untrainedStep, updates } from './shared'

/** Mean return that counts as solved. */
const solved = 0.875
/** Mean return of an agent that has found the goal. */
const found = 0.1
/** Steps before the agent has found the goal. */
const firstGoal = ranges([50_000, 200_000], roundSteps)
/** A tile at the right border, above the goal: row 4, column 8. */
const tile = 'tile-31'

export const guide: Guide = [
  untrainedStep(
    {
      text: 'Cross a large frozen lake: 64 tiles, ten of them holes, and the goal is 14 moves away. A [neural network](network) chooses a direction on each tile; this rule is the [policy](policy). The ice is slippery: only a third of the moves goes where it should. The goal gives one point; all else gives none. An [episode](episode) is one attempt, from the start tile to its end: at the goal, in a hole, or after 200 steps.',
      question: 'How often does an untrained network reach the goal?',
      guesses: rareGoal.guesses,
      usually: 'an untrained network hardly ever reaches the goal.',
    },
    (evaluated) => ({
      text: `The goal is reached in ${percent(evaluated)} of 100 episodes, because random directions meet a hole long before the goal. Without a reward there is nothing to learn from.`,
      right: rareGoal.indexOf(evaluated),
    }),
  ),
  step({
    title: 'The first goal',
    text: 'At first the directions are random, and only a few of a thousand episodes reach the goal. Training can learn only from these ([policy gradient](policy-gradient)), and keeps the directions random until then.',
    question: 'After how many steps is the goal reached in 10 % of the episodes?',
    guesses: firstGoal.guesses,
    target: 'return',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean },
    outcome: ({ mean }, _, find) => {
      const at = find?.('return_mean', ({ value }) => value >= found)
      return at && mean !== undefined
        ? {
            text: `After ${compact(at.steps)} steps, the goal was reached in ${percent(at.value)} of the last 100 episodes. Training is paused.`,
            right: firstGoal.indexOf(at.steps),
          }
        : null
    },
    isFinal: () => true,
    finish: pause,
  }),
  solvingStep(
    {
      title: 'A detour around the holes',
      text: 'The left lake shows the learned direction of each tile and how good the tile is, its [value](value); the right lake shows the best possible, computed by [value iteration](value-iteration). The best policy keeps away from the holes in the middle, even if its way is longer; it reaches the goal in 89 of 100 episodes.',
      shows: lakes,
      question: `After how many steps is the task solved (goal in ${number(100 * solved, 1)} % of the episodes)?`,
    },
    solved,
    [500_000, 1_000_000],
    (mean) => `${reached(mean)}, because the learned directions keep away from the holes in the middle`,
  ),
  slipTest(
    solved,
    'many of its moves point at a border or away from a hole, and the ice turns them toward the goal.',
    'A move at a border goes nowhere if it never slips',
  ),
  step({
    title: 'Another hole',
    text: 'The button makes the ice slippery again and adds a hole at the right border, on the path of the policy. Training continues with what the network has learned so far. The best policy on the right is computed again at once; the learned one needs experience.',
    question: 'How much worse is the best policy with this hole?',
    target: 'lake-learned',
    setup: [{ kind: 'learn', on: false }],
    action: {
      label: 'Break the ice and train',
      does: [
        { kind: 'click', element: 'world-defaults', optional: true },
        { kind: 'click', element: 'brush-H' },
        { kind: 'click', element: tile },
        ...trainFast,
      ],
    },
    figures: { mean, updates, steps },
    outcome: ({ mean, updates, steps }, then) =>
      mean !== undefined &&
      steps !== undefined &&
      updates !== undefined &&
      updates >= (then.updates ?? 0) + 1000
        ? `${compact(steps - (then.steps ?? 0))} steps later, ${reached(mean)}: the way along the right border is riskier now. Training is paused.`
        : null,
    isFinal: () => true,
    finish: pause,
  }),
  {
    ...dqnStep,
    summary: {
      learned: [
        {
          text: 'A reward that is found rarely makes learning slow: the network learns only after the first goals.',
          steps: [1, 2],
        },
        { text: 'The best way is a detour around the holes, because the ice is slippery.', steps: [3, 4] },
        {
          text: 'The values change with the lake, and the policy follows them with more experience.',
          steps: [5],
        },
      ],
      next: furtherPreset('Train on ice without slip', 'not-slippery'),
    },
  },
]
