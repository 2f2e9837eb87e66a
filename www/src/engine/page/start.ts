// Start of a session.
import { isolate } from '../../host/isolation'
import type { Family } from '../shared/family'
import { detect, hasSimd } from './capabilities'
import { Client } from './client'
import { SessionError } from './error'
import { loadExperiments } from './experiments'
import { moduleOptionsFromUrl, type ModuleOptions } from './module-selection'
import { preloadedModule } from './preloaded'
import type { Session } from './session'

/** Starts a session with one CPU thread, which displays snapshots while `session` trains. */
export function startReplay({ capabilities, experiments }: Session, family: Family): Promise<Session> {
  const { chosen } = capabilities
  return Client.start(family, experiments, { ...capabilities, chosen: { ...chosen, threads: 1 } })
}

/**
 * Starts a session with one CPU thread for a figure of an article, which trains independently of the session of the
 * page.
 */
export function startFigure(family: Family): Promise<Session> {
  return startOnCpu(family, { ...moduleOptionsFromUrl(location.search), threads: 1 })
}

/**
 * Starts a worker with a family's module: the fastest that this browser can run, unless the URL or the caller selects
 * one. On hosts without isolation headers, the first visit reloads the page through the service worker, which adds
 * them.
 */
export async function startSession(
  family: Family = 'control',
  wish: ModuleOptions = moduleOptionsFromUrl(location.search),
): Promise<Session> {
  const client = await startOnCpu(family, wish)
  // Opening and checking a GPU takes some time, during which the CPU trains.
  void client.detectGpu()
  return client
}

async function startOnCpu(family: Family, wish: ModuleOptions): Promise<Client> {
  const capabilities = detect(wish)
  // The page itself has requested the files of a preloaded module; the service worker caches them as soon as it is active.
  if (!preloadedModule(family, capabilities.chosen.module)) await isolate()
  if (!hasSimd()) {
    const message = 'This browser cannot run the training module: it lacks WebAssembly SIMD.'
    throw new SessionError({ message, hint: 'Use a browser version of mid-2024 or later.' })
  }
  return Client.start(family, await loadExperiments(family), capabilities)
}
