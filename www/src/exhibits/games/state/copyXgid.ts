/** Copying of positions as XGID. */
import { tools } from '../../../engine/page/tools'
import { copy } from '../../../shell/clipboard'
import { toasts } from '../../../state/toasts.svelte'

/** Copies the XGID of a position, given by its ID. Shows an error if the tools could not be loaded. */
export async function copyXgid(id: string): Promise<void> {
  try {
    await copy(await tools.ask('xgid', { id }), 'XGID copied')
  } catch (problem) {
    toasts.error(problem)
  }
}
