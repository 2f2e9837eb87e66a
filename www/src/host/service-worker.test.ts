import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const own = 'newer'

/** A fake service worker of a build, which answers the request for its version. */
class Worker extends EventTarget {
  readonly received: string[] = []

  constructor(
    readonly version: string,
    public state = 'installed',
  ) {
    super()
  }

  postMessage({ kind }: { kind: string }, [port]: MessagePort[] = []): void {
    this.received.push(kind)
    if (kind === 'version') port?.postMessage(this.version)
  }
}

class Registration extends EventTarget {
  installing: Worker | null = null
  waiting: Worker | null = null
  active: Worker | null = null
  /** Finds a newer service worker, as the browser does on request. */
  readonly update = vi.fn(async () => this.find())

  find(): void {
    this.installing = new Worker(own, 'installing')
    this.dispatchEvent(new Event('updatefound'))
  }

  install(): void {
    const worker = this.installing!
    this.installing = null
    this.waiting = worker
    worker.state = 'installed'
    worker.dispatchEvent(new Event('statechange'))
  }
}

describe('a service worker', () => {
  let registration: Registration
  let container: EventTarget
  /** Imports a new instance of the module, which registers the service worker only once. */
  const load = async (): Promise<typeof import('./service-worker')> => {
    vi.resetModules()
    return import('./service-worker')
  }
  const activateOwn = async (): Promise<void> => (await load()).activateOwn()

  beforeEach(() => {
    registration = new Registration()
    vi.stubEnv('PROD', true)
    vi.stubGlobal('isSecureContext', true)
    container = Object.assign(new EventTarget(), { register: async () => registration })
    vi.stubGlobal('navigator', { serviceWorker: container })
    vi.stubGlobal('document', { querySelector: () => ({ content: own }) })
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  const isActivated = (worker: Worker): Promise<unknown> =>
    vi.waitFor(() => expect(worker.received).toContain('activate'))

  it('that is installed is activated', async () => {
    const worker = (registration.waiting = new Worker(own))
    await activateOwn()
    await isActivated(worker)
  })

  it('that was already being installed when the page registered is activated', async () => {
    registration.find()
    const worker = registration.installing!
    await activateOwn()
    registration.install()
    await isActivated(worker)
  })

  it('is requested if that of an older build is active', async () => {
    registration.active = new Worker('older', 'activated')
    await activateOwn()
    const worker = registration.installing!
    registration.install()
    await isActivated(worker)
  })

  it('is not requested if that of the page is active', async () => {
    registration.active = new Worker(own, 'activated')
    await activateOwn()
    expect(registration.update).not.toHaveBeenCalled()
  })

  it('of an even newer build stays waiting', async () => {
    const worker = (registration.waiting = new Worker('newest'))
    await activateOwn()
    expect(worker.received).toEqual(['version'])
  })

  it('of the newest build is activated before a reload', async () => {
    registration.active = new Worker(own, 'activated')
    const { activateNewest } = await load()
    let ended = false
    const end = activateNewest().then(() => (ended = true))
    await vi.waitFor(() => expect(registration.installing).not.toBeNull())
    const worker = registration.installing!
    expect(worker.received).toEqual([])
    registration.install()
    await isActivated(worker)
    expect(ended).toBe(false)
    container.dispatchEvent(new Event('controllerchange'))
    await end
  })

  it('that does not start delays a reload by ten seconds at most', async () => {
    registration.waiting = new Worker('newest')
    vi.useFakeTimers()
    const { activateNewest } = await load()
    registration.update.mockResolvedValue()
    const end = activateNewest()
    await vi.advanceTimersByTimeAsync(10_000)
    await end
    vi.useRealTimers()
    expect(registration.waiting.received).toEqual(['activate'])
  })

  it('does not delay a reload if there is no newer build', async () => {
    const { activateNewest } = await load()
    registration.update.mockResolvedValue()
    await activateNewest()
  })
})

describe('the service worker of the page', () => {
  /** Loads the service worker; returns functions that send it a request and a message, and the names of the caches. */
  function load(
    state: string,
    onPut: () => void = () => {},
  ): {
    activate: () => Promise<void>
    request: () => Promise<void>
    keep: () => Promise<void>
    names: Set<string>
    serviceWorker: { state: string }
  } {
    const names = new Set<string>()
    const listeners = new Map<string, (event: unknown) => void>()
    const serviceWorker = { state }
    const response = { status: 200, type: 'basic', headers: new Map(), clone: () => response }
    const caches = {
      keys: async () => [...names],
      match: async () => undefined,
      delete: async (name: string) => names.delete(name),
      // Creates the cache, as the browser's `open` does.
      open: async (name: string) => {
        names.add(name)
        return { put: async () => onPut(), match: async () => undefined, keys: async () => [] }
      },
    }
    const self = {
      registration: { scope: 'https://host/' },
      serviceWorker,
      // As in Firefox while the next page is loading: that page waits for the activation.
      clients: { claim: () => new Promise<void>(() => {}) },
      addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener),
    }
    const code = `const build = { version: '1', headers: {}, assets: [] }\n${readFileSync('www/service-worker.js', 'utf8')}`
    runInNewContext(code, { self, caches, URL, fetch: async () => response })
    const send = async (kind: string, event: object): Promise<void> => {
      const waits: unknown[] = []
      const wait = (work: unknown): unknown => waits.push(work)
      listeners.get(kind)!({ ...event, respondWith: wait, waitUntil: wait })
      for (let next = 0; next < waits.length; next++) await waits[next]
    }
    const url = 'https://host/assets/a.js'
    const request = (): Promise<void> => send('fetch', { request: { method: 'GET', url, mode: 'cors' } })
    const keep = (): Promise<void> =>
      send('message', { data: { kind: 'keep', version: '1', urls: [url] }, ports: [] })
    const activate = (): Promise<void> => send('activate', {})
    return { activate, request, keep, names, serviceWorker }
  }

  it('activates without waiting until it handles the requests of open pages', async () => {
    await load('activating').activate()
  })

  it('caches what the page loads while the build is active', async () => {
    const { request, keep, names } = load('activated')
    await request()
    expect([...names]).toEqual(['vivarium:/cache 1'])
    names.clear()
    await keep()
    expect([...names]).toEqual(['vivarium:/cache 1'])
  })

  it('does not create the cache of a replaced build again for a request or a message that is processed later', async () => {
    const { request, keep, names } = load('redundant')
    await request()
    expect([...names]).toEqual([])
    await keep()
    expect([...names]).toEqual([])
  })

  it('deletes its cache if the build is replaced while the cache is opened', async () => {
    const { request, names, serviceWorker } = load('activated')
    names.add = (name) => {
      serviceWorker.state = 'redundant'
      return Set.prototype.add.call(names, name) as Set<string>
    }
    await request()
    expect([...names]).toEqual([])
  })

  it('deletes its cache if the build is replaced while a response is cached', async () => {
    const worker = load('activated', () => (worker.serviceWorker.state = 'redundant'))
    await worker.request()
    expect([...worker.names]).toEqual([])
  })
})
