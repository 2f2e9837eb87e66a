import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkpointOf } from '../../../../tests/fixtures/checkpoint'
import { capabilities } from '../../../../tests/fixtures/fake-session'
import type { GpuReport, Problem, SessionState } from './session'
import type { Adapter } from '../shared/adapter'
import { Client } from './client'
import type { WorkerLike } from './link'
import { loadExperiments } from './experiments'
import { setPreloadedModule } from './preloaded'
import type { PageMessage, Request, WorkerMessage } from '../shared/messages'

// Independent of the modules that were built.
vi.mock('./gpu-modules', () => ({
  withoutGpu: (family: string) => (family === 'games' ? 'It was built without the GPU.' : ''),
}))

const gpuReport: GpuReport = {
  name: 'a GPU',
  backend: 'webgpu',
  software: false,
  largest_buffer: 1 << 30,
  checked: 3,
  disagreements: [],
}

/** A worker that responds at once and records the messages that it receives. */
class FakeWorker implements WorkerLike {
  static all: FakeWorker[] = []
  /** Names of modules that fail to start. */
  static broken = new Set<string>()
  /** Number of thread pools that will not start. */
  static brokenPools = 0
  /** Whether workers fail to load, so that they never respond. */
  static silent = false
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  received: PageMessage[] = []
  dead = false
  reject: Problem | null = null
  /** Report of a GPU module. */
  static gpu: GpuReport | null = gpuReport
  /** Whether benchmarks complete. */
  static measures = false
  module = ''
  family = ''

  constructor() {
    FakeWorker.all.push(this)
  }
  postMessage(message: unknown) {
    const down = structuredClone(message) as PageMessage
    this.received.push(down)
    if ('id' in down && !FakeWorker.silent) queueMicrotask(() => this.#answer(down))
  }
  #answer(request: Request) {
    const { id } = request
    if (request.kind === 'boot') {
      this.module = request.args.module
      this.family = request.args.family
    }
    // A benchmark takes a while.
    if (request.kind === 'measure' && !FakeWorker.measures) return
    const broken =
      request.kind === 'boot' &&
      (FakeWorker.broken.has(request.args.module) ||
        (request.args.threads > 1 && FakeWorker.brokenPools-- > 0))
    const problem = broken ? { message: 'does not start', hint: '' } : this.reject
    if (problem) return this.post({ kind: 'rejection', id, problem })
    const progress = { steps: 0, updates: 0, episodes: 0, total_steps: null }
    const name =
      request.kind === 'create' ? request.args.name : this.family === 'control' ? 'cartpole' : 'logic-ca'
    const opened = { name, config: {}, seed: 1, progress }
    const answers: { [kind: string]: unknown } = {
      boot: this.module === 'gpu' ? FakeWorker.gpu : null,
      suspend: Uint8Array.of(7),
      save: Uint8Array.of(1),
      pack: Uint8Array.of(1),
      figures: ['a', 'b'],
      measure: [{ name: 'a', value: 1, unit: 's', threads: 1 }],
    }
    this.post({ kind: 'response', id, value: request.kind in answers ? answers[request.kind] : opened })
  }
  post(up: WorkerMessage) {
    if (!this.dead) this.onmessage?.({ data: up } as MessageEvent)
  }
  terminate() {
    this.dead = true
  }
  kinds() {
    return this.received.map(({ kind }) => kind)
  }
  /** Returns the kind of the last message that does not request a frame. */
  lastCommand() {
    return this.kinds().findLast((kind) => kind !== 'frame')
  }
}

// The parts of the DOM that the client uses.
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
  FakeWorker.brokenPools = 0
  FakeWorker.silent = false
  FakeWorker.gpu = gpuReport
  FakeWorker.measures = false
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

const experiments = await loadExperiments()
const hardware: Adapter = { missing: '', software: false }

