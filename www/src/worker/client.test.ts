import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Problem, SessionState } from '../session'
import type { Capabilities } from './capabilities'
import { Client, simplify, type WorkerLike } from './client'
import type { Down, Request, Up } from './messages'

/** A worker that answers at once, and remembers what it heard. */
class FakeWorker implements WorkerLike {
  static all: FakeWorker[] = []
  /** Modules that do not start. */
  static broken = new Set<string>()
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  heard: Down[] = []
  dead = false
  refuse: Problem | null = null

  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage(message: unknown) {
    const down = structuredClone(message) as Down
    this.heard.push(down)
    if ('id' in down) queueMicrotask(() => this.#answer(down))
  }
  #answer(request: Request) {
    const { id } = request
    const broken = request.kind === 'boot' && FakeWorker.broken.has(request.asks.module)
    const problem = broken ? { message: 'does not start', hint: '' } : this.refuse
    if (problem) return this.tell({ kind: 'refusal', id, problem })
    const progress = { steps: 0, updates: 0, episodes: 0, total_steps: null }
    const value = { name: 'cartpole', config: {}, seed: 1, progress }
    this.tell({ kind: 'answer', id, value })
  }
  tell(up: Up) {
    if (!this.dead) this.onmessage?.({ data: up } as MessageEvent)
  }
  terminate() {
    this.dead = true
  }
  kinds() {
    return this.heard.map(({ kind }) => kind)
  }
}

const capabilities: Capabilities = {
  isolated: true,
  threads: 4,
  relaxedSimd: true,
  webgpu: false,
  chosen: { module: 'threads-relaxed', threads: 4 },
  reason: '',
}

// The few things of a page that the client touches.
const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
let frames: ((time: number) => void)[] = []
const hide = (hidden: boolean) => {
  page.visibilityState = hidden ? 'hidden' : 'visible'
  page.dispatchEvent(new Event('visibilitychange'))
}
const draw = (time: number) => {
  const now = frames
  frames = []
  for (const frame of now) frame(time)
}

