/** The files of exhibits, which the service worker stores for offline use (`www/service-worker.js`). */
import { isControlled, request } from './service-worker'

/** Files of the build by their use; `scripts/hosting/offline.mjs` returns them. Names are relative to the page. */
export interface OfflineFiles {
  /** Size of each file in bytes. */
  sizes: Record<string, number>
  /** Files of every page: home page, explanations, glossary, fonts. */
  common: string[]
  /** Files of the tools, such as exporters. */
  tools: string[]
  /** Files of each family, by the name of its folder. */
  families: Record<string, { scripts: string[]; modules: Record<string, string[]> }>
  /** Pretrained network of each exhibit that has one. */
  networks: Record<string, string>
}

/** Why a file was not stored. */
export type StoreFailure =
  /** The connection failed. */
  | 'unreachable'
  /** The host does not serve the file. */
  | 'missing'
  /** The browser has no space. */
  | 'full'
  /** A newer version of the page is active. */
  | 'replaced'

/** Requests to the service worker, with their results. */
interface Requests {
  offline: { args: object; result: { files: OfflineFiles; stored: string[] } }
  store: { args: { name: string }; result: StoreFailure | null }
  forget: { args: { names: readonly string[] }; result: null }
}

/** Returns the files that an exhibit of a family needs with these modules, apart from the common ones. */
export function filesOf(
  files: OfflineFiles,
  world: string,
  folder: string,
  modules: readonly string[],
): string[] {
  const family = files.families[folder]
  const network = files.networks[world]
  return [
    ...(family?.scripts ?? []),
    ...modules.flatMap((module) => family?.modules[module] ?? []),
    ...(network === undefined ? [] : [network]),
    ...files.tools,
  ]
}

/** Returns the sum of the sizes of files, each counted once. */
export const sizeOf = ({ sizes }: OfflineFiles, names: Iterable<string>): number =>
  [...new Set(names)].reduce((sum, name) => sum + (sizes[name] ?? 0), 0)

/**
 * Sends a request to the service worker. Repeats it if another service worker becomes active before the reply. Returns
 * `undefined` without a service worker and after an unexpected error.
 */
async function ask<K extends keyof Requests>(
  kind: K,
  args: Requests[K]['args'],
): Promise<Requests[K]['result'] | undefined> {
  const controller = (await isControlled()) ? navigator.serviceWorker.controller : null
  if (!controller) return undefined
  const end = new AbortController()
  const repeated = new Promise<Requests[K]['result'] | undefined>((done) =>
    navigator.serviceWorker.addEventListener('controllerchange', () => done(ask(kind, args)), {
      once: true,
      signal: end.signal,
    }),
  )
  const reply = request(controller, { kind, ...args }) as Promise<Requests[K]['result'] | undefined>
  return Promise.race([reply, repeated]).finally(() => end.abort())
}

/** Returns the files of the build and the names of those that are stored; null without a service worker. */
export const readOffline = async () => (await ask('offline', {})) ?? null

/** Stores a file. Returns the reason of a failure, or null. */
export async function storeFile(name: string): Promise<StoreFailure | null> {
  const failure = await ask('store', { name })
  return failure === undefined ? 'replaced' : failure
}

/** Deletes stored files. */
export const forgetFiles = (names: readonly string[]) => ask('forget', { names })

/** Returns whether the host answers. The service worker does not handle this kind of request. */
export async function hostAnswers(): Promise<boolean> {
  try {
    await fetch('./', { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}
