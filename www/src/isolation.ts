// Makes the page cross-origin isolated where its host does not, so that training can use every core.

const tried = 'vivarium-isolation-tried'
const longestWait = 3000

/**
 * Installs the service worker that adds the headers and loads the page again through it, at most once; does nothing
 * where the page is isolated already, cannot be, or says `?isolation=off`. Resolves when the page may go on as it is.
 */
export async function isolate(): Promise<void> {
  if (crossOriginIsolated || !isSecureContext || !('serviceWorker' in navigator)) return
  if (new URLSearchParams(location.search).get('isolation') === 'off') return
  try {
    // Once in a tab: where it did not help, it does not help the second time either.
    if (sessionStorage.getItem(tried)) return
    sessionStorage.setItem(tried, 'yes')
    await navigator.serviceWorker.register('./isolation.js')
    if (!(await inControl())) return
  } catch {
    // Storage or workers are forbidden here: one thread it is.
    return
  }
  location.reload()
  // The page that is about to go away starts nothing.
  await new Promise(() => {})
}

function inControl(): Promise<boolean> {
  const { serviceWorker } = navigator
  if (serviceWorker.controller) return Promise.resolve(true)
  return new Promise((done) => {
    serviceWorker.addEventListener('controllerchange', () => done(true), { once: true })
    setTimeout(() => done(false), longestWait)
  })
}