async function started(adapter = hardware): Promise<{ client: Client; worker: FakeWorker }> {
  const client = await Client.start('control', experiments, capabilities, {
    spawn: () => new FakeWorker(),
    findAdapter: async () => adapter,
  })
  await client.create('cartpole', {}, 1)
  return { client, worker: FakeWorker.all.at(-1)! }
}

const settled = () => new Promise((done) => setTimeout(done))

describe('the client of the training worker', () => {
  it('reports each state once', async () => {
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

  it('loads the descriptions of another family with its first experiment', async () => {
    const client = await Client.start('control', await loadExperiments('control'), capabilities, {
      spawn: () => new FakeWorker(),
      findAdapter: async () => hardware,
    })
    const families = () => [...new Set(client.experiments.map(({ world }) => world.kind))]
    await client.create('cartpole', {}, 1)
    expect(families()).toEqual(['control'])
    await client.create('cube2', {}, 1)
    expect(families()).toEqual(['control', 'cube'])
    client.dispose()
  })

  it('rejects a request that the worker rejects, and continues', async () => {
    const { client, worker } = await started()
    client.play()
    const cause = { code: 'invalid', field: 'world.gravity', allowed: 'from 0 to 30' } as const
    worker.reject = { message: 'world.gravity = -1: from 0 to 30', hint: 'h', cause }
    const refusal = client.create('cartpole', { world: { gravity: -1 } }, 1)
    await expect(refusal).rejects.toMatchObject({ cause, hint: 'h' })
    expect(client.state).toBe('running')
    client.dispose()
  })

  it('sends a text as bytes', async () => {
    const { client, worker } = await started()
    await client.bringText(['a.txt', 'b.txt'], [Uint8Array.of(1, 2), Uint8Array.of(3)])
    const brought = worker.received.findLast(({ kind }) => kind === 'text')
    expect(brought).toMatchObject({ args: { names: ['a.txt', 'b.txt'] } })
    expect(brought?.kind === 'text' && brought.args.files.map((file) => [...file])).toEqual([[1, 2], [3]])
    const cause = { code: 'invalid', field: 'data', allowed: 'not UTF-8' } as const
    worker.reject = { message: 'data = a.txt: not UTF-8', hint: 'h', cause }
    await expect(client.bringText(['a.txt'], [Uint8Array.of(255)])).rejects.toMatchObject({ cause })
    client.dispose()
  })

  it('does not train in a hidden tab unless enabled', async () => {
    const { client, worker } = await started()
    client.play()
    hide(true)
    expect(worker.kinds().at(-1)).toBe('pause')
    expect(client.state).toBe('running')
    hide(false)
    expect(worker.lastCommand()).toBe('play')
    client.trainInBackground(true)
    hide(true)
    expect(worker.lastCommand()).toBe('play')
    client.dispose()
  })

  it('requests one frame at a time at display rate', async () => {
    const { client, worker } = await started()
    const asked = () => worker.received.filter(({ kind }) => kind === 'frame')
    client.play()
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    expect(asked()).toHaveLength(0)
    draw(0)
    draw(16)
    expect(asked()).toHaveLength(1)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    draw(36)
    expect(asked().at(-1)).toMatchObject({ elapsed: 0.036 })
    // The time in a hidden tab does not count.
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    draw(60_036)
    expect(asked().at(-1)).toMatchObject({ elapsed: 0.1 })
    client.dispose()
  })

  it('requests no frames while the preview is held, except one after a change', async () => {
    const { client, worker } = await started()
    client.act(false)
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    draw(0)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    expect(frames).toEqual([])
    client.step('update')
    expect(worker.received.at(-1)).toEqual({ kind: 'step', until: 'update' })
    expect(frames).toEqual([])
    worker.post({ kind: 'stepped' })
    draw(16)
    expect(worker.received.at(-1)).toMatchObject({ kind: 'frame', elapsed: 0 })
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    // While training runs, no frames are requested either.
    client.play()
    draw(32)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    expect(frames).toEqual([])
    client.stepPreview()
    draw(48)
    // A step of cartpole is 0.02 s.
    const last = worker.received.at(-1)
    expect(last?.kind === 'frame' && last.elapsed).toBeCloseTo(0.02)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    client.stepPreview()
    client.stepPreview()
    draw(64)
    const two = worker.received.at(-1)
    expect(two?.kind === 'frame' && two.elapsed).toBeCloseTo(0.04)
    client.dispose()
  })

  it('acts while training is paused', async () => {
    const { client, worker } = await started()
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    draw(0)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    draw(16)
    expect(worker.received.at(-1)).toMatchObject({ kind: 'frame', elapsed: 0.016 })
    client.dispose()
  })

  it.each([
    { kind: 'logic_ca', channel: null, cell: null, circuit: false },
    { kind: 'games', thumbnails: 0, documents: true, turn: null, tree: null },
  ] as const)('requests frames while paused for views with their own time: $kind', async (view) => {
    const { client, worker } = await started()
    client.view(view)
    draw(0)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    draw(16)
    expect(worker.received.at(-1)).toMatchObject({ kind: 'frame', elapsed: 0.016 })
    client.dispose()
  })

  it('slows the preview down below real-time speed', async () => {
    const { client, worker } = await started()
    client.setSpeed(5)
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    client.play()
    draw(0)
    worker.post({ kind: 'frame', frame: { arrays: {}, documents: null } })
    draw(50)
    // A step of cartpole is 0.02 s, so five per second are a tenth of real time.
    const last = worker.received.at(-1)
    expect(last?.kind === 'frame' && last.elapsed).toBeCloseTo(0.005)
    client.dispose()
  })

  it('starts the next simpler module if one does not start', async () => {
    FakeWorker.broken.add('threads-relaxed')
    const { client } = await started()
    expect(client.capabilities.chosen).toEqual({ module: 'single-simd128', threads: 1 })
    expect(client.capabilities.reason).toContain('did not start')
    expect(FakeWorker.all.map(({ dead }) => dead)).toEqual([true, true, true, false])
    client.dispose()
  })

  it.each([
    [1, capabilities.chosen, capabilities.reason],
    [2, { ...capabilities.chosen, threads: 1 }, 'One core, because the thread pool did not start.'],
  ])('starts a thread pool again, then one thread: %i failures', async (failures, chosen, reason) => {
    FakeWorker.brokenPools = failures
    const { client } = await started()
    expect(client.capabilities).toMatchObject({ chosen, reason })
    expect(FakeWorker.all.filter(({ dead }) => dead)).toHaveLength(failures)
    client.dispose()
  })

  it('does not wait for ever for a worker that does not load', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    FakeWorker.silent = true
    const starting = expect(started()).rejects.toThrow('The worker does not respond.')
    for (let attempt = 0; attempt < 4; attempt++) {
      await settled()
      vi.advanceTimersByTime(65_000)
    }
    await starting
    expect(FakeWorker.all.every(({ dead }) => dead)).toBe(true)
  })

  it('reports an error if no module starts', async () => {
    for (const module of ['threads-relaxed', 'single-simd128']) FakeWorker.broken.add(module)
    await expect(started()).rejects.toThrow('does not start')
  })

  it('resumes in a new worker from the last copy of the state', async () => {
    const { client, worker } = await started()
    const errors: Problem[] = []
    client.on('error', (problem) => errors.push(problem))
    client.play()
    worker.post({ kind: 'checkpoint', bytes: Uint8Array.of(1, 2, 3) })
    vi.advanceTimersByTime(60_000)
    const lost = client.evaluate(1)
    worker.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await expect(lost).rejects.toThrow('unreachable')
    await settled()
    const next = FakeWorker.all.at(-1)!
    expect(worker.dead).toBe(true)
    expect(next).not.toBe(worker)
    expect(next.kinds()).toEqual(['boot', 'open', 'speed', 'play'])
    expect(next.received[1]).toMatchObject({ args: { bytes: Uint8Array.of(1, 2, 3) } })
    expect(client.state).toBe('running')
    expect(errors).toMatchObject([{ message: 'unreachable', hint: expect.stringContaining('resumes') }])
    client.dispose()
  })

  it('does not start a new worker after it was disposed because of an error', async () => {
    const { client, worker } = await started()
    client.on('error', () => client.dispose())
    vi.advanceTimersByTime(60_000)
    worker.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await settled()
    expect(FakeWorker.all).toEqual([worker])
    expect([worker.dead, client.state]).toEqual([true, 'failed'])
  })

  it('restart cancels the current operation and resumes from the saved state', async () => {
    const { client, worker } = await started()
    client.play()
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    await client.pack()
    const bench = expect(client.bench('control')).rejects.toThrow('restarted')
    const restarted = client.restart()
    // A worker that has not started yet receives no messages.
    draw(0)
    hide(true)
    hide(false)
    await bench
    await restarted
    // Worker 1 is the restarted CPU worker; worker 2 detects the GPU again.
    const next = FakeWorker.all[1]!
    expect(worker.dead).toBe(true)
    expect(next.kinds()).toEqual(['boot', 'open', 'speed', 'play'])
    draw(16)
    expect(next.kinds().at(-1)).toBe('frame')
    client.dispose()
  })

  it('fails if the new worker fails at once', async () => {
    const { client, worker } = await started()
    worker.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await settled()
    expect(client.state).toBe('failed')
    expect(FakeWorker.all).toHaveLength(1)
    await expect(client.save()).rejects.toThrow('not running')
    client.dispose()
  })

  it('resumes after a failure on request, from the saved state or with a new experiment', async () => {
    const { client, worker } = await started()
    const breaks = async (worker: FakeWorker) => {
      worker.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
      await settled()
      expect(client.state).toBe('failed')
    }
    client.play()
    worker.post({ kind: 'checkpoint', bytes: Uint8Array.of(1, 2, 3) })
    await breaks(worker)
    await client.restart()
    const second = FakeWorker.all.find(({ dead }) => !dead)!
    expect(second.received[1]).toMatchObject({ kind: 'open', args: { bytes: Uint8Array.of(1, 2, 3) } })
    expect(client.state).toBe('running')
    await breaks(second)
    await client.create('cartpole', {}, 2)
    expect(client.state).toBe('running')
    client.dispose()
  })

  it('draws frames of a new worker even if a frame of the old one was pending', async () => {
    const { client, worker } = await started()
    client.play()
    client.view({ kind: 'control', members: 4, focus: 0, map: null })
    draw(0)
    expect(worker.kinds().at(-1)).toBe('frame')
    vi.advanceTimersByTime(60_000)
    worker.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await settled()
    draw(16)
    expect(FakeWorker.all.at(-1)!.kinds().at(-1)).toBe('frame')
    client.dispose()
  })

  it('detects a terminated worker, but not a slow one', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    const { client, worker } = await started()
    client.play()
    vi.advanceTimersByTime(50_000)
    expect(worker.kinds().filter((kind) => kind === 'ping')).toHaveLength(10)
    worker.post({ kind: 'pong' })
    vi.advanceTimersByTime(50_000)
    expect(worker.dead).toBe(false)
    vi.advanceTimersByTime(15_000)
    expect(worker.dead).toBe(true)
    await settled()
    expect(client.state).toBe('running')
    client.dispose()
  })
})

