/** Steps that the guided paths of the frozen lakes share. */
import { compact, number } from '../../../lib/format'
import { step, type GuideStep } from '../../shared/guide/guide'
import { mean, steps, trainPreset } from './shared'

export const percent = (share: number) => `${number(100 * share, 0)} %`

/** Sentence about the last 100 training episodes. */
export const reached = (mean: number) =>
  `the agent reaches the goal in ${percent(mean)} of the last 100 episodes`

/** Guide step that trains with DQN. */
export const dqnStep: GuideStep = step({
  title: 'Another learner',
  text: 'There is more than one way to learn. This preset learns by [deep Q-learning](q-value) (DQN): the network predicts how many points each direction will bring, from experience in a [replay buffer](replay). At first all directions are random; the share of random ones, [ε](epsilon), falls.',
  question: 'How good is the policy of DQN on slippery ice?',
  target: 'preset',
  action: { label: 'Train with DQN', does: trainPreset('deep-q-learning') },
  // Only DQN reports ε.
  figures: { epsilon: { metric: 'epsilon' }, mean, steps },
  outcome: ({ epsilon, mean, steps }) =>
    epsilon !== undefined && mean !== undefined && steps !== undefined && steps >= 100_000
      ? `After ${compact(steps)} environment steps, ${reached(mean)}, with random actions at the rate ε = ${number(epsilon, 2)}.`
      : null,
})
