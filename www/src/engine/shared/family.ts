// Families of learners: each has wasm modules of its own, and so workers of its own.
import { checkpointHeader } from '../../lib/files'
import type { ExperimentInfo, WorldInfo } from '../../protocol/types'

/** Which learners a module holds: those in worlds of this kind. */
export type Family = WorldInfo['kind']

/** The family of an experiment; `null` for a name that is none. */
export function familyOf(experiments: readonly ExperimentInfo[], name: unknown): Family | null {
  return experiments.find((info) => info.name === name)?.world.kind ?? null
}

/** The family of a checkpoint; `null` where the bytes are none, or one of a learner that is not known here. */
export function familyOfFile(experiments: readonly ExperimentInfo[], bytes: Uint8Array): Family | null {
  return familyOf(experiments, checkpointHeader(bytes)?.experiment)
}
