import type { FamilyExhibit } from '../shared/family'
import { gameOf } from './state/table.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  guide: { worlds: ['connect-four'], load: () => import('./guide') },
  ending: {
    /** The network is even with the reference player. */
    reached: (world, { wins_minimax_4 = 0, wins_pubeval = 0 }) =>
      (world === 'connect-four' ? wins_minimax_4 : wins_pubeval) >= 0.5,
    load: () => import('./ending'),
  },
  /** The position of the table, analyzed by the network of the snapshot. */
  revisit: (lab) => {
    const { table } = gameOf(lab)
    if (!table) return []
    const { analyst } = table
    const simulations = analyst.kind === 'person' || !('simulations' in analyst) ? 100 : analyst.simulations
    return [
      { kind: 'set_position', position: { kind: 'id', id: table.id }, seat: table.seat, dice: null },
      { kind: 'set_analysis', analyst: { kind: 'newest', simulations }, speed: table.analysis_speed },
    ]
  },
}
