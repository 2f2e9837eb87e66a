// Families of learners. Each has its own wasm modules and workers.
import { checkpointHeader } from '../../lib/files'
import { experiments } from '../../protocol/experiments'
import type { WorldInfo } from '../../protocol/types'

/** Family of learners: the kind of their environments. */
export type Family = WorldInfo['kind']

/** Returns the name of a family's folders: its source, and its wasm modules. */
export function folderOf(family: Family): string {
  return family.replaceAll('_', '-')
}

/** Returns the family of an experiment; `null` for unknown names. */
export function familyOfExperiment(name: string | null): Family | null {
  return experiments.find((known) => known.name === name)?.family ?? null
}

/** Returns the name of the experiment of a checkpoint; `null` if the bytes are not a checkpoint. */
export function experimentOfFile(bytes: Uint8Array): string | null {
  const name = checkpointHeader(bytes)?.experiment
  return typeof name === 'string' ? name : null
}
