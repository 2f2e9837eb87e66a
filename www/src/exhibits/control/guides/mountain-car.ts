/** Guided path of MountainCar: a reward that is the same everywhere, found by exploration. */
import { compact, number } from '../../../lib/format'
import { step, type Guide } from '../../shared/guide/guide'
import {
  evaluated,
  evaluateUntrained,
  mean,
  steps,
  testWith,
  trainFast,
  trainPreset,
  updates,
} from './shared'

/** Mean return that counts as solved. */
const solved = -110
/** Return of an episode that does not reach the flag. */
const lowest = -200
const steep = 0.003
const strong = 0.002

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'Each dot is one environment with the same policy, a neural network. The network reads position and velocity, and accelerates the car to the left, to the right, or not at all. The engine is too weak to drive straight up the hill. Each step has reward −1; an episode ends at the flag, or after 200 steps.',
    question: 'Does a policy with random weights reach the flag?',
    target: 'living-view',
    setup: [{ kind: 'act', on: true }],
    action: evaluateUntrained,
    figures: { steps, evaluated },
    outcome: ({ steps, evaluated }) =>
      steps === 0 && evaluated !== undefined
        ? `The mean return of 100 episodes is ${number(evaluated)}. ${
            evaluated > lowest
              ? 'Some episodes reached the flag, the others ended after 200 steps.'
              : 'No episode reached the flag within 200 steps.'
          }`
        : null,
  }),
  step({
    title: 'Exploration',
    text: 'While no episode reaches the flag, all returns are −200, and no action is better than another. In training, actions are sampled from the policy, and the entropy bonus keeps it random. Some episodes reach the flag by chance; PPO makes their actions more probable.',
    question: 'How many environment steps does PPO need to solve the task?',
    target: 'return',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean, steps },
    outcome: ({ mean, steps }) =>
      mean !== undefined && steps !== undefined && mean >= solved
        ? `After ${compact(steps)} environment steps, the car reaches the flag after ${number(-mean, 0)} steps on average. The task counts as solved at ${-solved}.`
        : null,
  }),
  step({
    title: 'A test without learning',
    text: 'Learning is off, so that the weights stay fixed. The policy was trained with a gravity of 0.0025 per step². More gravity makes the hills steeper for the same engine.',
    question: 'What does the policy do on a steeper hill?',
    target: 'live-world.gravity',
    setup: [{ kind: 'learn', on: false }],
    action: { label: `Raise gravity to ${steep} and evaluate`, does: testWith('world.gravity', steep) },
    figures: { gravity: { field: 'world.gravity' }, evaluated },
    outcome: ({ gravity, evaluated }) =>
      gravity !== undefined && evaluated !== undefined && gravity >= steep
        ? `The mean return of 100 episodes is ${number(evaluated)}. ${
            evaluated > lowest
              ? 'A steeper hill takes more swings, but the policy is the same: it accelerates in the direction of the motion.'
              : 'No episode reached the flag.'
          }`
        : null,
  }),
  step({
    title: 'Learning continues',
    text: 'The environments keep their gravity, and learning continues from the current weights. The curve of the mean return has a mark where the gravity was changed.',
    question: 'Does the policy adapt to the steeper hill?',
    target: 'return',
    action: { label: 'Train on the steeper hill', does: trainFast },
    figures: { gravity: { field: 'world.gravity' }, mean, updates },
    outcome: ({ gravity, mean, updates }, then) =>
      gravity !== undefined &&
      mean !== undefined &&
      updates !== undefined &&
      updates >= (then.updates ?? 0) + 1000
        ? `${updates - (then.updates ?? 0)} gradient steps later, at gravity ${gravity}, the mean return of the last 100 episodes is ${number(mean)}${
            then.mean === undefined ? '' : `; before the change it was ${number(then.mean)}`
          }.`
        : null,
  }),
  step({
    title: 'A stronger engine',
    text: 'The preset has twice the motor force. At the default gravity, a force of 0.0021 would be enough to drive straight up.',
    question: 'How many steps does the car need with twice the force?',
    target: 'preset',
    action: { label: 'Train with a strong engine', does: trainPreset('strong-engine') },
    figures: { force: { field: 'world.force' }, mean, updates },
    outcome: ({ force, mean, updates }) =>
      force !== undefined && force >= strong && mean !== undefined && updates !== undefined && updates >= 600
        ? `After ${updates} gradient steps, the car reaches the flag after ${number(-mean, 0)} steps on average.`
        : null,
  }),
]
