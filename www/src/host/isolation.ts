// Makes the page cross-origin isolated on hosts without the headers, so that training can use all cores.
import { isControlled } from './service-worker'
import { storageKey } from '../lib/storage'

/**
 * Waits until the service worker handles the page's requests, so that it caches the files of the workers. On hosts
 * without isolation headers, reloads the page once per tab through the service worker, which adds the headers, unless
 * the URL has `?isolation=off`. Resolves when the page may start.
 */
export async function isolate(): Promise<void> {
  const controlled = await isControlled()
  if (crossOriginIsolated || !controlled) return
  if (new URLSearchParams(location.search).get('isolation') === 'off') return
  try {
    // A second reload would not help.
    const tried = storageKey('isolation-tried')
    if (sessionStorage.getItem(tried)) return
    sessionStorage.setItem(tried, 'yes')
  } catch {
    // Without storage, the page would reload forever.
    return
  }
  location.reload()
  // Never resolves, because the page is about to reload.
  await new Promise(() => {})
}
