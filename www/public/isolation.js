// A service worker that isolates the page where the host cannot send the headers itself: shared memory, and with it
// threads in wasm, exists only on pages that came with both.
self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  // Only what this host serves; Chromium refuses to fetch this kind of request for another origin.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return
  if (new URL(request.url).origin !== location.origin) return
  event.respondWith(fetch(request).then(isolated))
})

function isolated(response) {
  // An opaque answer or a redirect cannot be made anew.
  if (response.status === 0 || response.type === 'opaqueredirect') return response
  const headers = new Headers(response.headers)
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  const { status, statusText } = response
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : response.body, { status, statusText, headers })
}
