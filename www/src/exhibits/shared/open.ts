/** Opens checkpoint files. */
import type { Lab } from '../../state/lab.svelte'
import { exhibitHash } from '../../state/route'
import { toasts } from '../../state/toasts.svelte'

/** Opens a checkpoint and navigates to its exhibit. */
export async function openCheckpoint(lab: Lab, file: File): Promise<void> {
  toasts.dismissErrors()
  if (!(await lab.open(new Uint8Array(await file.arrayBuffer()), file.name)) || !lab.info) return
  location.hash = exhibitHash(lab.info, lab.config, lab.seed, lab.engine)
}
