/** Guided path of Acrobot: two links and one motor, and a test with another motor. */
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
const solved = -100
/** Return of an episode that does not reach the goal. */
const lowest = -500
const weak = 0.5

export const guide: Guide = [
  step({
    title: 'The task',
    text: 'Two links hang from a hinge; the only motor is at the joint between them. The network reads the angles and angular velocities of both links, and turns the motor clockwise, counterclockwise, or not at all. Each step has reward −1. An episode ends when the tip is above the line, or after 500 steps.',
    question: 'Does a policy with random weights reach the line?',
    target: 'living-view',
    setup: [{ kind: 'act', on: true }],
    action: evaluateUntrained,
    figures: { steps, evaluated },
    outcome: ({ steps, evaluated }) =>
      steps === 0 && evaluated !== undefined
        ? `The mean return of 100 episodes is ${number(evaluated)}. ${
            evaluated > lowest
              ? 'Some episodes reached the line, the others ended after 500 steps.'
              : 'No episode reached the line within 500 steps.'
          }`
        : null,
  }),
  step({
    title: 'Learning from rewards',
    text: 'In training, actions are sampled from the policy. Some episodes reach the line by chance, and have a higher return than the others. PPO makes the actions of such episodes more probable.',
    question: 'How many environment steps does PPO need to solve the task?',
    target: 'return',
    action: { label: 'Train at full speed', does: trainFast },
    figures: { mean, steps },
    outcome: ({ mean, steps }) =>
      mean !== undefined && steps !== undefined && mean >= solved
        ? `After ${compact(steps)} environment steps, the tip reaches the line after ${number(-mean, 0)} steps on average. The task counts as solved at ${-solved}.`
        : null,
  }),
  step({
    title: 'A test without learning',
    text: 'Learning is off, so that the weights stay fixed. The policy was trained with a torque of 1 N·m; the slider changes the torque of all environments.',
    question: 'Does the policy reach the line with half the torque?',
    target: 'live-world.torque',
    setup: [{ kind: 'learn', on: false }],
    action: { label: 'Halve the torque and evaluate', does: testWith('world.torque', weak) },
    figures: { torque: { field: 'world.torque' }, evaluated },
    outcome: ({ torque, evaluated }) =>
      torque !== undefined && evaluated !== undefined && torque <= weak
        ? `With ${number(torque)} N·m, the mean return of 100 episodes is ${number(evaluated)}.${
            evaluated > lowest ? '' : ' No episode reached the line.'
          }`
        : null,
  }),
  step({
    title: 'Learning continues',
    text: 'The environments keep the weak motor, and learning continues from the current weights. The curve of the mean return has a mark where the torque was changed.',
    question: 'Does the policy adapt to the weak motor?',
    target: 'return',
    action: { label: 'Train with the weak motor', does: trainFast },
    figures: { torque: { field: 'world.torque' }, mean, updates },
    outcome: ({ torque, mean, updates }, then) =>
      torque !== undefined &&
      mean !== undefined &&
      updates !== undefined &&
      updates >= (then.updates ?? 0) + 1000
        ? `${updates - (then.updates ?? 0)} gradient steps later, with ${number(torque)} N·m, the mean return of the last 100 episodes is ${number(mean)}${
            then.mean === undefined ? '' : `; before the change it was ${number(then.mean)}`
          }.`
        : null,
  }),
  step({
    title: 'A heavy leg',
    text: 'The preset doubles the mass of the lower link. The motor must move twice the mass with the same torque.',
    question: 'How many steps does the tip need with a heavy lower link?',
    target: 'preset',
    action: { label: 'Train with a heavy leg', does: trainPreset('heavy-leg') },
    figures: { mass: { field: 'world.link_mass_2' }, mean, updates },
    outcome: ({ mass, mean, updates }) =>
      mass !== undefined && mass >= 2 && mean !== undefined && updates !== undefined && updates >= 600
        ? `After ${updates} gradient steps, the tip reaches the line after ${number(-mean, 0)} steps on average.`
        : null,
  }),
]
