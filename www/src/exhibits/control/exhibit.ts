import type { FamilyExhibit } from '../shared/family'
import { isControl } from '../../engine/page/session'
import { openingSpeeds } from './speed'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  guide: {
    worlds: ['cartpole', 'mountain-car', 'pendulum', 'acrobot', 'frozen-lake'],
    load: (world) => import(`./guides/${world}.ts`),
  },
  ending: { load: () => import('./ending') },
  openingSpeeds: (info) => (isControl(info) ? openingSpeeds(info.world.step_seconds) : []),
}
