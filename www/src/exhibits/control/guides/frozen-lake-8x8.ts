/** Guided path of the larger frozen lake: a reward that is found by chance, and a change of the lake. */
import { compact, number } from '../../../lib/format'
import { ranges, step, trainFast, type Guide } from '../../shared/guide/guide'
import { dqnStep, percent, rareGoal, reached, slipTest } from './lake'
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
      text: 'Cross a large frozen lake: 64 tiles, ten of them holes, and the goal is 14 moves away. A [neural network](network) chooses a direction on each tile; this rule is the [policy](policy). The ice is slippery: only a third of the moves goes where it should. The goal gives one point; all else gives none. An attempt ends at the goal, in a hole, or after 200 steps.',
      question: 'How often does an untrained network reach the goal?',
      guesses: rareGoal.guesses,
    },
    (evaluated) => ({
      text: `The agent reaches the goal in ${percent(evaluated)} of 100 attempts, because random moves meet a hole long before the goal. An agent that never reaches the goal gets no reward, and so nothing to learn from.`,
      right: rareGoal.indexOf(evaluated),
    }),
  ),
  step({
    title: 'The first goal',
    text: 'At first the directions are random, and only a few of a thousand attempts reach the goal. Training can learn only from these ([policy gradient](policy-gradient)), and keeps the directions random until then.',
    question: 'After how many steps does the agent reach the goal in 10 % of the attempts?',
    guesses: firstGoal.guesses,
    target: 'return',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean },
    outcome: ({ mean }, _, find) => {
      const at = find?.('return_mean', ({ value }) => value >= found)
      return at && mean !== undefined
        ? {
            text: `After ${compact(at.steps)} steps, the agent had reached the goal in ${percent(at.value)} of 100 attempts. The values on the left lake spread from the goal backwards, because a tile is worth more if its moves lead to a tile of value. Training is paused.`,
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
      text: 'The left lake shows the learned direction and [value](value) of each tile, the right lake the best possible, by [value iteration](value-iteration). The best policy keeps away from the holes in the middle, even if its way is longer; it reaches the goal in 89 of 100 episodes.',
      question: 'After how many steps is the task solved?',
    },
    solved,
    [500_000, 1_000_000],
    (mean) =>
      `At present ${reached(mean)}, because its moves keep away from the holes in the middle. The task counts as solved at ${number(100 * solved, 1)} %.`,
  ),
  slipTest(
    solved,
    'many of its moves point at a border or away from a hole, and the ice turns them toward the goal.',
    'A move at a border goes nowhere if it never slips',
  ),
  step({
    title: 'Another hole',
    text: 'The button makes the ice slippery again and adds a hole at the right border, on the path of the policy. Learning continues with what the network has learned so far. The best policy on the right is computed again at once; the learned one needs experience.',
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
        ? `${compact(steps - (then.steps ?? 0))} steps later, ${reached(mean)}: the way along the right border is riskier now. Training is paused. The number on the start tile of the right lake is the best possible value there, discounted.`
        : null,
    isFinal: () => true,
    finish: pause,
  }),
  {
    ...dqnStep,
    summary: {
      learned: [
        'A reward that is found rarely makes learning slow: the agent learns only after the first goals.',
        'The best way is a detour around the holes, because the ice is slippery.',
        'The values change with the lake, and the policy follows them with more experience.',
      ],
      next: furtherPreset('Train on ice without slip', 'not-slippery'),
    },
  },
]