describe('the engines', () => {
  /** Returns a client with a GPU, or with the reason `missing` why there is none. */
  async function withGpu(missing = '') {
    const { client, worker } = await started({ missing, software: false })
    await client.detectGpu()
    return { client, worker, gpu: FakeWorker.all.at(-1)! }
  }
  /** Returns a client whose experiment is on the GPU; `errors` collects its errors. */
  async function onGpu() {
    const { client, worker, gpu } = await withGpu()
    await client.useEngine('gpu')
    const errors: Problem[] = []
    client.on('error', (problem) => errors.push(problem))
    return { client, worker, gpu, errors }
  }
  const plain = (worker: FakeWorker) => worker.kinds().filter((kind) => kind !== 'frame')

  it('move a running experiment with its state', async () => {
    const { client, worker, gpu } = await withGpu()
    const events: string[] = []
    client.on('engine', (engine) => events.push(engine))
    client.play()
    await client.useEngine('gpu')
    expect(plain(worker)).toEqual(['boot', 'create', 'play', 'suspend', 'close'])
    expect(plain(gpu)).toEqual(['boot', 'open', 'speed', 'play'])
    expect(gpu.received[1]).toMatchObject({ args: { bytes: Uint8Array.of(7) } })
    expect([client.engine, client.state]).toEqual(['gpu', 'running'])
    await client.useEngine('cpu')
    expect(plain(gpu).slice(4)).toEqual(['suspend', 'close'])
    expect(plain(worker).slice(5)).toEqual(['open', 'speed', 'play'])
    expect(events).toEqual(['gpu', 'cpu'])
    client.dispose()
  })

  it('receive the user text of the same experiment', async () => {
    const { client, worker, gpu } = await withGpu()
    await client.bringText(['a.txt'], [Uint8Array.of(1, 2)])
    await client.useEngine('gpu')
    expect(plain(gpu).slice(0, 4)).toEqual(['boot', 'open', 'speed', 'text'])
    expect(gpu.received.find(({ kind }) => kind === 'text')).toMatchObject({ args: { names: ['a.txt'] } })
    await client.create('cartpole', {}, 1)
    await client.useEngine('cpu')
    expect(worker.kinds().filter((kind) => kind === 'text')).toHaveLength(1)
    client.dispose()
  })

  it('receive requests made during a move afterwards', async () => {
    const { client, worker, gpu } = await withGpu()
    const moving = client.useEngine('gpu')
    while (!plain(worker).includes('suspend')) await Promise.resolve()
    const command = client.command({ kind: 'reset_preview' })
    client.play()
    await Promise.all([moving, command])
    expect(plain(gpu)).toEqual(['boot', 'open', 'speed', 'play', 'command'])
    client.dispose()
  })

  it('stay unchanged if the other one rejects', async () => {
    const { client, worker, gpu } = await withGpu()
    client.play()
    gpu.reject = { message: 'too large', hint: '', cause: { code: 'engine' } }
    await expect(client.useEngine('gpu')).rejects.toThrow('too large')
    expect([client.engine, client.state]).toEqual(['cpu', 'running'])
    expect(plain(worker).at(-1)).toBe('play')
    client.dispose()
  })

  it('an experiment that the GPU rejects is created on the CPU', async () => {
    const { client, worker, gpu, errors } = await onGpu()
    gpu.reject = { message: 'too large', hint: '', cause: { code: 'engine' } }
    await client.create('cartpole', {}, 1)
    expect(client.engine).toBe('cpu')
    expect(plain(worker).at(-1)).toBe('create')
    expect(errors.map(({ message }) => message)).toEqual(['too large'])
    client.dispose()
  })

  it('a lost GPU moves the run to the CPU with its last readback', async () => {
    const { client, worker, gpu, errors } = await onGpu()
    client.play()
    const problem = {
      message: 'The GPU was lost: unplugged.',
      hint: 'Training continues on the CPU.',
      engine: true,
    }
    gpu.post({ kind: 'lost', problem, bytes: Uint8Array.of(9) })
    await settled()
    expect(gpu.dead).toBe(true)
    expect([client.engine, client.state, client.gpu.status]).toEqual(['cpu', 'running', 'lost'])
    expect(worker.received.at(-3)).toMatchObject({ kind: 'open', args: { bytes: Uint8Array.of(9) } })
    expect(plain(worker).slice(-3)).toEqual(['open', 'speed', 'play'])
    expect(errors).toMatchObject([{ message: problem.message, hint: expect.stringContaining('CPU') }])
    // A lost GPU may be available again.
    await client.useEngine('gpu')
    expect([client.engine, client.gpu.status]).toEqual(['gpu', 'ready'])
    expect(FakeWorker.all).toHaveLength(3)
    client.dispose()
  })

  it('a completed GPU phase moves the run to the CPU without an error', async () => {
    const { client, worker, gpu, errors } = await onGpu()
    client.play()
    gpu.post({ kind: 'leftGpu', bytes: Uint8Array.of(9) })
    await settled()
    expect([client.engine, client.state, client.gpu.status]).toEqual(['cpu', 'running', 'ready'])
    expect(plain(worker).slice(-3)).toEqual(['open', 'speed', 'play'])
    expect(worker.received.at(-3)).toMatchObject({ kind: 'open', args: { bytes: Uint8Array.of(9) } })
    expect([gpu.dead, errors]).toEqual([false, []])
    client.dispose()
  })

  it('a failed GPU worker moves the run to the CPU', async () => {
    const { client, worker, gpu } = await onGpu()
    gpu.post({ kind: 'broken', problem: { message: 'unreachable', hint: '' } })
    await settled()
    expect([client.engine, client.state]).toEqual(['cpu', 'paused'])
    // The CPU resumes from the state at the move to the GPU, because no newer state was read back.
    expect(worker.received.findLast(({ kind }) => kind === 'open')).toMatchObject({
      args: { bytes: Uint8Array.of(7) },
    })
    client.dispose()
  })

  it('a GPU that fails its self-check is not used, with the reason', async () => {
    FakeWorker.gpu = { ...gpuReport, disagreements: ['softmax is 0.5 off'] }
    const { client, gpu } = await withGpu()
    expect(client.gpu).toMatchObject({
      status: 'wrong',
      reason: expect.stringContaining('softmax is 0.5 off'),
    })
    expect(gpu.dead).toBe(true)
    await expect(client.useEngine('gpu')).rejects.toThrow('softmax')
    expect(client.engine).toBe('cpu')
    client.dispose()
  })

  it('a software GPU is checked when chosen', async () => {
    const { client } = await started({ missing: '', software: true })
    const events: string[] = []
    client.on('gpu', ({ status }) => events.push(status))
    await client.detectGpu()
    expect(FakeWorker.all).toHaveLength(1)
    await client.useEngine('gpu')
    expect(events).toEqual(['looking', 'unchecked', 'looking', 'ready'])
    expect(client.engine).toBe('gpu')
    client.dispose()
  })

  it('without a GPU the reason is reported and no GPU module is loaded', async () => {
    const { client } = await withGpu('This browser does not support WebGPU.')
    expect(FakeWorker.all).toHaveLength(1)
    expect(client.gpu).toMatchObject({ status: 'absent', reason: 'This browser does not support WebGPU.' })
    await expect(client.useEngine('gpu')).rejects.toThrow('does not support WebGPU')
    client.dispose()
  })

  it('without a GPU module, no GPU is detected', async () => {
    const find = vi.fn(async () => hardware)
    const client = await Client.start('games', experiments, capabilities, {
      spawn: () => new FakeWorker(),
      findAdapter: find,
    })
    await client.detectGpu()
    expect(find).not.toHaveBeenCalled()
    expect(client.gpu).toMatchObject({ status: 'absent', reason: 'It was built without the GPU.' })
    client.dispose()
  })

  it('a GPU module that does not start counts as no GPU', async () => {
    FakeWorker.broken.add('gpu')
    const { client } = await withGpu()
    expect(client.gpu).toMatchObject({ status: 'absent', reason: 'does not start' })
    expect(client.state).toBe('paused')
    client.dispose()
  })
})

