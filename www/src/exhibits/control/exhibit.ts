import type { FamilyExhibit } from '../shared/family'
import { isControl } from '../../engine/page/session'
import { openingSpeeds } from './speed'
import type { WorldOf } from '../../worlds'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  leads: {
    cartpole:
      'The computer pushes a cart to keep the pole on it upright. It begins with random pushes and improves by trial and error.',
    'mountain-car':
      'The motor is too weak to climb the hill. The computer finds out by trial and error that it has to swing back and forth.',
    pendulum:
      'The computer turns a rod until it stands upright. The motor is weak, so the rod has to swing first.',
    acrobot:
      'A motor drives the joint between two links. By trial and error, the computer learns to swing the tip above the line.',
    'frozen-lake':
      'The computer crosses slippery ice to a goal and avoids the holes. By trial and error, it learns the best direction on each tile.',
    'frozen-lake-8x8':
      'The same game on a larger lake. At first the computer reaches the goal only by chance; it learns from these rare successes.',
  } satisfies Record<WorldOf<'control'>, string>,
  guide: {
    worlds: ['cartpole', 'mountain-car', 'pendulum', 'acrobot', 'frozen-lake', 'frozen-lake-8x8'],
    load: (world) => import(`./guides/${world}.ts`),
  },
  rules: { worlds: ['frozen-lake', 'frozen-lake-8x8'], load: () => import('./rules/lake.svelte') },
  ending: { load: () => import('./ending') },
  openingSpeeds: (info) => (isControl(info) ? openingSpeeds(info.world.step_seconds) : []),
}
