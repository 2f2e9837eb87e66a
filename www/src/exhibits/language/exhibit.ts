import { get } from '../../state/config'
import type { FamilyExhibit } from '../shared/family'
import type { WorldOf } from '../../worlds'
import { curves } from './curves'
import { generationOf } from './state/generation.svelte'
import { languageOf } from './state/language.svelte'
import { droppedFiles } from './text/droppedFiles'
import { ownTextsOf } from './text/ownTexts.svelte'
import World from './World.svelte'

export const exhibit: FamilyExhibit = {
  World,
  leads: {
    language:
      'The computer reads a text again and again and learns which word comes next. Type the start of a sentence, and it writes on.',
  } satisfies Record<WorldOf<'language'>, string>,
  curves,
  blank: { kind: 'language', documents: false, attention: null, embeddings: false },
  guide: { worlds: ['language'], load: () => import('./guide') },
  ending: {
    // A model that was opened has a result before its first gradient step, which reports the training loss.
    reached: (_, { latest: { loss, validation_loss = Infinity, trigram = 0 } }) =>
      loss !== undefined && validation_loss < trigram,
    load: () => import('./ending'),
  },
  /** Generates text from the same prompt in a snapshot. */
  revisit: (lab) => {
    const { draft } = languageOf(lab)
    const { prompt, settings } = generationOf(lab)
    return draft ? [{ kind: 'generate', prompt, sampling: settings }] : []
  },
  files: (lab) => ({
    dropHint: 'Drop text files to train on them, or a checkpoint or a folder of a GPT-2 model to open it',
    /** Starts training on dropped text files and folders. Returns false for a checkpoint. */
    async takeDrop(dropped, steer) {
      const { info } = lab
      const files = droppedFiles(dropped)
      const names = [...dropped.files].map(({ name }) => name)
      if (names.length === 1 && /\.safetensors$/i.test(names[0]!)) return false
      if (info?.world.kind !== 'language') return false
      const waits = languageOf(lab).run?.stage === 'missing'
      const missing = waits ? String(get(lab.config, 'data') ?? '') : null
      await ownTextsOf(lab).open(await files, info, info.world, steer, missing)
      return true
    },
  }),
}
