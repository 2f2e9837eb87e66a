// The registry of experiments, with their fields, presets and metrics. It is loaded with the first session.
import type { ExperimentInfo } from '../../protocol/types'
import { StartError } from './error'

/** Loads the registry of experiments. */
export async function loadExperiments(): Promise<ExperimentInfo[]> {
  try {
    const { default: experiments } = await import('../../protocol/experiments.json')
    return experiments as unknown as ExperimentInfo[]
  } catch {
    throw new StartError({
      message: 'The list of experiments could not be loaded.',
      hint: 'Try again in a moment.',
    })
  }
}
