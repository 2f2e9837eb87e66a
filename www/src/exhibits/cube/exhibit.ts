import type { FamilyExhibit } from '../shared/family'
import { cubeOf } from './state/table.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  guide: { worlds: ['cube2'], load: () => import('./guide') },
  ending: {
    reached: (_, { solved_256 = 0 }) => solved_256 >= 0.9,
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
