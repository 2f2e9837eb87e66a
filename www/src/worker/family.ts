// Families of learners: each has wasm modules of its own, and so workers of its own.
import { checkpointHeader } from '../lib/files'
import experiments from '../protocol/experiments.json'
import type { ExperimentInfo, WorldInfo } from '../protocol/types'

/** Which learners a module holds: those in worlds of this kind. */
export type Family = WorldInfo['kind']

/** Every experiment there is. */
export const allExperiments = experiments as unknown as ExperimentInfo[]

/** The family of an experiment; `null` for a name that is none. */
export function familyOf(name: string): Family | null {
  return allExperiments.find((info) => info.name === name)?.world.kind ?? null
}

/** The family of a checkpoint; `null` where the bytes are none, or one of a learner that is not known here. */
export function familyOfFile(bytes: Uint8Array): Family | null {
  const experiment = checkpointHeader(bytes)?.experiment
  return typeof experiment === 'string' ? familyOf(experiment) : null
}
