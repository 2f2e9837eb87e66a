/** Guided path of Pendulum: continuous actions, and a motor that is too weak to lift the rod at once. */
import { number } from '../../../lib/format'
import { ranges, type Guide } from '../../shared/guide/guide'
import { adaptationStep, furtherPreset, presetStep, solvingStep, testStep, untrainedStep } from './shared'

/** Mean return that counts as solved. */
const solved = -200
/** Mean return with the weak motor that is near the best one. */
const adapted = -260
/** Mean return below which most rods are not upright for half of an episode. */
const lying = -1000
/** Mean returns of an untrained policy. */
const untrained = ranges([-1000, -200], (points) => number(points, 0))
const weak = 1
const strong = 8
const weakMotor = { path: 'world.max_torque', value: weak, isReached: (torque: number) => torque <= weak }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'A motor must swing a rod up and hold it there, but is too weak to lift it at once. Each rod is one [episode](episode): an attempt of 200 steps. A [neural network](network) reads how the rod stands and turns, and sets the torque of the motor, from −2 to 2 N·m: this rule is the [policy](policy). In each step, a rod loses points if it leans, turns fast or needs force; the sum of an episode is its [return](return). The best step has 0 points.',
      question: 'What is the mean return before training?',
      guesses: untrained.guesses,
      usually: 'the mean return is below −1,000: most rods stay low.',
    },
    (evaluated) => ({
      text: `The mean return of 100 episodes is ${number(evaluated, 0)}, or ${number(evaluated / 200, 1)} per step: most rods stay low, because the torque does not follow their swing. A rod that hangs still has −9.9 per step.`,
      right: untrained.indexOf(evaluated),
    }),
  ),
  solvingStep(
    {
      title: 'A continuous action',
      text: 'The motor has no two or three settings, but any strength. The network chooses a torque, and training adds some chance to it. Torques after which the episode went better than expected become more probable ([policy gradient](policy-gradient)).',
      question: `After how many steps is the task solved (mean return ${number(solved, 0)})?`,
    },
    solved,
    [100_000, 250_000],
    (mean) => `the mean return is ${number(mean)}, not 0, because the swing up has a cost in every episode`,
  ),
  testStep(
    {
      text: 'Training is off: the network stays as it is. Half the torque needs more swings to lift the rod, and the policy was not trained with it.',
      question: 'Does the policy lift the rod with half the torque?',
      guesses: ['Yes, as well as before', 'Yes, but later', 'No'],
      label: 'Halve the torque and evaluate',
    },
    solved,
    weakMotor,
    (evaluated, torque) => ({
      text: `${
        evaluated >= solved
          ? 'The policy is as good as before'
          : evaluated >= lying
            ? 'The rod needs more swings, because each one gains less height'
            : 'Most rods do not get up, because each swing gains too little height'
      }. With ${number(torque)} N·m, the mean return of 100 episodes is ${number(evaluated)}.`,
      right: evaluated >= solved ? 0 : evaluated >= lying ? 1 : 2,
    }),
  ),
  adaptationStep(
    {
      text: 'The button keeps the motors weak, or weakens them if they are not yet, and turns training on. The network continues with what it has learned so far. The curve of the mean return has a mark where the torque was changed.',
      question: 'Does the policy learn to swing more often?',
      label: 'Train with the weak motor',
    },
    weakMotor,
    adapted,
    'a weak motor needs more swings, and each update changes the policy only a little',
  ),
  presetStep(
    {
      title: 'A strong motor',
      text: 'The preset has a torque of 8 N·m, more than the weight of the rod needs: the motor can lift the rod without a swing.',
      question: 'What mean return is possible without a swing?',
      label: 'Train with a strong motor',
    },
    'strong-motor',
    { field: 'world.max_torque', isReached: (torque) => torque >= strong },
    (mean, steps) =>
      `After ${steps} of training, the mean return was ${number(mean)}: a rod that is lifted at once spends less time below, where it loses points.`,
    {
      learned: [
        {
          text: 'The policy chooses a torque of any strength, and training varies it to find a better one.',
          steps: [1, 2],
        },
        { text: 'A weak motor is enough: swings bring the rod up.', steps: [4] },
        {
          text: 'A policy that was trained with one motor needs more training for another one.',
          steps: [3, 4],
        },
      ],
      next: furtherPreset('Train with the weak motor', 'weak-motor'),
    },
  ),
]
