// The registry of experiments, with their fields, presets and metrics. Each family has a file, which is loaded with its first
// session (`scripts/experiments-of.mjs`).
import type { ExperimentInfo } from '../../protocol/types'
import type { Family } from '../shared/family'
import { StartError } from './error'

type File = Promise<{ default: unknown }>

/** The files of the families, in display order. */
const files: Record<Family, () => File> = {
  control: () => import('../../protocol/experiments.json?of=control'),
  logic_ca: () => import('../../protocol/experiments.json?of=logic-ca'),
  games: () => import('../../protocol/experiments.json?of=games'),
  cube: () => import('../../protocol/experiments.json?of=cube'),
  language: () => import('../../protocol/experiments.json?of=language'),
}

/** Loads the experiments of a family; by default, of all families. */
export async function loadExperiments(family?: Family): Promise<ExperimentInfo[]> {
  try {
    const loaded = await Promise.all(family ? [files[family]()] : Object.values(files).map((load) => load()))
    return loaded.flatMap(({ default: experiments }) => experiments as ExperimentInfo[])
  } catch {
    throw new StartError({
      message: 'The list of experiments could not be loaded.',
      hint: 'Try again in a moment.',
    })
  }
}
