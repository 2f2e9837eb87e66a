/** Guided path of MountainCar: the reward is constant until the goal, which exploration has to find first. */
import { number } from '../../../lib/format'
import type { Guide } from '../../shared/guide/guide'
import { adaptationStep, presetStep, solvingStep, testStep, untrainedStep } from './shared'

/** Mean return that counts as solved. */
const solved = -110
/** Return of an episode that does not reach the flag. */
const lowest = -200
const steep = 0.003
const strong = 0.002
const steepHill = { path: 'world.gravity', value: steep, isReached: (gravity: number) => gravity >= steep }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'Each dot is one environment with the same policy, a neural network. The network reads position and velocity, and accelerates the car to the left, to the right, or not at all. The engine is too weak to drive straight up the hill. Each step has reward −1; an episode ends at the flag, or after 200 steps.',
      question: 'Does a policy with random weights reach the flag?',
    },
    (evaluated) =>
      `The mean return of 100 episodes is ${number(evaluated)}. ${
        evaluated > lowest
          ? 'Some episodes reached the flag, the others ended after 200 steps.'
          : 'No episode reached the flag within 200 steps.'
      }`,
  ),
  solvingStep(
    {
      title: 'Exploration',
      text: 'While no episode reaches the flag, all returns are −200, and no action is better than another. In training, actions are sampled from the policy, and the entropy bonus keeps it random. Some episodes reach the flag by chance; PPO makes their actions more probable.',
      question: 'How many environment steps does PPO need to solve the task?',
    },
    solved,
    (mean) =>
      `The car now reaches the flag after ${number(-mean, 0)} steps on average. The task counts as solved at ${-solved}.`,
  ),
  testStep(
    {
      text: 'Learning is off, so that the weights stay fixed. The policy was trained with a gravity of 0.0025 per step². More gravity makes the hills steeper for the same engine.',
      question: 'What does the policy do on a steeper hill?',
      label: `Raise gravity to ${steep} and evaluate`,
    },
    solved,
    steepHill,
    (evaluated) =>
      `The mean return of 100 episodes is ${number(evaluated)}. ${
        evaluated > lowest
          ? 'A steeper hill takes more swings, but the policy is the same: it accelerates in the direction of the motion.'
          : 'No episode reached the flag.'
      }`,
  ),
  adaptationStep(
    {
      text: 'The environments keep their gravity, and learning continues from the current weights. The curve of the mean return has a mark where the gravity was changed.',
      question: 'Does the policy adapt to the steeper hill?',
      label: 'Train on the steeper hill',
    },
    steepHill,
    (gravity) => `at gravity ${gravity}`,
  ),
  presetStep(
    {
      title: 'A stronger engine',
      text: 'The preset has twice the motor force. At the default gravity, a force of 0.0021 would be enough to drive straight up.',
      question: 'How many steps does the car need with twice the force?',
      label: 'Train with a strong engine',
    },
    'strong-engine',
    { field: 'world.force', isReached: (force) => force >= strong },
    (mean, updates) =>
      `After ${updates} gradient steps, ${
        mean > lowest
          ? `the car reaches the flag after ${number(-mean, 0)} steps on average`
          : 'no episode has reached the flag'
      }.`,
  ),
]
