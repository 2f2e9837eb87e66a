/** Language models of other programs: folders of the library transformers (Hugging Face). */
import { tools } from '../../../engine/page/tools'
import { asProblem } from '../../../lib/problem'
import { bytes as size } from '../../../lib/format'
import type { Lab } from '../../../state/lab.svelte'
import { openBytes } from '../../shared/open'
import { nameOf, type ModelFiles, type TextFile } from './textFiles'

/** Maximum size of the weights in bytes: training holds several copies of them, in at most 4 GB. */
const mostWeights = 256 * 2 ** 20

/** Opens a GPT-2 model as a run that continues its training. Returns a problem, or null. */
export async function openModel(lab: Lab, files: ModelFiles): Promise<string | null> {
  if (files.weights.size > mostWeights)
    return `${files.weights.name} has ${size(files.weights.size)} (limit ${size(mostWeights)} in the page); the native program has no limit: vivarium train language --from-huggingface FOLDER.`
  const read = async (file: TextFile) => new Uint8Array(await file.arrayBuffer())
  try {
    const [config, weights, tokenizer] = await Promise.all([
      read(files.config),
      read(files.weights),
      read(files.tokenizer),
    ])
    const checkpoint = await tools.ask('openHuggingFace', { config, weights, tokenizer })
    await openBytes(lab, checkpoint, `${nameOf(Object.values(files))}.safetensors`)
    return null
  } catch (problem) {
    return `The model cannot be opened: ${asProblem(problem).message}`
  }
}
