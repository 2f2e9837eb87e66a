/** Guided path of MountainCar: the reward is constant until the goal, which exploration has to find first. */
import { number } from '../../../lib/format'
import { ranges, type Guide } from '../../shared/guide/guide'
import { adaptationStep, furtherPreset, presetStep, solvingStep, testStep, untrainedStep } from './shared'

/** Mean return that counts as solved. */
const solved = -110
/** Return of an episode that does not reach the flag. */
const lowest = -200
/** Mean return on the steeper hill that is near the best one. */
const adapted = -126
const steep = 0.003
const strong = 0.002
/** Steps until the car with the strong engine reaches the flag: about 69 after training. */
const strongSteps = ranges([50, 100], String)
const steepHill = { path: 'world.gravity', value: steep, isReached: (gravity: number) => gravity >= steep }

export const guide: Guide = [
  untrainedStep(
    {
      text: 'A car in a valley must reach the flag, but its engine is too weak to drive straight up. An [episode](episode) is one attempt, from the start in the valley to its end: at the flag, or after 200 steps. Each dot is one episode. A [neural network](network) reads where the car is and how fast, and drives left, right, or not at all: this rule is the [policy](policy). Each step costs one point, so that the points of an episode are negative.',
      question: 'Does an untrained network reach the flag?',
      guesses: ['Sometimes', 'Never'],
      usually: 'none of 100 episodes reaches the flag: random pushes cancel each other.',
    },
    (evaluated) => ({
      text: `${
        evaluated > lowest
          ? 'Some episodes reached the flag by luck, the others ended after 200 steps.'
          : 'No episode reached the flag within 200 steps, because random pushes cancel each other.'
      } The mean of their points, the mean return, is ${number(evaluated)}.`,
      right: evaluated > lowest ? 0 : 1,
    }),
  ),
  solvingStep(
    {
      title: 'Exploration',
      text: 'While no episode reaches the flag, all lose 200 points, and no action looks better than another. Training therefore keeps the actions random for a while. Some episodes reach the flag by luck; training makes their actions more probable ([policy gradient](policy-gradient)).',
      question: `After how many steps is the task solved (${-solved} steps to the flag)?`,
    },
    solved,
    [300_000, 600_000],
    (mean) =>
      `the car reaches the flag after ${number(-mean, 0)} steps on average, because each swing back and forth gains some height`,
  ),
  testStep(
    {
      text: 'Training is off: the network stays as it is. The policy was trained with a gravity of 0.0025 per step². More gravity makes the hills steeper for the same engine.',
      question: 'Does the policy reach the flag on a steeper hill?',
      guesses: ['Yes, as fast as before', 'Yes, but later', 'No'],
      label: `Raise gravity to ${steep} and evaluate`,
    },
    solved,
    steepHill,
    (evaluated) => ({
      text: `${
        evaluated >= solved
          ? 'The policy is as fast as before.'
          : evaluated > lowest
            ? 'The car needs more steps, or does not reach the flag in all episodes.'
            : 'No episode reached the flag, because the learned swings gain too little height.'
      } The mean return of 100 episodes is ${number(evaluated)}.`,
      right: evaluated >= solved ? 0 : evaluated > lowest ? 1 : 2,
    }),
  ),
  adaptationStep(
    {
      text: 'The button keeps the gravity, or raises it if it is not yet, and turns training on. The network continues with what it has learned so far. The curve of the mean return has a mark where the gravity was changed.',
      question: 'Does the policy adapt to the steeper hill?',
      label: 'Train on the steeper hill',
    },
    steepHill,
    adapted,
    'the learned swings are a start, but each update changes the policy only a little',
  ),
  presetStep(
    {
      title: 'A stronger engine',
      text: 'The preset has twice the motor force. At the default gravity, a force of 0.0021 would be enough to drive straight up.',
      question: 'How many steps does the car need with twice the force?',
      guesses: strongSteps.guesses,
      label: 'Train with a strong engine',
    },
    'strong-engine',
    { field: 'world.force', isReached: (force) => force >= strong },
    (mean, steps) =>
      mean > lowest
        ? {
            text: `After ${steps} of training, the car reaches the flag after ${number(-mean, 0)} steps on average, because a strong engine needs fewer swings.`,
            right: strongSteps.indexOf(Math.round(-mean)),
          }
        : `After ${steps} of training, no episode has reached the flag.`,
    {
      learned: [
        {
          text: 'A reward that is never reached teaches nothing: random actions have to reach the flag by luck first.',
          steps: [1, 2],
        },
        {
          text: 'The learned swings back and forth gain height that the engine alone cannot give.',
          steps: [2, 5],
        },
        { text: 'On another hill the policy needs more training.', steps: [3, 4] },
      ],
      next: furtherPreset('Train on a steep hill', 'steep-hill'),
    },
    (mean) => mean > lowest,
  ),
]
