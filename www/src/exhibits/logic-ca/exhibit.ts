import type { FamilyExhibit } from '../shared/family'
import { stageOf } from './stage.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  files: (lab) => ({
    /** Opens a circuit; anything else may be a checkpoint. */
    async openOther(file) {
      if (!/\.json$/i.test(file.name) && file.type !== 'application/json') return false
      await stageOf(lab).open(file)
      return true
    },
  }),
}