describe('a module that the page has requested early', () => {
  const bytes = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)
  const boots = ({ received }: FakeWorker) =>
    received.flatMap((message) => (message.kind === 'boot' ? [message.args] : []))

  afterEach(() => Reflect.deleteProperty(globalThis, 'preloadedModule'))

  it('is sent to the worker, which loads its scripts meanwhile', async () => {
    const compiled = WebAssembly.compile(bytes)
    setPreloadedModule({ family: 'control', module: 'threads-relaxed', compiled })
    const { client, worker } = await started()
    expect(worker.kinds().slice(0, 2)).toEqual(['load', 'boot'])
    expect(boots(worker)[0]!.compiled).toBeInstanceOf(WebAssembly.Module)
    client.dispose()
  })

  it('is loaded by the worker if the request failed or the module is another one', async () => {
    for (const [family, compiled] of [
      ['control', Promise.resolve(null)],
      ['games', WebAssembly.compile(bytes)],
    ] as const) {
      setPreloadedModule({ family, module: 'threads-relaxed', compiled })
      const { client, worker } = await started()
      expect(boots(worker)[0]!.compiled).toBe(null)
      client.dispose()
    }
  })
})

describe('an experiment of another WebAssembly module', () => {
  const noGpu: Adapter = { missing: 'There is none.', software: false }
  const alive = () => FakeWorker.all.filter(({ dead }) => !dead)
  const plain = (worker: FakeWorker) => worker.kinds().filter((kind) => kind !== 'frame')

  it('starts its own worker, and the old one is terminated', async () => {
    const { client, worker } = await started(noGpu)
    client.play()
    client.setSpeed(3)
    const opened = await client.create('logic-ca', {}, 2)
    expect(opened.name).toBe('logic-ca')
    const [next, ...others] = alive()
    expect([worker.dead, others]).toEqual([true, []])
    expect([next!.family, next!.module]).toEqual(['logic_ca', 'threads-relaxed'])
    expect(plain(next!)).toEqual(['boot', 'create', 'speed', 'play'])
    expect(client.state).toBe('running')
    // Messages of a terminated worker are dropped.
    const events: number[] = []
    client.on('progress', ({ steps }) => events.push(steps))
    worker.dead = false
    worker.post({ kind: 'report', rows: [], progress: { ...opened.progress, steps: 9 } })
    expect(events).toEqual([])
    client.dispose()
  })

  it('gets the stop, which the client sends once', async () => {
    const { client, worker } = await started(noGpu)
    client.stopAt(null)
    client.stopAt(1000)
    client.stopAt(1000)
    expect(worker.received.filter(({ kind }) => kind === 'stopAt')).toEqual([{ kind: 'stopAt', steps: 1000 }])
    client.dispose()
  })

  it('gets the stop of its experiment with the request that opens it, and never the stop of another one', async () => {
    const { client, worker } = await started(noGpu)
    const stops = (of: FakeWorker) => of.received.filter(({ kind }) => kind === 'stopAt')
    client.stopAt(1000)
    client.stopOf = (name) => (name === 'pendulum' ? 8000 : null)
    await client.create('pendulum', {}, 2)
    expect(worker.received.at(-1)).toMatchObject({ kind: 'create', args: { name: 'pendulum', stop: 8000 } })
    await client.open(checkpointOf({ experiment: 'acrobot' }))
    expect(worker.received.at(-1)).toMatchObject({ kind: 'open', args: { stop: null } })
    // The worker has no stop now: the same number is sent again.
    client.stopAt(1000)
    expect(stops(worker)).toEqual([
      { kind: 'stopAt', steps: 1000 },
      { kind: 'stopAt', steps: 1000 },
    ])
    // A stop of the previous experiment that is sent during the request is replaced.
    const created = client.create('pendulum', {}, 2)
    client.stopAt(500)
    await created
    expect(stops(worker).at(-1)).toEqual({ kind: 'stopAt', steps: 8000 })
    await client.create('logic-ca', {}, 2)
    expect(stops(alive()[0]!)).toEqual([])
    client.dispose()
  })

  it('gives metrics and progress of one training step together', async () => {
    const { client, worker } = await started(noGpu)
    const events: string[] = []
    for (const kind of ['metrics', 'progress', 'rested'] as const) client.on(kind, () => events.push(kind))
    const progress = { steps: 9, updates: 1, episodes: 0, total_steps: null }
    worker.post({ kind: 'report', rows: [{ steps: 9, values: [] }], progress })
    worker.post({ kind: 'report', rows: [], progress })
    worker.post({ kind: 'rested' })
    expect(events).toEqual(['metrics', 'progress', 'progress', 'rested'])
    client.dispose()
  })

  it('opens with its checkpoint; other files go to the current worker', async () => {
    const { client, worker } = await started(noGpu)
    await client.open(Uint8Array.of(1, 2, 3))
    expect(plain(worker)).toEqual(['boot', 'create', 'open'])
    const bytes = checkpointOf({ experiment: 'logic-ca' })
    await client.open(bytes)
    expect(alive()[0]!.received[1]).toMatchObject({ kind: 'open', args: { bytes } })
    await client.open(checkpointOf({ experiment: 'pendulum' }))
    expect(alive().map(({ family }) => family)).toEqual(['control'])
    client.dispose()
  })

  it('changes nothing if it does not start or rejects', async () => {
    const { client, worker } = await started()
    client.play()
    FakeWorker.broken.add('threads-relaxed').add('single-simd128')
    await expect(client.create('logic-ca', {}, 1)).rejects.toThrow('does not start')
    expect(alive()).toEqual([worker])
    expect([client.state, plain(worker).at(-1)]).toEqual(['running', 'play'])
    expect(client.capabilities).toBe(capabilities)
    FakeWorker.broken.clear()
    expect((await client.create('logic-ca', {}, 1)).name).toBe('logic-ca')
    client.dispose()
  })

  it('delays requests, and the last one wins', async () => {
    const { client } = await started(noGpu)
    const first = client.create('logic-ca', {}, 1)
    const second = client.create('pendulum', {}, 1)
    const command = client.command({ kind: 'reset_preview' })
    expect((await first).name).toBe('logic-ca')
    expect((await second).name).toBe('pendulum')
    await command
    expect(alive().map(({ family }) => family)).toEqual(['control'])
    expect(plain(alive()[0]!)).toContain('command')
    client.dispose()
  })

  it('trains on the GPU if chosen before', async () => {
    const { client } = await started()
    await client.detectGpu()
    await client.useEngine('gpu')
    await client.create('logic-ca', {}, 1)
    await settled()
    expect(client.engine).toBe('gpu')
    expect(alive().map(({ family, module }) => `${family} ${module}`)).toEqual([
      'logic_ca threads-relaxed',
      'logic_ca gpu',
    ])
    client.dispose()
  })

  it('trains on the CPU if its GPU module does not start, and reports it', async () => {
    const { client } = await started()
    await client.detectGpu()
    await client.useEngine('gpu')
    FakeWorker.broken.add('gpu')
    const events: string[] = []
    client.on('error', ({ message }) => events.push(message))
    client.on('engine', (engine) => events.push(engine))
    await client.create('logic-ca', {}, 1)
    await settled()
    expect([client.engine, client.gpu.status]).toEqual(['cpu', 'absent'])
    expect(events).toEqual(['cpu', expect.stringContaining('does not start')])
    client.dispose()
  })

  it('is measured in a worker that is terminated afterwards', async () => {
    const { client, worker } = await started()
    FakeWorker.measures = true
    const figures = await client.bench('logic-ca')
    expect(figures).toHaveLength(2)
    expect(FakeWorker.all.map(({ family }) => family)).toEqual(['control', 'logic_ca'])
    expect(alive()).toEqual([worker])
    client.dispose()
  })
})
