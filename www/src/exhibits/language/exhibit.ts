import { get } from '../../state/config'
import type { FamilyExhibit } from '../shared/family'
import { languageOf } from './state/reading.svelte'
import { droppedFiles } from './text/dropped'
import { ownTextsOf } from './text/own.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  files: (lab) => ({
    dropHint: 'Drop text to learn from it, or a checkpoint to open it',
    /** Learns from text, in files and folders; a single checkpoint is opened as one. */
    async takeDrop(dropped, steer) {
      const { info } = lab
      const files = droppedFiles(dropped)
      if ([...dropped.files].some(({ name }) => /\.safetensors$/i.test(name))) return false
      if (info?.world.kind !== 'language') return false
      const waits = languageOf(lab).run?.stage === 'missing'
      const missing = waits ? String(get(lab.config, 'data') ?? '') : null
      await ownTextsOf(lab).learnFrom(await files, info, info.world, steer, missing)
      return true
    },
  }),
}
