// The service worker of the built page. It caches the files that the page loads, for use offline, and adds the
// isolation headers on hosts that do not send them: shared memory, and with it threads in wasm, requires an isolated
// page.
//
// The build writes `const build = { version, headers, assets, offline }` in front of this file. Messages from the page:
//   { kind: 'version' }, with a port        replies with the version of the build
//   { kind: 'claim' }                       handles the requests of pages that were loaded without the service worker
//   { kind: 'activate' }                    replaces the active service worker
//   { kind: 'keep', version, urls }         caches the files that a page of that version has loaded
//   { kind: 'offline' }, with a port        replies with the files of each exhibit, and the names of those that are cached
//   { kind: 'store', name }, with a port    caches a file; replies with the reason of a failure, or null
//   { kind: 'forget', names }, with a port  deletes files; replies when they are deleted
// The reply to the last three kinds is `undefined` after an unexpected error.

const scope = new URL(self.registration.scope)
// Several copies of the page on one host share its caches; the path distinguishes them, as in www/src/lib/storage.ts.
const prefix = `vivarium:${scope.pathname}cache `
const cacheName = prefix + build.version

// Activation must not wait for the claim: in Firefox, the claim waits for a page that is being loaded, and this page waits for the
// activation. After a minute, Firefox shows an error page.
self.addEventListener('activate', () => void self.clients.claim())

self.addEventListener('message', (event) => {
  const { data, ports } = event
  if (data.kind === 'version') ports[0].postMessage(build.version)
  if (data.kind === 'claim') event.waitUntil(self.clients.claim())
  if (data.kind === 'activate') event.waitUntil(self.skipWaiting())
  if (data.kind === 'keep') event.waitUntil(keep(data))
  const answer = answers[data.kind]
  if (answer)
    event.waitUntil(
      answer(data)
        .catch(() => undefined)
        .then((value) => ports[0].postMessage(value)),
    )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method !== 'GET' || !inScope(request.url)) return
  // Chromium rejects this kind of request for another origin.
  if (request.cache === 'only-if-cached' && request.mode !== 'same-origin') return
  event.respondWith(respond(event))
})

const inScope = (url) => url.startsWith(scope.href)

/** Returns whether the name contains a content hash; such files never change. */
const isHashed = (url) => url.startsWith(`${scope.href}assets/`)

/** Returns the cache key; query and fragment do not change the response. */
const keyOf = (url) => url.replace(/[?#].*/, '')

/** Returns whether the service worker of a newer build is active. */
const isReplaced = () => self.serviceWorker?.state === 'redundant'

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
    // Hosts allow browsers to reuse a page for minutes, but its files may be gone by then.
    const response = await fetch(request, { cache: 'no-cache' })
    event.waitUntil(store(key, response.clone()))
    return response
  } catch (error) {
    const kept = await find(key)
    if (kept) return kept
    throw error
  }
}

/** Returns the names of this copy's caches, that of this build first. */
async function ownCaches() {
  const names = (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName)
  return [cacheName, ...names]
}

/** Returns the cached response of a key, also of an older build; `undefined` if there is none. */
async function find(key) {
  for (const name of await ownCaches()) {
    const response = await caches.match(key, { cacheName: name, ignoreVary: true })
    if (response) return response
  }
}

/** Opens this build's cache. Returns `null` if a newer build is active, which has deleted the cache. */
async function openOwn() {
  const own = await caches.open(cacheName)
  return (await deletedIfReplaced()) ? null : own
}

/** Deletes this build's cache, which opening it has created again, if a newer build is active. Returns whether it is. */
async function deletedIfReplaced() {
  if (!isReplaced()) return false
  await caches.delete(cacheName)
  return true
}

/**
 * Caches a response if it is complete and belongs to this build. Returns the reason of a failure, or null. The page works online
 * without the cache.
 */
async function store(key, response) {
  if (response.status !== 200 || response.type !== 'basic' || response.redirected) return 'missing'
  try {
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html')
    // A newer page needs files that are not cached yet; its own service worker caches it.
    if (isPage && !(await response.clone().text()).includes(build.version)) return 'replaced'
    const own = await openOwn()
    if (!own) return 'replaced'
    // Rejects without caching if the connection breaks.
    await own.put(key, response)
    // A newer build that became active in the meantime has not deleted a cache that was opened after its deletion.
    return (await deletedIfReplaced()) ? 'replaced' : null
  } catch (error) {
    return error.name === 'QuotaExceededError' ? 'full' : 'unreachable'
  }
}

/** Files that are being cached, by key: several messages of a page may name the same file. */
const pending = new Map()

/** Caches the files that a page has loaded, including those before this service worker was active. */
async function keep({ version, urls }) {
  const own = await openOwn()
  if (!own) return
  const keys = new Set(urls.filter(inScope).map(keyOf))
  await Promise.all([...keys].map((key) => addOnce(own, key)))
  if (version === build.version) await deleteOlder(own)
}

/** Caches a file, unless it is cached or is being cached. Returns the reason of a failure, or null. */
function addOnce(own, key) {
  if (!pending.has(key))
    pending.set(
      key,
      add(own, key).finally(() => pending.delete(key)),
    )
  return pending.get(key)
}

async function add(own, key) {
  if (await own.match(key, { ignoreVary: true })) return null
  const response = (isHashed(key) && (await find(key))) || (await fetch(key).catch(() => null))
  return response ? store(key, response) : 'unreachable'
}

/** Replies to messages about offline use. Names of files are relative to the page. */
const answers = {
  async offline() {
    const { sizes } = build.offline
    const own = await openOwn()
    const keys = new Set((await own?.keys())?.map(({ url }) => url))
    return { files: build.offline, stored: Object.keys(sizes).filter((name) => keys.has(urlOf(name))) }
  },
  async store({ name }) {
    const own = await openOwn()
    return own ? addOnce(own, urlOf(name)) : 'replaced'
  },
  async forget({ names }) {
    const own = await openOwn()
    await Promise.all(names.map((name) => own?.delete(urlOf(name), { ignoreVary: true })))
    return null
  },
}

const urlOf = (name) => new URL(name, scope).href

/** Deletes the caches of older builds once a page of this build is cached; files of both builds stay. */
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
