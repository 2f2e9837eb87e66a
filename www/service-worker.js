// The service worker of the built page. It keeps what the page has loaded, so that the page works offline, and adds the isolation
// headers where the host does not send them: shared memory, and with it threads in wasm, exists only on isolated pages.
//
// The build writes `const build = { version, headers, assets }` in front of this file. Messages from the page:
//   { kind: 'version' }, with a port    replies with the version of the build
//   { kind: 'claim' }                   handles the requests of pages that were loaded without the service worker
//   { kind: 'activate' }                replaces the active service worker
//   { kind: 'keep', version, urls }     keeps what a page of that version has loaded

const scope = new URL(self.registration.scope)
// Several copies of the page on one host share its caches; the path tells them apart, as in www/src/lib/storage.ts.
const prefix = `vivarium:${scope.pathname}cache `
const cacheName = prefix + build.version

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('message', (event) => {
  const { data, ports } = event
  if (data.kind === 'version') ports[0].postMessage(build.version)
  if (data.kind === 'claim') event.waitUntil(self.clients.claim())
  if (data.kind === 'activate') event.waitUntil(self.skipWaiting())
  if (data.kind === 'keep') event.waitUntil(keep(data))
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !inScope(request.url)) return
  // Chromium refuses to fetch this kind of request for another origin.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return
  event.respondWith(respond(event))
})

const inScope = (url) => url.startsWith(scope.href)

/** Whether the name contains a hash of the content: such a file never changes. */
const isHashed = (url) => url.startsWith(`${scope.href}assets/`)

/** The key in a cache: the query and the fragment do not change what is served. */
const keyOf = (url) => url.replace(/[?#].*/, '')

async function respond(event) {
  const { request } = event
  const response = await (isHashed(request.url) ? cacheFirst(event) : networkFirst(event))
  const unwanted = request.mode === 'navigate' && new URL(request.url).searchParams.get('isolation') === 'off'
  return unwanted ? response : withHeaders(response)
}

async function cacheFirst(event) {
  const { request } = event
  const key = keyOf(request.url)
  const kept = await find(key)
  if (kept) return kept
  const response = await fetch(request)
  event.waitUntil(store(key, response.clone()))
  return response
}

async function networkFirst(event) {
  const { request } = event
  const key = keyOf(request.url)
  try {
    // Hosts let browsers reuse a page for some minutes: its files may be gone by then.
    const response = await fetch(request, { cache: 'no-cache' })
    event.waitUntil(store(key, response.clone()))
    return response
  } catch (error) {
    const kept = await find(key)
    if (kept) return kept
    throw error
  }
}

/** The caches of this copy of the page, the one of this build first. */
async function ownCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  return [cacheName, ...names]
}

/** What is kept under a key, also by an older build; `undefined` if nothing is. */
async function find(key) {
  for (const name of await ownCaches()) {
    const response = await caches.match(key, { cacheName: name, ignoreVary: true })
    if (response) return response
  }
}

/** Keeps a response if it is whole and belongs to this build. */
async function store(key, response) {
  if (response.status !== 200 || response.type !== 'basic' || response.redirected) return
  try {
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
    // A newer page needs files that are not kept yet. It is kept by its own build's service worker.
    if (isPage && !(await response.clone().text()).includes(build.version)) return
    // Rejects, and keeps nothing, if the connection breaks before the end.
    await (await caches.open(cacheName)).put(key, response)
  } catch {
    // The page works without a copy, as long as it is online.
  }
}

/** Keeps what a page has loaded, some of it before this service worker handled its requests. */
async function keep({ version, urls }) {
  const own = await caches.open(cacheName)
  const keys = new Set(urls.filter(inScope).map(keyOf))
  const missing = async (key) => {
    if (await own.match(key, { ignoreVary: true })) return
    const response = (isHashed(key) && (await find(key))) || (await fetch(key).catch(() => null))
    if (response) await store(key, response)
  }
  await Promise.all([...keys].map(missing))
  if (version === build.version) await deleteOlder(own)
}

/** Deletes the caches of older builds, once a page of this one is kept; files that are in both builds stay. */
async function deleteOlder(own) {
  for (const name of (await ownCaches()).slice(1)) {
    const older = await caches.open(name)
    for (const { url } of await older.keys()) {
      if (build.assets.includes(url.slice(scope.href.length))) await own.put(url, await older.match(url))
    }
    await caches.delete(name)
  }
}

/** The response with the headers that the host left out. */
function withHeaders(response) {
  // An opaque response or a redirect cannot be made anew.
  if (response.status === 0 || response.type === 'opaqueredirect') return response
  const missing = Object.entries(build.headers).filter(([name]) => !response.headers.has(name))
  if (!missing.length) return response
  const headers = new Headers(response.headers)
  for (const [name, value] of missing) headers.set(name, value)
  const { status, statusText } = response
  const empty = status === 204 || status === 205 || status === 304
  return new Response(empty ? null : response.body, { status, statusText, headers })
}
