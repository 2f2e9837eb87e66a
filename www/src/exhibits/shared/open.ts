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

/**
 * Downloads the pretrained network of an exhibit and opens it as a paused run, unless the user has left the run or its exhibit.
 * The current run trains during the download, and continues if the network cannot be opened.
 */
export async function openPretrained(lab: Lab, world: string): Promise<void> {
  toasts.dismissErrors()
  const { run } = lab
  const bytes = await network(world)
  if (lab.run !== run || address.page !== world) return
  if (!bytes) return toasts.error(unreachable)
  const trains = lab.running === 'running'
  lab.pause()
  await openBytes(lab, bytes, `${world}.safetensors`)
  if (trains && lab.run === run && address.page === world) void lab.play()
}

/** Opens a checkpoint. In the exhibit of the page, the presentation stays, such as an open guide. */
export async function openBytes(lab: Lab, bytes: Uint8Array, name: string): Promise<void> {
  if (!(await lab.open(bytes, name)) || !lab.info) return
  const hash = exhibitHash(lab.info, lab.config, lab.seed, lab.engine)
  if (lab.info.name === address.page) address.push(hash)
  else location.hash = hash
}
