// The page's side of www/service-worker.js. Only the built page has a service worker.
import { embedded } from './embed'
import { ownVersion } from './version'

/** Longest wait for the control of a page, in milliseconds. */
const longestWait = 3000

/** Longest wait for the replacement of an older service worker before a reload, in milliseconds. */
const longestReplacement = 10_000

/** Whether the page will be reloaded, to show the page of a newer build. */
let leaving = false

let registering: Promise<ServiceWorkerRegistration | null> | null = null

/** Registers the service worker, once; `null` if it is unavailable or forbidden. */
function register(): Promise<ServiceWorkerRegistration | null> {
  const possible = import.meta.env.PROD && !embedded && isSecureContext && 'serviceWorker' in navigator
  registering ??= possible
    ? navigator.serviceWorker.register('./service-worker.js').catch(() => null)
    : Promise.resolve(null)
  return registering
}

/** Waits until the service worker handles the page's requests. Returns `false` if it does not within three seconds. */
export async function isControlled(): Promise<boolean> {
  const registration = await register()
  if (!registration) return false
  const { serviceWorker } = navigator
  if (serviceWorker.controller) return true
  return new Promise((done) => {
    serviceWorker.addEventListener('controllerchange', () => done(true), { once: true })
    setTimeout(() => done(serviceWorker.controller !== null), longestWait)
    // A page that was loaded with Shift+Reload is not controlled by the active service worker.
    registration.active?.postMessage({ kind: 'claim' })
  })
}

/** Makes the service worker cache the files that the page has loaded and will load. */
export async function keepLoaded(): Promise<void> {
  if (!(await isControlled())) return
  const keep = (entries: PerformanceEntry[]): void => {
    const urls = [location.href, ...entries.map(({ name }) => name)]
    navigator.serviceWorker.controller?.postMessage({ kind: 'keep', version: ownVersion(), urls })
  }
  // Includes requests that started before the service worker was active.
  new PerformanceObserver((list) => {
    const entries = list.getEntries() as PerformanceResourceTiming[]
    keep(entries.filter(({ workerStart }) => workerStart === 0))
  }).observe({ type: 'resource', buffered: true })
  // The service worker of a newer build has a separate cache.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!leaving) keep(performance.getEntriesByType('resource'))
  })
}

/**
 * Replaces the service worker of an older build by the service worker of this page's build, as soon as it is installed.
 */
export async function activateOwn(): Promise<void> {
  const registration = await register()
  if (!registration) return
  const activate = async (): Promise<void> => {
    const { waiting } = registration
    // The service worker of an even newer build waits until its page is loaded.
    if (waiting && (await versionOf(waiting)) === ownVersion()) waiting.postMessage({ kind: 'activate' })
  }
  const follow = (): void => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void activate()
    })
  }
  registration.addEventListener('updatefound', follow)
  // Also follow a service worker that was found before the listener was added.
  follow()
  await activate()
  // The browser itself checks for a new service worker only when the page is idle, or after a minute.
  const { active } = registration
  if (active && (await versionOf(active)) !== ownVersion()) await registration.update().catch(() => undefined)
}

/**
 * Activates the service worker of the newest build. Call this function before a reload: if a page makes requests while
 * the old service worker stops, as a loading page does, Chromium keeps it active for up to five minutes. Waits for at
 * most ten seconds.
 */
export async function activateNewest(): Promise<void> {
  const registration = await register()
  if (!registration) return
  leaving = true
  const replaced = happens(navigator.serviceWorker, 'controllerchange')
  async function replace(): Promise<void> {
    await registration!.update().catch(() => undefined)
    const { installing, waiting } = registration!
    if (installing) await happens(installing, 'statechange')
    const newest = installing ?? waiting
    newest?.postMessage({ kind: 'activate' })
    if (newest) await replaced
  }
  await Promise.race([replace(), new Promise((end) => setTimeout(end, longestReplacement))])
}

/** Waits until an event is dispatched. */
const happens = (target: EventTarget, event: string): Promise<unknown> =>
  new Promise((done) => target.addEventListener(event, done, { once: true }))

/** Sends a message to a service worker and returns its reply. */
export function request(worker: ServiceWorker, message: object): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage(message, [port2])
  return new Promise((done) => (port1.onmessage = ({ data }) => done(data)))
}

const versionOf = (worker: ServiceWorker) => request(worker, { kind: 'version' })
