/** Texts of each classic-control environment: introduction, meaning of the mean return, result of a solved run. */
import { number } from '../../lib/format'
import type { WorldOf } from '../../worlds'
import type { NextStep } from '../shared/ending/ending'
import { watchAgain } from '../shared/ending/watch-again'

interface ControlTexts {
  /** What the learner does and how a visitor takes part: two sentences without terms of the field. */
  lead: string
  /** What the mean return counts: the note below the number. */
  returnMeaning: string
  /** Paths of the environment parameters in the simple view. */
  basics: readonly string[]
  /** Whether the mean return counts steps, so that it is also a time. */
  isTime?: true
  /** Returns the clause of the end panel that describes the mean return. */
  result: (mean: number) => string
  /** Suggestions of the end panel besides the next exhibit, in order of preference. */
  next: readonly NextStep[]
}

const again = watchAgain('living-view')

const preset = (label: string, name: string): NextStep => ({
  label,
  does: [
    { kind: 'restart', preset: name },
    { kind: 'learn', on: true },
  ],
  target: 'living-view',
})

const steps = (mean: number) => number(-mean, 0)

const lake = {
  basics: ['world.success_rate'],
  returnMeaning: 'Share of the episodes that reach the goal, from 0 to 1.',
  result: (mean: number) => `the goal is reached in ${number(100 * mean, 0)} % of the episodes`,
}

export const texts: Record<WorldOf<'control'>, ControlTexts> = {
  cartpole: {
    lead: 'The computer pushes a cart to keep the pole on it upright. It begins with random pushes and improves by trial and error.',
    basics: ['world.gravity', 'world.pole_half_length', 'world.force'],
    returnMeaning: 'Steps until the episode ends, at most 500.',
    isTime: true,
    result: (mean) => `mean return ${number(mean, 0)} of 500`,
    next: [
      again,
      preset('Moon gravity', 'moon'),
      {
        label: 'Push the cart',
        does: [
          { kind: 'learn', on: false },
          { kind: 'act', on: true },
          { kind: 'press', element: 'living-view', key: 'd' },
        ],
        target: 'living-view',
      },
    ],
  },
  'mountain-car': {
    lead: 'The motor is too weak to climb the hill. The computer finds out by trial and error that it has to swing back and forth.',
    basics: ['world.gravity', 'world.force'],
    returnMeaning: 'Steps until the car reaches the flag, with a minus sign.',
    result: (mean) => `the car reaches the flag after ${steps(mean)} steps on average`,
    next: [preset('Steep hill', 'steep-hill'), again],
  },
  pendulum: {
    lead: 'The computer turns a rod until it stands upright. The motor is weak, so the rod has to swing first.',
    basics: ['world.gravity', 'world.length', 'world.max_torque'],
    returnMeaning: 'Sum of the costs of an episode, with a minus sign; 0 is best.',
    result: (mean) => `mean return ${number(mean, 0)}, at most 0`,
    next: [preset('Weak motor', 'weak-motor'), again],
  },
  acrobot: {
    lead: 'A motor drives the joint between two links. By trial and error, the computer learns to swing the tip above the line.',
    basics: ['world.gravity', 'world.torque'],
    returnMeaning: 'Steps until the tip is above the line, with a minus sign.',
    result: (mean) => `the tip crosses the line after ${steps(mean)} steps on average`,
    next: [preset('Heavy leg', 'heavy-leg'), again],
  },
  'frozen-lake': {
    ...lake,
    lead: 'The computer crosses slippery ice to a goal and avoids the holes. By trial and error, it learns the best direction on each tile.',
    next: [
      preset('Not slippery', 'not-slippery'),
      {
        label: 'Change the lake',
        does: [{ kind: 'click', element: 'brush-H' }],
        target: 'lake-learned',
      },
      again,
    ],
  },
  'frozen-lake-8x8': {
    ...lake,
    lead: 'The same game on a larger lake. At first the computer reaches the goal only by chance; it learns from these rare successes.',
    next: [preset('Not slippery', 'not-slippery'), again],
  },
}

/** Returns the value of `read` for each environment. */
export const forEachWorld = <Value>(read: (texts: ControlTexts, world: WorldOf<'control'>) => Value) =>
  Object.fromEntries(
    Object.entries(texts).map(([world, its]) => [world, read(its, world as WorldOf<'control'>)]),
  ) as Record<WorldOf<'control'>, Value>
