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

describe('activateOwn', () => {
  let registration: Registration
  /** Imports a new instance of the module, which registers the service worker only once. */
  const activateOwn = async (): Promise<void> => {
    vi.resetModules()
    await (await import('./service-worker')).activateOwn()
  }

  beforeEach(() => {
    registration = new Registration()
    vi.stubEnv('PROD', true)
    vi.stubGlobal('isSecureContext', true)
    vi.stubGlobal('navigator', { serviceWorker: { register: async () => registration } })
    vi.stubGlobal('document', { querySelector: () => ({ content: own }) })
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
  })

  const isActivated = (worker: Worker): Promise<unknown> =>
    vi.waitFor(() => expect(worker.received).toContain('activate'))

  it('activates one that is installed', async () => {
    const worker = (registration.waiting = new Worker(own))
    await activateOwn()
    await isActivated(worker)
  })

  it('activates one that was already being installed when the page registered', async () => {
    registration.find()
    const worker = registration.installing!
    await activateOwn()
    registration.install()
    await isActivated(worker)
  })

  it('asks for one if that of an older build is active', async () => {
    registration.active = new Worker('older', 'activated')
    await activateOwn()
    const worker = registration.installing!
    registration.install()
    await isActivated(worker)
  })

  it('asks for none if its own is active', async () => {
    registration.active = new Worker(own, 'activated')
    await activateOwn()
    expect(registration.update).not.toHaveBeenCalled()
  })

  it('leaves one of an even newer build waiting', async () => {
    const worker = (registration.waiting = new Worker('newest'))
    await activateOwn()
    expect(worker.received).toEqual(['version'])
  })
})

describe('the cache of a replaced build', () => {
  /**
   * Loads the service worker with one cache. Returns a function that triggers a request, and the names of the caches.
   */
  function load(state: string): {
    request: () => Promise<void>
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
      open: async (name: string) => ({ put: async () => void names.add(name) }),
    }
    const self = {
      registration: { scope: 'https://host/' },
      serviceWorker,
      addEventListener: (kind: string, listener: (event: unknown) => void) => listeners.set(kind, listener),
    }
    const code = `const build = { version: '1', headers: {}, assets: [] }\n${readFileSync('www/service-worker.js', 'utf8')}`
    runInNewContext(code, { self, caches, URL, fetch: async () => response })
    const request = async (): Promise<void> => {
      const waits: unknown[] = []
      listeners.get('fetch')!({
        request: { method: 'GET', url: 'https://host/assets/a.js', mode: 'cors' },
        respondWith: (response: unknown) => waits.push(response),
        waitUntil: (work: unknown) => waits.push(work),
      })
      for (let next = 0; next < waits.length; next++) await waits[next]
    }
    return { request, names, serviceWorker }
  }

  it('holds what the page loads while the build is active', async () => {
    const { request, names } = load('activated')
    await request()
    expect([...names]).toEqual(['vivarium:/cache 1'])
  })

  it('is not created again by a request that ends later', async () => {
    const { request, names } = load('redundant')
    await request()
    expect([...names]).toEqual([])
  })

  it('is deleted if the build is replaced while a response is stored', async () => {
    const { request, names, serviceWorker } = load('activated')
    names.add = (name) => {
      serviceWorker.state = 'redundant'
      return Set.prototype.add.call(names, name) as Set<string>
    }
    await request()
    expect([...names]).toEqual([])
  })
})
