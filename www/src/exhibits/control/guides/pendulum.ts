/** Guided path of Pendulum: continuous actions, and a motor that is too weak to lift the rod at once. */
import { number } from '../../../lib/format'
import type { Guide } from '../../shared/guide/guide'
import { adaptationStep, presetStep, solvingStep, testStep, untrainedStep } from './shared'

/** Mean return that counts as solved. */
const solved = -200
const weak = 1
const strong = 8
const weakMotor = { path: 'world.max_torque', value: weak, isReached: (torque: number) => torque <= weak }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'A motor must swing a rod up and hold it there, but is too weak to lift it at once. Each rod is one attempt, an [episode](episode) of 200 steps. A [neural network](network) reads how the rod stands and turns, and sets the torque of the motor, from −2 to 2 N·m: this rule is the [policy](policy). A rod that leans, turns fast or needs force loses points; the [reward](reward) of a step is at most 0.',
      question: 'What return does a policy with random weights have?',
    },
    (evaluated) =>
      `The mean return of 100 episodes is ${number(evaluated, 0)}, which is ${number(evaluated / 200, 1)} per step. A rod that hangs still has −9.9 per step.`,
  ),
  solvingStep(
    {
      title: 'A continuous action',
      text: 'The motor has no two or three settings, but any strength. The network chooses a torque, and training adds some chance to it, to try what is better: the [policy](policy) is a normal distribution with a learned width. The learner is [PPO](policy-gradient).',
      question: 'How many environment steps does PPO need to solve the task?',
    },
    solved,
    (mean) =>
      `The mean return is now ${number(mean, 0)}. The task counts as solved at ${number(solved, 0)}: the swing up has a cost in every episode.`,
  ),
  testStep(
    {
      text: 'Learning is off, so that the weights stay fixed. Half the torque needs more swings to lift the rod, and the policy was not trained with it.',
      question: 'What happens if the motor has half its torque?',
      label: 'Halve the torque and evaluate',
    },
    solved,
    weakMotor,
    (evaluated, torque) =>
      `With ${number(torque)} N·m, the mean return of 100 episodes is ${number(evaluated, 0)}.${
        evaluated < solved ? ' The rod needs more swings until it is upright.' : ''
      }`,
  ),
  adaptationStep(
    {
      text: 'The environments keep the weak motor, and learning continues from the current weights. The curve of the mean return has a mark where the torque was changed.',
      question: 'Does the policy learn to swing more often?',
      label: 'Train with the weak motor',
    },
    weakMotor,
    (torque) => `with ${number(torque)} N·m`,
  ),
  presetStep(
    {
      title: 'A strong motor',
      text: 'The preset has a torque of 8 N·m, more than the weight of the rod needs: the motor can lift the rod without a swing.',
      question: 'How much of the cost was the swing?',
      label: 'Train with a strong motor',
    },
    'strong-motor',
    { field: 'world.max_torque', isReached: (torque) => torque >= strong },
    (mean, updates) =>
      `After ${updates} gradient steps, the mean return of the last 100 episodes is ${number(mean, 0)}.`,
  ),
]