beforeEach(() => {
  FakeWorker.all = []
  FakeWorker.broken.clear()
  frames = []
  page.visibilityState = 'visible'
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.stubGlobal('document', page)
  vi.stubGlobal('requestAnimationFrame', (call: (time: number) => void) => frames.push(call))
  vi.stubGlobal('cancelAnimationFrame', () => {})
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

async function started(): Promise<{ client: Client; worker: FakeWorker }> {
  const client = await Client.start(capabilities, () => new FakeWorker())
  await client.create('cartpole', {}, 1)
  return { client, worker: FakeWorker.all.at(-1)! }
}

const settled = () => new Promise((done) => setTimeout(done))

describe('the client of the training worker', () => {
  it('tells of each state once', async () => {
    const { client, worker } = await started()
    const states: SessionState[] = []
    client.on('state', (state) => states.push(state))
    client.play()
    client.play()
    client.pause()
    client.pause()
    expect(states).toEqual(['running', 'paused'])
    expect(worker.kinds().filter((kind) => kind === 'play' || kind === 'pause')).toEqual(['play', 'pause'])
    client.dispose()
  })

  it('rejects what the worker refuses, and goes on', async () => {
    const { client, worker } = await started()
    client.play()
    worker.refuse = { message: 'world.gravity = -1: from 0 to 30', hint: 'h', field: 'world.gravity' }
    const refusal = client.create('cartpole', { world: { gravity: -1 } }, 1)
    await expect(refusal).rejects.toMatchObject({ field: 'world.gravity', hint: 'h' })
    expect(client.state).toBe('running')
    client.dispose()
  })

  it('does not train in a hidden tab unless asked to', async () => {
    const { client, worker } = await started()
    client.play()
    hide(true)
    expect(worker.kinds().at(-1)).toBe('pause')
    expect(client.state).toBe('running')
    hide(false)
    expect(
      worker
        .kinds()
        .filter((kind) => kind !== 'frame')
        .at(-1),
    ).toBe('play')
    client.keepInBackground(true)
    hide(true)
    expect(
      worker
        .kinds()
        .filter((kind) => kind !== 'frame')
        .at(-1),
    ).toBe('play')
    client.dispose()
  })

  it('asks for one picture at a time, when the display wants one', async () => {
    const { client, worker } = await started()
    const asked = () => worker.heard.filter(({ kind }) => kind === 'frame')
    client.play()
    client.view({ herd: 4, focus: 0, map: null })
    expect(asked()).toHaveLength(0)
    draw(0)
    draw(16)
    expect(asked()).toHaveLength(1)
    worker.tell({ kind: 'frame', frame: {} })
    draw(36)
    expect(asked().at(-1)).toMatchObject({ elapsed: 0.036 })
    // A tab that was away for a minute goes on where it was.
    worker.tell({ kind: 'frame', frame: {} })
    draw(60_036)
    expect(asked().at(-1)).toMatchObject({ elapsed: 0.1 })
    client.dispose()
  })

  it('asks for no pictures while paused, but for one after a change', async () => {
    const { client, worker } = await started()
    client.view({ herd: 4, focus: 0, map: null })
    draw(0)
    worker.tell({ kind: 'frame', frame: {} })
    expect(frames).toEqual([])
    client.step()
    draw(16)
    expect(worker.heard.at(-1)).toMatchObject({ kind: 'frame', elapsed: 0 })
    client.dispose()
  })

  it('shows slow motion slowly', async () => {
    const { client, worker } = await started()
    client.setSpeed(5)
    client.view({ herd: 4, focus: 0, map: null })
    client.play()
    draw(0)
    worker.tell({ kind: 'frame', frame: {} })
    draw(50)
    // A step of cartpole is 0.02 s, so five a second are a tenth of the world's own time.
    const last = worker.heard.at(-1)
    expect(last?.kind === 'frame' && last.elapsed).toBeCloseTo(0.005)
    client.dispose()
  })

  it('starts the next simpler module where one does not start', async () => {
    FakeWorker.broken.add('threads-relaxed').add('single-relaxed')
    const { client } = await started()
    expect(client.capabilities.chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(client.capabilities.reason).toContain('did not start')
    expect(FakeWorker.all.map(({ dead }) => dead)).toEqual([true, true, false])
    client.dispose()
  })

  it('says so where none starts', async () => {
    for (const module of ['threads-relaxed', 'single-relaxed', 'single-simd128'])
      FakeWorker.broken.add(module)
    await expect(started()).rejects.toThrow('does not start')
  })

  it('goes on in a new worker from the last copy of the state', async () => {
    const { client, worker } = await started()
    const errors: Problem[] = []
    client.on('error', (problem) => errors.push(problem))
    client.play()
    worker.tell({ kind: 'checkpoint', bytes: Uint8Array.of(1, 2, 3) })
    vi.advanceTimersByTime(60_000)
    const lost = client.evaluate(1)
    worker.tell({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await expect(lost).rejects.toThrow('unreachable')
    await settled()
    const next = FakeWorker.all.at(-1)!
    expect(worker.dead).toBe(true)
    expect(next).not.toBe(worker)
    expect(next.kinds()).toEqual(['boot', 'open', 'speed', 'play'])
    expect(next.heard[1]).toMatchObject({ asks: { bytes: Uint8Array.of(1, 2, 3) } })
    expect(client.state).toBe('running')
    expect(errors).toMatchObject([{ message: 'unreachable', hint: expect.stringContaining('goes on') }])
    client.dispose()
  })

  it('gives up what the worker is at when asked to, and goes on from what was saved', async () => {
    const { client, worker } = await started()
    client.play()
    client.view({ herd: 4, focus: 0, map: null })
    await client.save()
    const bench = expect(client.bench('control')).rejects.toThrow('started again')
    const restarted = client.restart()
    // Whatever the page does meanwhile, a worker that has not started yet hears nothing of it.
    draw(0)
    hide(true)
    hide(false)
    await bench
    await restarted
    const next = FakeWorker.all.at(-1)!
    expect(worker.dead).toBe(true)
    expect(next.kinds()).toEqual(['boot', 'open', 'speed', 'play'])
    draw(16)
    expect(next.kinds().at(-1)).toBe('frame')
    client.dispose()
  })

  it('gives up on a worker that breaks down again at once', async () => {
    const { client, worker } = await started()
    worker.tell({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await settled()
    expect(client.state).toBe('failed')
    expect(FakeWorker.all).toHaveLength(1)
    await expect(client.save()).rejects.toThrow('not running')
  })
})

describe('the next simpler module', () => {
  it('gives up threads first, then fused multiply-add', () => {
    const single = simplify(capabilities)
    expect(single?.chosen.module).toBe('single-relaxed')
    const plain = simplify(single!)
    expect(plain?.chosen.module).toBe('single-simd128')
    expect(simplify(plain!)).toBeNull()
  })
})
