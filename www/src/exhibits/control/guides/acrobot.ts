/** Guided path of Acrobot: two links and one motor, and a test with another motor. */
import { number } from '../../../lib/format'
import type { Guide } from '../../shared/guide/guide'
import { adaptationStep, furtherPreset, presetStep, solvingStep, testStep, untrainedStep } from './shared'

/** Mean return that counts as solved. */
const solved = -100
/** Return of an episode that does not reach the goal. */
const lowest = -500
/** Mean return with the weak motor that is near the best one. */
const adapted = -153
const weak = 0.5
const weakMotor = { path: 'world.torque', value: weak, isReached: (torque: number) => torque <= weak }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'Two links hang from a hinge, like an arm with an elbow. The only motor is at the elbow. A [neural network](network) reads how both links hang and move, and turns the motor left, right, or not at all: this rule is the [policy](policy). An [episode](episode) is one attempt, from the reset to its end: when the tip is above the line, or after 500 steps. Each step costs one point, so that the points of an episode are negative.',
      question: 'Does an untrained network reach the line?',
      guesses: ['Sometimes', 'Never'],
      usually: 'hardly any episode reaches the line: random turns of the motor cancel each other.',
    },
    (evaluated) => ({
      text: `${
        evaluated > lowest
          ? 'Some episodes reached the line by luck, the others ended after 500 steps.'
          : 'No episode reached the line within 500 steps, because random turns of the motor cancel each other.'
      } The mean of their points, the mean return, is ${number(evaluated)}.`,
      right: evaluated > lowest ? 0 : 1,
    }),
  ),
  solvingStep(
    {
      title: 'Learning from rewards',
      text: 'In training the motor often turns at random. Some episodes reach the line by luck, and lose fewer points than the others: they have a higher [return](return). Training makes the actions of such episodes more probable ([policy gradient](policy-gradient)).',
      question: `After how many steps is the task solved (${-solved} steps to the line)?`,
    },
    solved,
    [100_000, 200_000],
    (mean) =>
      `the tip reaches the line after ${number(-mean, 0)} steps on average, because the motor turns in time with the swing`,
  ),
  testStep(
    {
      text: 'Training is off: the network stays as it is. The policy was trained with a torque of 1 N·m; the slider changes the torque of all motors.',
      question: 'Does the policy reach the line with half the torque?',
      guesses: ['Yes, as fast as before', 'Yes, but later', 'No'],
      label: 'Halve the torque and evaluate',
    },
    solved,
    weakMotor,
    (evaluated, torque) => ({
      text: `${
        evaluated >= solved
          ? 'The policy is as fast as before'
          : evaluated > lowest
            ? 'The tip needs more steps, or does not reach the line in all episodes, because half the torque adds less to each swing'
            : 'No episode reached the line, because half the torque adds too little to each swing'
      }: with ${number(torque)} N·m, the mean return of 100 episodes is ${number(evaluated)}.`,
      right: evaluated >= solved ? 0 : evaluated > lowest ? 1 : 2,
    }),
  ),
  adaptationStep(
    {
      text: 'The button keeps the motors weak, or weakens them if they are not yet, and turns training on. The network continues with what it has learned so far. The curve of the mean return has a mark where the torque was changed.',
      question: 'Does the policy adapt to the weak motor?',
      label: 'Train with the weak motor',
    },
    weakMotor,
    adapted,
    'a weak motor needs more swings, and each update changes the policy only a little',
  ),
  presetStep(
    {
      title: 'A heavy leg',
      text: 'The preset doubles the mass of the lower link. The motor must move twice the mass with the same torque.',
      question: 'How many steps does the tip need with a heavy lower link?',
      label: 'Train with a heavy leg',
    },
    'heavy-leg',
    { field: 'world.link_mass_2', isReached: (mass) => mass >= 2 },
    (mean, steps) =>
      mean > lowest
        ? `After ${steps} of training, the tip reaches the line after ${number(-mean, 0)} steps on average: the same motor moves a heavier link more slowly.`
        : `After ${steps} of training, no episode has reached the line.`,
    {
      learned: [
        {
          text: 'The policy learns to turn the motor in time with the swing, although only the line ends the costs.',
          steps: [1, 2],
        },
        { text: 'A weaker motor needs more swings, and more training.', steps: [3, 4] },
        { text: 'A heavier link needs more steps with the same motor.', steps: [5] },
      ],
      next: furtherPreset('Train with the default settings again', 'default'),
    },
    (mean) => mean > lowest,
  ),
]
