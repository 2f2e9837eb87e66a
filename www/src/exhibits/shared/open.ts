/** Opens checkpoints. */
import { address } from '../../state/address.svelte'
import type { Lab } from '../../state/lab.svelte'
import { exhibitHash } from '../../state/route'
import { toasts } from '../../state/toasts.svelte'
import { network, unreachable } from './networks'

/** Opens a checkpoint and navigates to its exhibit. */
export async function openCheckpoint(lab: Lab, file: File): Promise<void> {
  toasts.dismissErrors()
  await openBytes(lab, new Uint8Array(await file.arrayBuffer()), file.name)
}

/** Downloads the pretrained network of an exhibit and opens it as a run, unless the user has left the run. */
export async function openPretrained(lab: Lab, world: string): Promise<void> {
  toasts.dismissErrors()
  const { run } = lab
  const bytes = await network(world)
  if (lab.run !== run) return
  if (bytes) return openBytes(lab, bytes, `${world}.safetensors`)
  toasts.error(unreachable)
}

/** Opens a checkpoint. In the exhibit of the page, the presentation stays, such as an open guide. */
export async function openBytes(lab: Lab, bytes: Uint8Array, name: string): Promise<void> {
  if (!(await lab.open(bytes, name)) || !lab.info) return
  const hash = exhibitHash(lab.info, lab.config, lab.seed, lab.engine)
  if (lab.info.name === address.page) address.push(hash)
  else location.hash = hash
}
