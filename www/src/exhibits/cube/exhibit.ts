import type { FamilyExhibit } from '../shared/family'
import type { WorldOf } from '../../worlds'
import { cubeKeysOf } from './keys/keys.svelte'
import { keyGroups } from './keys/layouts'
import { cubeOf } from './state/table.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  leads: {
    cube2:
      'The computer learns to solve the cube, beginning with easy scrambles. Drag a sticker to turn the cube, or press Solve.',
    cube3:
      'The computer learns from scrambles which turn leads back. Drag a sticker to turn the cube, or press Solve.',
  } satisfies Record<WorldOf<'cube'>, string>,
  blank: { kind: 'cube', documents: false, map: false, thumbnails: 0 },
  guide: { worlds: ['cube2', 'cube3'], load: (world) => import(`./guides/${world}.ts`) },
  rules: { worlds: ['cube2', 'cube3'], load: () => import('./rules/cube.svelte') },
  keys: (world, lab) => keyGroups(cubeKeysOf(lab).layout, world === 'cube2' ? 2 : 3),
  ending: {
    reached: (_, { latest: { solved_256 = 0 } }) => solved_256 >= 0.9,
    load: () => import('./ending'),
  },
  /** Restores the interactive cube in a snapshot. The snapshot's network computes its move values and is evaluated. */
  revisit: (lab) => {
    const { cube } = cubeOf(lab)
    if (!cube) return []
    return [
      { kind: 'set_player', player: 'newest' },
      { kind: 'set_cube', stickers: cube.stickers },
      { kind: 'set_evaluation', on: true },
    ]
  },
}
