// The page's side of www/service-worker.js. Only the built page has a service worker.
import { ownVersion } from './version'

const longestWait = 3000

let registering: Promise<ServiceWorkerRegistration | null> | null = null

/** Registers the service worker, once; `null` where there is none, or where the browser forbids it. */
function register(): Promise<ServiceWorkerRegistration | null> {
  const possible = import.meta.env.PROD && isSecureContext && 'serviceWorker' in navigator
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

/** Has the service worker keep what the page has loaded so far, and what it loads from now on. */
export async function keepLoaded(): Promise<void> {
  if (!(await isControlled())) return
  const keep = (entries: PerformanceEntry[]): void => {
    const urls = [location.href, ...entries.map(({ name }) => name)]
    navigator.serviceWorker.controller?.postMessage({ kind: 'keep', version: ownVersion(), urls })
  }
  // Reports requests that began before the service worker was there as well.
  new PerformanceObserver((list) => {
    const entries = list.getEntries() as PerformanceResourceTiming[]
    keep(entries.filter(({ workerStart }) => workerStart === 0))
  }).observe({ type: 'resource', buffered: true })
  // The service worker of a newer build has a cache of its own.
  navigator.serviceWorker.addEventListener('controllerchange', () =>
    keep(performance.getEntriesByType('resource')),
  )
}

/** Replaces the service worker of an older build by the one of this page's build as soon as that is installed. */
export async function activateOwn(): Promise<void> {
  const registration = await register()
  if (!registration) return
  const activate = async (): Promise<void> => {
    const { waiting } = registration
    // One that is newer still has to wait until its own page is loaded.
    if (waiting && (await versionOf(waiting)) === ownVersion()) waiting.postMessage({ kind: 'activate' })
  }
  // After a visit, the browser looks for another service worker by itself, once the page is idle.
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void activate()
    })
  })
  await activate()
}

function versionOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  worker.postMessage({ kind: 'version' }, [port2])
  return new Promise((done) => (port1.onmessage = ({ data }) => done(data)))
}
