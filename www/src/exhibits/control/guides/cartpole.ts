/** Guided path of CartPole: training a policy from rewards, and tests of the trained policy. */
import { compact, number } from '../../../lib/format'
import { step, trainFast, type Guide } from '../../shared/guide/guide'
import {
  mean,
  meanThenAndNow,
  presetStep,
  solvingStep,
  steps,
  testStep,
  untrainedStep,
  updates,
} from './shared'

/** Real time: 50 environment steps per second. */
const realTime = 50
/** Return of an episode of the maximum length. */
const highest = 500
/** Mean return that counts as solved. */
const solved = 475
/** Return of two seconds. */
const short = 2 * realTime
/** Gravity on Earth times two. */
const doubled = 19.6

export const guide: Guide = [
  untrainedStep(
    {
      text: 'Each picture is one environment with the same policy, a neural network. The network reads four numbers and pushes the cart left or right. Each step has reward 1. The episode ends when the pole leans more than 12° or the cart leaves the track.',
      question: 'How long does a policy with random weights balance the pole?',
    },
    (evaluated) =>
      `The mean return of 100 episodes is ${number(evaluated)}: the untrained greedy policy balances the pole for about ${number(evaluated / realTime, 1)} s. In training, actions are sampled: at first both pushes are about equally probable, and the pole falls after about 20 steps, 0.4 s.`,
  ),
  step({
    title: 'Learning from rewards',
    text: 'The policy receives rewards, but no correct actions. PPO runs the policy in many training environments and makes actions more probable that led to a higher return than expected.',
    question: 'How many gradient steps pass before the mean return doubles?',
    target: 'return',
    action: {
      label: 'Train in real time',
      does: [
        { kind: 'speed', speed: realTime },
        { kind: 'learn', on: true },
      ],
    },
    figures: { mean, updates, steps },
    outcome: ({ mean, updates, steps }, then) =>
      mean !== undefined && updates !== undefined && steps !== undefined && updates > (then.updates ?? 0)
        ? `After ${updates} gradient steps on ${compact(steps)} environment steps, the mean return of the last 100 episodes is ${number(mean)}.`
        : null,
  }),
  step({
    title: 'A single update',
    text: 'With the default settings, PPO first collects 64 steps from each of 128 environments. Four passes of gradient steps over these samples then change the policy. PPO clips the objective, so that one update changes the policy only a little.',
    question: 'How far does one update move the policy?',
    target: 'step',
    setup: [{ kind: 'learn', on: false }],
    action: { label: 'Take one update', does: [{ kind: 'single-step', until: 'update' }] },
    figures: { updates, kl: { metric: 'approx_kl' }, clipped: { metric: 'clip_fraction' } },
    outcome: ({ updates, kl, clipped }, then) =>
      updates !== undefined &&
      kl !== undefined &&
      clipped !== undefined &&
      then.updates !== undefined &&
      updates > then.updates
        ? `The update took ${updates - then.updates} gradient steps. The approximate KL divergence between the old and the new policy is ${number(kl, 4)}. The probability ratio of ${number(100 * clipped)} % of the samples was outside the clip range.`
        : null,
  }),
  solvingStep(
    {
      title: 'A solved task',
      text: `The task counts as solved at a mean return of ${solved}. An episode ends after ${highest} steps at the latest, so that ${highest} is the highest return.`,
      question: 'How many environment steps does PPO need to solve the task?',
    },
    solved,
    (mean) => `The mean return of the last 100 episodes is now ${number(mean)}.`,
  ),
  step({
    title: 'What the network knows',
    text: 'The left map shows the probability of a push to the right, the right map the discounted return that the network predicts. Both are drawn over the angle and the angular velocity of the pole.',
    question: 'In which states does the network predict a low return?',
    target: 'map-value',
    action: {
      label: 'Show the position of the cart instead',
      does: [{ kind: 'fill', element: 'map-x', value: '0' }],
    },
    figures: { axis: { element: 'map-x' } },
    outcome: ({ axis }) =>
      axis === 0
        ? 'The horizontal axis of the maps is now the position of the cart. A trained network predicts a lower return near the ends of the track, because a cart that leaves the track ends the episode.'
        : null,
  }),
  testStep(
    {
      text: 'Learning is off, so that the weights stay fixed. The policy was trained with the gravity of the Earth, 9.8 m/s². The slider changes the gravity of all environments.',
      question: 'What happens if gravity doubles?',
      label: 'Double gravity and evaluate',
    },
    solved,
    { path: 'world.gravity', value: doubled, isReached: (gravity) => gravity >= doubled },
    (evaluated, gravity) =>
      `At ${number(gravity)} m/s² the mean return of 100 episodes is ${number(evaluated)} of at most ${highest}. ${
        evaluated >= solved
          ? 'The policy generalizes: it was not trained with this gravity.'
          : 'The policy does not balance every pole that falls faster than in training.'
      }`,
  ),
  step({
    title: 'Learning continues',
    text: 'The environments keep their gravity; the button shortens the pole and turns learning on. The curve of the mean return has a mark where a setting was changed.',
    question: 'Does the policy adapt to a pole of a quarter of the length?',
    target: 'return',
    action: {
      label: 'Shorten the pole and train',
      does: [{ kind: 'set', path: 'world.pole_half_length', value: 0.125 }, ...trainFast],
    },
    figures: { half: { field: 'world.pole_half_length' }, mean, updates },
    outcome: ({ half, mean, updates }, then) =>
      half !== undefined &&
      half <= 0.125 &&
      mean !== undefined &&
      updates !== undefined &&
      updates > (then.updates ?? 0)
        ? `With a pole of ${number(2 * half, 2)} m, ${meanThenAndNow(mean, then.mean)}`
        : null,
  }),
  presetStep(
    {
      title: 'The horizon of the rewards',
      text: 'The discount factor γ weights later rewards. With γ = 0.99 the agent optimizes about the next 100 steps, with γ = 0.8 about the next five.',
      question: 'What does an agent learn that only plans for five steps?',
      label: 'Train with γ = 0.8',
    },
    'short-sighted',
    { field: 'ppo.discount', isReached: (discount) => discount < 0.9 },
    (mean, updates) =>
      `After ${updates} gradient steps the mean return is ${number(mean)}.${
        mean < short
          ? ' Most poles still fall within two seconds.'
          : mean < solved
            ? ' The policy keeps the pole upright, but lets the cart drift off the track, whose end is more than five steps away.'
            : ''
      }`,
  ),
]
