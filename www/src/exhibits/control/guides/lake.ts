/** Steps that the guided paths of the frozen lakes share. */
import { compact, number } from '../../../lib/format'
import { leavePreset, ranges, step, type GuideStep } from '../../shared/guide/guide'
import { mean, pause, steps, testStep, trainPreset } from './shared'

export const percent = (share: number) => `${number(100 * share, 0)} %`

/** Shares of the episodes in which an untrained policy reaches the goal. */
export const rareGoal = ranges([0.02, 0.1], (share) => number(100 * share, 0), ' %')

/** Sentence about the last 100 training episodes. */
export const reached = (mean: number) => `the goal is reached in ${percent(mean)} of the last 100 episodes`

/**
 * Returns a guide step that evaluates a policy with the mean return `solved` on ice that is not slippery. `training`
 * describes the moves that the policy has learned on slippery ice; `failure` follows if it fails without slip.
 */
export const slipTest = (solved: number, training: string, failure: string): GuideStep =>
  testStep(
    {
      text: `Training is off: the network stays as it is. The policy was trained on slippery ice: ${training}`,
      question: 'Is this policy also good if the ice is not slippery?',
      guesses: ['Yes, as good or better', 'No, worse'],
      usually: 'the policy is worse without slip: the best policy depends on the ice.',
      label: 'Remove the slip and evaluate',
    },
    solved,
    { path: 'world.success_rate', value: 1, isReached: (rate) => rate >= 1 },
    (evaluated) => ({
      text: `The goal is reached in ${percent(evaluated)} of 100 episodes. ${
        evaluated < solved
          ? `${failure}: the best policy depends on the ice.`
          : 'Without slip, the ice turns no move into a hole.'
      }`,
      right: evaluated < solved ? 1 : 0,
    }),
  )

/** What the steps show whose text describes the lakes. */
export const lakes = ['chart-return_mean', 'steps', 'lake-learned'] as const

/** Guide step that trains with DQN. */
export const dqnStep: GuideStep = step({
  title: 'Another learner',
  text: 'There is more than one way to learn. Here the network learns by [deep Q-learning](q-value) (DQN): it predicts how many points each direction will bring. At first all directions are random; the share of random ones, [ε](epsilon), falls.',
  question: 'How good is the policy of DQN on slippery ice?',
  target: 'preset',
  leave: leavePreset('deep-q-learning'),
  action: { label: 'Train with DQN', does: trainPreset('deep-q-learning') },
  // Only DQN reports ε.
  figures: { epsilon: { metric: 'epsilon' }, mean, steps },
  outcome: ({ epsilon, mean, steps }) =>
    epsilon !== undefined && mean !== undefined && steps !== undefined && steps >= 100_000
      ? `After ${compact(steps)} steps, ${reached(mean)}. A share ε = ${number(epsilon, 2)} of the directions is random, which often ends in a hole; without them the policy is better.`
      : null,
  isFinal: () => true,
  finish: pause,
})
