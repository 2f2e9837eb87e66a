// Makes the page cross-origin isolated where its host does not, so that training can use every core.
import { isControlled } from './service-worker'
import { storageKey } from '../lib/storage'

/**
 * Waits until the service worker handles the page's requests, so that it keeps what the training workers load. Where the host
 * does not isolate the page, loads it again through the service worker, which adds the headers: once in a tab, and not where the
 * address says `?isolation=off`. Resolves when the page may go on as it is.
 */
export async function isolate(): Promise<void> {
  const controlled = await isControlled()
  if (crossOriginIsolated || !controlled) return
  if (new URLSearchParams(location.search).get('isolation') === 'off') return
  try {
    // Where it did not help, it does not help the second time either.
    const tried = storageKey('isolation-tried')
    if (sessionStorage.getItem(tried)) return
    sessionStorage.setItem(tried, 'yes')
  } catch {
    // Without storage, nothing would stop the page from loading again for ever.
    return
  }
  location.reload()
  // The page that is about to go away starts nothing.
  await new Promise(() => {})
}
