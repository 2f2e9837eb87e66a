// Starting a session.
import { isolate } from '../../host/isolation'
import type { Family } from '../shared/family'
import { detect, hasSimd, wishFromAddress, type Wish } from './capabilities'
import { Client } from './client'
import { SessionError } from './error'
import { loadExperiments } from './experiments'
import type { Session } from './session'

/**
 * Starts a worker with a family's module: the fastest that this browser can run, or the one wished for, in the address
 * where nothing else is given. On a host that does not isolate the page, the first visit loads the page a second time,
 * through a service worker that does.
 */
export async function startSession(
  family: Family = 'control',
  wish: Wish = wishFromAddress(location.search),
): Promise<Session> {
  await isolate()
  if (!hasSimd()) {
    const message = 'This browser cannot run the training module: it lacks vectors in WebAssembly.'
    throw new SessionError({ message, hint: 'Use a browser from the middle of 2024 or later.' })
  }
  const client = await Client.start(family, await loadExperiments(), detect(wish))
  // A GPU takes a while to open and to be checked; the processor trains meanwhile.
  void client.lookForGpu()
  return client
}
