/** Copying of positions as XGID and as link. */
import { tools } from '../../../engine/page/tools'
import { copy } from '../../../shell/clipboard'
import { positionHash } from '../../../state/route'
import { toasts } from '../../../state/toasts.svelte'
import type { WorldOf } from '../../../worlds'

/** Copies the XGID of a position, given by its ID. Shows an error if the tools could not be loaded. */
export async function copyXgid(id: string): Promise<void> {
  try {
    await copy(await tools.ask('xgid', { id }), 'XGID copied')
  } catch (problem) {
    toasts.error(problem)
  }
}

/** Copies a link to a position, of backgammon with the XGID. Shows an error if the tools could not be loaded. */
export async function copyPositionLink(world: WorldOf<'games'>, id: string): Promise<void> {
  try {
    const linked = world === 'backgammon' ? await tools.ask('xgid', { id }) : id
    await copy(new URL(positionHash(world, linked), location.href).href, 'Link to this position copied')
  } catch (problem) {
    toasts.error(problem)
  }
}
