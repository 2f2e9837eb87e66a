// A training worker as the page sees it: requests with answers, events, frames at display rate, and a new worker
// where one broke down.
import type { Session, SessionEvents, SessionState } from '../session'
import type { Capabilities } from './capabilities'
import { controlFrame } from './control-frame'
import { SessionError } from './error'
import experiments from '../protocol/experiments.json'
import type { Command, ExperimentInfo, ViewRequest } from '../protocol/types'
import type { BenchSuite, Down, Opened, Problem, RequestKind, Requests, Speed, Up } from './messages'

/** What the client needs of a worker; tests give it one that is not there. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: MessageEvent) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

interface Waiting {
  give: (value: never) => void
  refuse: (error: SessionError) => void
}

// A tab that was away for long must not make the herd leap.
const longestFrame = 0.1

// A worker that breaks down again within this time of its start is not started anew.
const shortestLife = 5000

export class Client implements Session {
  capabilities: Capabilities
  experiments = experiments as unknown as ExperimentInfo[]
  state: SessionState = 'starting'

  #spawn: () => WorkerLike
  #worker: WorkerLike | null = null
  #panics: BroadcastChannel | null = null
  #born = 0
  #waiting = new Map<number, Waiting>()
  #nextId = 1
  #handlers: { [K in keyof SessionEvents]?: Set<(value: SessionEvents[K]) => void> } = {}
  #opened: Opened | null = null
  #checkpoint: Uint8Array | null = null
  #wantsToRun = false
  #inBackground = false
  #speed: Speed = 'max'
  #view: ViewRequest | null = null
  #frameUnderWay = false
  #frameDue = false
  #lastFrame: number | null = null
  #animation = 0

  private constructor(capabilities: Capabilities, spawn: () => WorkerLike) {
    this.capabilities = capabilities
    this.#spawn = spawn
    document.addEventListener('visibilitychange', this.#visibility)
  }

  /** Boots a worker; a module that does not start is followed by the next simpler one. */
  static async start(capabilities: Capabilities, spawn: () => WorkerLike = spawnWorker): Promise<Client> {
    const client = new Client(capabilities, spawn)
    await client.#boot()
    client.#become('paused')
    return client
  }

  on<K extends keyof SessionEvents>(event: K, handler: (value: SessionEvents[K]) => void): () => void {
    const handlers: Set<(value: SessionEvents[K]) => void> = (this.#handlers[event] ??= new Set() as never)
    handlers.add(handler)
    return () => handlers.delete(handler)
  }

  async create(name: string, config: object, seed: number): Promise<Opened> {
    return this.#replaced(await this.#ask('create', { name, config, seed }))
  }

  async open(bytes: Uint8Array): Promise<Opened> {
    return this.#replaced(await this.#ask('open', { bytes }))
  }

  play(): void {
    if (this.state !== 'paused') return
    this.#wantsToRun = true
    this.#become('running')
    this.#follow()
  }

  pause(): void {
    if (this.state !== 'running') return
    this.#wantsToRun = false
    this.#become('paused')
    this.#follow()
  }

  step(): void {
    this.#tell({ kind: 'step' })
    this.#drawOnce()
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed
    this.#tell({ kind: 'speed', speed })
  }

  view(request: ViewRequest | null): void {
    // A plain copy: what comes from the page may be a reactive proxy, which cannot be sent.
    this.#view = request && { ...request, map: request.map && { ...request.map } }
    this.#drawOnce()
  }

  keepInBackground(keep: boolean): void {
    this.#inBackground = keep
    this.#follow()
  }

  async command(command: Command) {
    const reply = await this.#ask('command', { command })
    this.#drawOnce()
    return reply
  }

  async save() {
    const bytes = await this.#ask('save', null)
    this.#checkpoint = bytes
    return bytes
  }

  evaluate(episodes: number) {
    return this.#ask('evaluate', { episodes })
  }

  bench(suite: BenchSuite) {
    return this.#ask('bench', { suite })
  }

  async restart(): Promise<void> {
    if (!this.#ready) return
    this.#end({ message: 'The worker was started again.', hint: '' })
    this.#become('starting')
    await this.#revive().catch((error: Problem) => this.#fail(error))
  }

  dispose(): void {
    document.removeEventListener('visibilitychange', this.#visibility)
    cancelAnimationFrame(this.#animation)
    this.#end({ message: 'The session was closed.', hint: '' })
    this.#handlers = {}
    this.state = 'failed'
  }

  async #boot(): Promise<void> {
    const { module, threads } = this.capabilities.chosen
    this.#born = performance.now()
    const worker = this.#spawn()
    worker.onmessage = (event) => this.#receive(event.data as Up)
    worker.onerror = (event) => {
      event.preventDefault()
      this.#broke({ message: event.message || 'The worker could not be loaded.', hint: '' })
    }
    // One for each worker, so that the last words of a dead one do not reach the next.
    const panics = new BroadcastChannel(`vivarium-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`)
    panics.onmessage = (event) => this.#broke({ message: String(event.data), hint: '' })
    this.#panics = panics
    this.#worker = worker
    try {
      await this.#ask('boot', { module, threads, panics: panics.name })
    } catch (error) {
      const simpler = simplify(this.capabilities)
      if (!simpler || this.state === 'failed') throw error
      this.#end(error as SessionError)
      this.capabilities = simpler
      return this.#boot()
    }
  }

  #replaced(opened: Opened): Opened {
    this.#opened = opened
    this.#checkpoint = null
    this.#emit('progress', opened.progress)
    this.#drawOnce()
    return opened
  }

  #ask<K extends RequestKind>(kind: K, asks: Requests[K]['asks']): Promise<Requests[K]['gives']> {
    if (!this.#worker) {
      const problem = { message: 'The training worker is not running.', hint: 'Reload the page.' }
      return Promise.reject(new SessionError(problem))
    }
    const id = this.#nextId++
    return new Promise((give, refuse) => {
      this.#waiting.set(id, { give, refuse })
      // JSON drops what a reactive proxy carries besides its data; bytes go as they are.
      const plain = kind === 'open' || asks === null ? asks : JSON.parse(JSON.stringify(asks))
      this.#tell({ kind, id, asks: plain } as Down)
    })
  }

  #tell(message: Down): void {
    this.#worker?.postMessage(message)
  }

  #receive(up: Up): void {
    switch (up.kind) {
      case 'answer':
      case 'refusal': {
        const waiting = this.#waiting.get(up.id)
        this.#waiting.delete(up.id)
        if (up.kind === 'answer') waiting?.give(up.value as never)
        else waiting?.refuse(new SessionError(up.problem))
        break
      }
      case 'metrics':
        return this.#emit('metrics', up.rows)
      case 'progress':
        return this.#emit('progress', up.progress)
      case 'figure':
        return this.#emit('figure', up.figure)
      case 'speed':
        return this.#emit('speed', { stepsPerSecond: up.stepsPerSecond })
      case 'frame':
        this.#frameUnderWay = false
        this.#emit('frame', controlFrame(up.frame))
        return this.#schedule()
      case 'checkpoint':
        this.#checkpoint = up.bytes
        break
      case 'stopped':
        this.pause()
        if (up.problem) this.#emit('error', up.problem)
        break
      case 'broken':
        return this.#broke(up.problem)
    }
  }

  /** The worker is beyond use: a new one goes on from the last copy of the state. */
  #broke(problem: Problem): void {
    const starting = this.state === 'starting'
    const short = performance.now() - this.#born < shortestLife
    this.#end(problem)
    if (starting) return
    if (short) return this.#fail(problem)
    this.#emit('error', { ...problem, hint: 'Training goes on from the last copy of its state.' })
    this.#become('starting')
    this.#revive().catch((error: Problem) => this.#fail(error))
  }

  async #revive(): Promise<void> {
    await this.#boot()
    const opened = this.#opened
    if (this.#checkpoint) await this.#ask('open', { bytes: this.#checkpoint })
    else if (opened) await this.#ask('create', opened)
    this.#tell({ kind: 'speed', speed: this.#speed })
    this.#become(this.#wantsToRun ? 'running' : 'paused')
    this.#follow()
  }

  #fail(problem: Problem): void {
    this.#become('failed')
    this.#emit('error', { message: problem.message, hint: 'Reload the page to start again.' })
  }

  #end(problem: Problem): void {
    this.#worker?.terminate()
    this.#worker = null
    this.#panics?.close()
    this.#panics = null
    this.#frameUnderWay = false
    for (const waiting of this.#waiting.values()) waiting.refuse(new SessionError(problem))
    this.#waiting.clear()
  }

  #become(state: SessionState): void {
    if (this.state === state) return
    this.state = state
    this.#emit('state', state)
  }

  #emit<K extends keyof SessionEvents>(event: K, value: SessionEvents[K]): void {
    for (const handler of this.#handlers[event] ?? []) handler(value)
  }

  /** Whether the worker has an experiment, or could have one: until then it hears nothing but requests. */
  get #ready(): boolean {
    return this.state === 'running' || this.state === 'paused'
  }

  #visibility = (): void => this.#follow()

  /** A hidden tab does not train unless asked to. */
  get #runs(): boolean {
    return this.#wantsToRun && (this.#inBackground || document.visibilityState !== 'hidden')
  }

  #follow(): void {
    if (!this.#ready) return
    this.#tell({ kind: this.#runs ? 'play' : 'pause' })
    this.#lastFrame = null
    this.#drawOnce()
  }

  /** Draws at least one more picture, even while paused. */
  #drawOnce(): void {
    this.#frameDue = true
    this.#schedule()
  }

  /** Pictures are pulled: the browser calls back at display rate while the tab is shown, and not at all otherwise. */
  #schedule(): void {
    if (this.#animation || this.#frameUnderWay || !this.#view || !this.#opened || !this.#ready) return
    if (!this.#runs && !this.#frameDue) return
    this.#animation = requestAnimationFrame((now) => {
      this.#animation = 0
      if (!this.#view || !this.#ready) return
      const passed = this.#lastFrame === null ? 0 : Math.min((now - this.#lastFrame) / 1000, longestFrame)
      this.#lastFrame = now
      this.#frameDue = false
      this.#frameUnderWay = true
      this.#tell({ kind: 'frame', view: this.#view, elapsed: this.#runs ? passed * this.#slowMotion : 0 })
    })
  }

  /** Slower than the world's own time, the herd slows down as well; faster, it stays watchable. */
  get #slowMotion(): number {
    if (this.#speed === 'max') return 1
    const info = this.experiments.find(({ name }) => name === this.#opened?.name)
    return Math.min(1, this.#speed * (info?.step_seconds ?? 1))
  }
}

function spawnWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'vivarium' })
}

/** The next simpler choice, or `null` if there is none. */
export function simplify(from: Capabilities): Capabilities | null {
  const { module } = from.chosen
  const [threads, simd] = module.split('-')
  const next = threads === 'threads' ? `single-${simd}` : simd === 'relaxed' ? 'single-simd128' : null
  if (!next) return null
  const chosen = { module: next as Capabilities['chosen']['module'], threads: 1 }
  return { ...from, chosen, reason: `One core, as the module ${module} did not start.` }
}
