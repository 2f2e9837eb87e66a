import type { Basics, FamilyExhibit } from '../shared/family'
import type { WorldOf } from '../../worlds'
import { curves } from './curves'
import { sandboxOf } from './sandbox.svelte'
import { openingSpeeds } from './speed'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  leads: {
    'logic-ca':
      'All cells of a board contain the same small circuit. The computer learns its logic gates, so that the target grows out of noise.',
  } satisfies Record<WorldOf<'logic_ca'>, string>,
  basics: {
    'logic-ca': {
      settings: [],
      presets: { label: 'Target', names: ['checkerboard-small', 'checkerboard', 'lizard', 'letter', 'life'] },
    },
  } satisfies Record<WorldOf<'logic_ca'>, Basics>,
  curves,
  blank: { kind: 'logic_ca', channel: null, cell: null, circuit: false },
  guide: { worlds: ['logic-ca'], load: () => import('./guide') },
  exports: () => import('./exports'),
  ending: { load: () => import('./ending') },
  openingSpeeds: (_, config) => openingSpeeds(config),
  /** Restores the speed of the sandbox in a snapshot. */
  revisit: (lab) => [sandboxOf(lab).speedCommand],
  files: (lab) => ({
    /** Opens circuit files (JSON). Returns false for other files, which may be checkpoints. */
    async openOther(file) {
      if (!/\.json$/i.test(file.name) && file.type !== 'application/json') return false
      await sandboxOf(lab).open(file)
      return true
    },
  }),
}
