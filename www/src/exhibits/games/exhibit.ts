import type { FamilyExhibit } from '../shared/family'
import type { WorldOf } from '../../worlds'
import { curves } from './curves'
import { keyGroups } from './model/keys'
import { reachesMilestone } from './model/milestone'
import { isInGame } from './model/seats'
import { linkedPositionOf } from './state/linkedPosition.svelte'
import { openedMatchOf, recordFile } from './state/openedMatch.svelte'
import { gameOf } from './state/table.svelte'
import { texts } from './model/texts'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  leads: { backgammon: texts.backgammon.lead, 'connect-four': texts['connect-four'].lead },
  // The opponents, the search of the opponent and the tools of the board are not settings of the run.
  curves,
  blank: { kind: 'games', thumbnails: 0, documents: false, turn: null, tree: null },
  guide: { worlds: ['backgammon', 'connect-four'], load: (world) => import(`./guides/${world}.ts`) },
  rules: { worlds: ['backgammon', 'connect-four'], load: (world) => import(`./rules/${world}.svelte`) },
  openPosition: (lab, world, id) => linkedPositionOf(lab).open(world, id),
  exports: () => import('./exports'),
  keys: (world) => keyGroups(world as WorldOf<'games'>),
  ending: {
    reached: (world, { recent }) => reachesMilestone(world as WorldOf<'games'>, recent),
    // The visitor plays or reviews a match.
    waits: (lab) => {
      const { table } = gameOf(lab)
      return openedMatchOf(lab).match !== null || (table !== null && isInGame(table))
    },
    load: () => import('./ending'),
  },
  files: (lab) => ({
    /** Opens records of matches. Returns false for other files, which may be checkpoints. */
    async openOther(file) {
      if (lab.exhibit !== 'backgammon' || !recordFile.test(file.name)) return false
      await openedMatchOf(lab).open(file)
      return true
    },
  }),
  /** Restores the position of the table in a snapshot. The snapshot's network analyzes the position. */
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
