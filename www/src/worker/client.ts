// A learner in workers, as the page sees it: one worker computes on the processor and one on the GPU, and one of them
// trains. An experiment moves between them with all that it has learnt, and goes on where one of them broke down.
import type { GpuState, Session, SessionEvents, SessionState } from '../session'
import type { Capabilities } from './capabilities'
import { SessionError } from './error'
import { Link, type Event, type Listener, type WorkerLike } from './link'
import experiments from '../protocol/experiments.json'
import type { Command, ExperimentInfo, ViewRequest } from '../protocol/types'
import type { BenchSuite, Engine, Figure, Opened, Problem, RequestKind, Requests, Speed } from './messages'

export type { WorkerLike } from './link'

// A tab that was away for long must not make the herd leap.
const longestFrame = 0.1

// A worker that breaks down again within this time of its start is not started anew.
const shortestLife = 5000

const goesOn = 'Training goes on on the CPU, from what was read back last.'
const closed: Problem = { message: 'The session was closed.', hint: '' }
const again: Problem = { message: 'The worker was started again.', hint: '' }

export class Client implements Session {
  capabilities: Capabilities
  experiments = experiments as unknown as ExperimentInfo[]
  state: SessionState = 'starting'
  engine: Engine = 'cpu'
  gpu: GpuState = { status: 'looking', report: null, reason: '' }

  #spawn: () => WorkerLike
  #links: { [E in Engine]: Link | null } = { cpu: null, gpu: null }
  #whyNoGpu: (() => Promise<string>) | null = null
  #looking: Promise<void> | null = null
  #moving: Promise<void> | null = null
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
    await client.#bootCpu()
    client.#become('paused')
    return client
  }

  on<K extends keyof SessionEvents>(event: K, handler: (value: SessionEvents[K]) => void): () => void {
    const handlers: Set<(value: SessionEvents[K]) => void> = (this.#handlers[event] ??= new Set() as never)
    handlers.add(handler)
    return () => handlers.delete(handler)
  }

  async create(name: string, config: object, seed: number): Promise<Opened> {
    return this.#replaced(await this.#onAnyEngine(() => this.#ask('create', { name, config, seed })))
  }

  async open(bytes: Uint8Array): Promise<Opened> {
    return this.#replaced(await this.#onAnyEngine(() => this.#ask('open', { bytes })))
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
    if (!this.#moving) this.#active?.tell({ kind: 'step' })
    this.#drawOnce()
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed
    this.#active?.tell({ kind: 'speed', speed })
  }

  view(request: ViewRequest | null): void {
    // A plain copy: what comes from the page may be a reactive proxy, which cannot be sent.
    this.#view = request && (JSON.parse(JSON.stringify(request)) as ViewRequest)
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

  async bench(suite: BenchSuite): Promise<Figure[]> {
    const engine = suite === 'gpu' ? 'gpu' : 'cpu'
    const link = await this.#linkOf(engine)
    const large = this.gpu.report?.software !== true
    const figures: Figure[] = []
    for (const name of await link.ask('figures', { suite })) {
      const rivals = engine === 'gpu' ? await this.#linkOf('cpu') : null
      for (const figure of await link.ask('measure', { name, large })) {
        const [rival] = (await rivals?.ask('measure', { name, large })) ?? []
        if (rival) figure.rival = { name: `CPU, ${threads(rival.threads ?? 1)}`, value: rival.value }
        this.#emit('figure', figure)
        figures.push(figure)
      }
    }
    return figures
  }

  /** Looks for a GPU, while the rest goes on; `why` says why there is none, or nothing. */
  lookForGpu(why: () => Promise<string>): Promise<void> {
    this.#whyNoGpu = why
    this.#looking ??= this.#look(why).finally(() => (this.#looking = null))
    return this.#looking
  }

  async useEngine(engine: Engine): Promise<void> {
    const to = await this.#linkOf(engine)
    // One after another: what is on its way cannot be sent elsewhere.
    while (this.#moving) await this.#moving
    if (engine === this.engine || !this.#ready) return
    let done = () => {}
    this.#moving = new Promise((end) => (done = end))
    try {
      await this.#move(engine, to)
    } finally {
      this.#moving = null
      done()
      this.#follow()
    }
  }

  async restart(): Promise<void> {
    if (!this.#ready) return
    const { engine } = this
    this.#end(again)
    this.#become('starting')
    await this.#revive().catch((error: Problem) => this.#fail(error))
    if (this.#whyNoGpu) void this.lookForGpu(this.#whyNoGpu)
    // Where it cannot go back, it stays, and the page has been told why.
    if (engine === 'gpu') await this.useEngine(engine).catch(() => {})
  }

  dispose(): void {
    document.removeEventListener('visibilitychange', this.#visibility)
    cancelAnimationFrame(this.#animation)
    this.#end(closed)
    this.#handlers = {}
    this.state = 'failed'
  }

  get #active(): Link | null {
    return this.#links[this.engine]
  }

  #listener: Listener = {
    event: (link, event) => this.#heard(link, event),
    broke: (link, problem) => this.#broke(link, problem),
  }

  async #bootCpu(): Promise<Link> {
    const { module, threads } = this.capabilities.chosen
    const link = new Link(this.#spawn(), this.#listener)
    this.#links.cpu = link
    try {
      await link.boot(module, threads)
      return link
    } catch (error) {
      const simpler = simplify(this.capabilities)
      link.end(error as SessionError)
      if (!simpler || this.state === 'failed') throw error
      this.capabilities = simpler
      return this.#bootCpu()
    }
  }

  async #look(why: () => Promise<string>): Promise<void> {
    this.#tellGpu({ status: 'looking', report: null, reason: '' })
    const reason = await why()
    if (this.state === 'failed') return
    if (reason) return this.#tellGpu({ status: 'absent', report: null, reason })
    const link = new Link(this.#spawn(), this.#listener)
    this.#links.gpu = link
    try {
      const report = await link.boot('gpu', 1)
      if (!report) throw new SessionError({ message: 'The module for the GPU did not open one.', hint: '' })
      if (report.disagreements.length === 0) return this.#tellGpu({ status: 'ready', report, reason: '' })
      this.#dropGpu(closed)
      const reason = `It does not compute what the CPU computes: ${report.disagreements.join('; ')}.`
      this.#tellGpu({ status: 'wrong', report, reason })
    } catch (error) {
      this.#dropGpu(closed)
      if ((this.state as SessionState) === 'failed') return
      this.#tellGpu({ status: 'absent', report: null, reason: (error as SessionError).message })
    }
  }

  #dropGpu(problem: Problem): void {
    this.#links.gpu?.end(problem)
    this.#links.gpu = null
  }

  #tellGpu(gpu: GpuState): void {
    this.gpu = gpu
    this.#emit('gpu', gpu)
  }

  /** The engine's worker, ready to work. */
  async #linkOf(engine: Engine): Promise<Link> {
    if (engine === 'cpu') return this.#links.cpu ?? this.#bootCpu()
    await this.#looking
    // A GPU that was lost may be back.
    if (this.gpu.status === 'lost' && this.#whyNoGpu) await this.lookForGpu(this.#whyNoGpu)
    const { gpu } = this.#links
    if (gpu && this.gpu.status === 'ready') return gpu
    throw new SessionError({
      message: `There is no GPU to use. ${this.gpu.reason}`.trim(),
      hint: 'The CPU goes on.',
    })
  }

  /** Hands the experiment over to the other engine. Where that fails it goes on where it was. */
  async #move(engine: Engine, to: Link): Promise<void> {
    const from = this.#active
    let opened: Opened | null = null
    if (from && this.#opened) {
      const bytes = await from.ask('leave', null)
      opened = await to.ask('open', { bytes })
      this.#checkpoint = bytes
    }
    this.#activate(engine)
    from?.tell({ kind: 'rest' })
    to.tell({ kind: 'speed', speed: this.#speed })
    if (opened) this.#emit('progress', opened.progress)
  }

  #activate(engine: Engine): void {
    this.engine = engine
    this.#frameUnderWay = false
    this.#emit('engine', engine)
  }

  /** What the GPU refuses, such as a batch that is too large for it, is done by the processor. */
  async #onAnyEngine<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask()
    } catch (error) {
      if (this.engine !== 'gpu' || !(error instanceof SessionError) || !error.engine) throw error
      this.#opened = null
      await this.useEngine('cpu')
      const answer = await ask()
      this.#emit('error', error)
      return answer
    }
  }

  #replaced(opened: Opened): Opened {
    this.#opened = opened
    this.#checkpoint = null
    this.#emit('progress', opened.progress)
    this.#drawOnce()
    return opened
  }

  async #ask<K extends RequestKind>(kind: K, asks: Requests[K]['asks']): Promise<Requests[K]['gives']> {
    if (this.#moving) await this.#moving
    const link = this.#active
    if (link) return link.ask(kind, asks)
    throw new SessionError({ message: 'The training worker is not running.', hint: 'Reload the page.' })
  }

  #heard(link: Link, event: Event): void {
    if (event.kind === 'lost') return this.#lost(link, event.problem, event.bytes)
    // Whatever else a worker says that does not train is about an experiment that has moved on.
    if (link !== this.#active) return
    switch (event.kind) {
      case 'metrics':
        return this.#emit('metrics', event.rows)
      case 'progress':
        return this.#emit('progress', event.progress)
      case 'speed':
        return this.#emit('speed', { stepsPerSecond: event.stepsPerSecond })
      case 'frame':
        this.#frameUnderWay = false
        this.#emit('frame', event.frame)
        return this.#schedule()
      case 'checkpoint':
        this.#checkpoint = event.bytes
        break
      case 'stopped':
        this.pause()
        if (event.problem) this.#emit('error', event.problem)
        break
    }
  }

  /** A worker is beyond use: a new one goes on from the last copy of the state. */
  #broke(link: Link, problem: Problem): void {
    if (link === this.#links.gpu) return this.#lost(link, { ...problem, hint: goesOn }, null)
    if (link !== this.#links.cpu) return
    link.end(problem)
    this.#links.cpu = null
    if (this.engine !== 'cpu' || this.state === 'starting') return
    if (performance.now() - link.born < shortestLife) return this.#fail(problem)
    this.#emit('error', { ...problem, hint: 'Training goes on from the last copy of its state.' })
    this.#become('starting')
    this.#revive().catch((error: Problem) => this.#fail(error))
  }

  /** The GPU went away, or its worker broke down: the processor goes on from what was read back last. */
  #lost(link: Link, problem: Problem, bytes: Uint8Array | null): void {
    if (link !== this.#links.gpu) return
    this.#dropGpu(problem)
    // One that is still being opened is answered by whoever waits for it.
    if (this.gpu.status !== 'ready') return
    this.#tellGpu({ status: 'lost', report: this.gpu.report, reason: problem.message })
    if (this.engine !== 'gpu') return
    if (bytes) this.#checkpoint = bytes
    this.#activate('cpu')
    this.#emit('error', {
      message: problem.message,
      hint: 'Nothing learnt is lost: training goes on on the CPU.',
    })
    if (this.#ready) this.#become('starting')
    this.#revive().catch((error: Problem) => this.#fail(error))
  }

  /** Goes on from the last copy of the state. */
  async #revive(): Promise<void> {
    if (this.engine === 'gpu') this.#activate('cpu')
    const link = this.#links.cpu ?? (await this.#bootCpu())
    const opened = this.#opened
    const reopened = this.#checkpoint
      ? await link.ask('open', { bytes: this.#checkpoint })
      : opened && (await link.ask('create', opened))
    if (reopened) this.#emit('progress', reopened.progress)
    link.tell({ kind: 'speed', speed: this.#speed })
    this.#become(this.#wantsToRun ? 'running' : 'paused')
    this.#follow()
  }

  #fail(problem: Problem): void {
    this.#become('failed')
    this.#emit('error', { message: problem.message, hint: 'Reload the page to start again.' })
  }

  #end(problem: Problem): void {
    this.#links.cpu?.end(problem)
    this.#links.cpu = null
    this.#dropGpu(problem)
    this.#frameUnderWay = false
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

  /** Whether what is drawn has a time of its own, which no pause of training holds. */
  get #ownTime(): boolean {
    return this.#view?.kind === 'logic_ca'
  }

  get #moves(): boolean {
    return this.#runs || (this.#ownTime && document.visibilityState !== 'hidden')
  }

  #follow(): void {
    if (!this.#ready || this.#moving) return
    this.#active?.tell({ kind: this.#runs ? 'play' : 'pause' })
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
    if (this.#animation || this.#frameUnderWay || !this.#drawable) return
    if (!this.#moves && !this.#frameDue) return
    this.#animation = requestAnimationFrame((now) => {
      this.#animation = 0
      if (!this.#view || !this.#drawable) return
      const passed = this.#lastFrame === null ? 0 : Math.min((now - this.#lastFrame) / 1000, longestFrame)
      this.#lastFrame = now
      this.#frameDue = false
      this.#frameUnderWay = true
      const elapsed = this.#ownTime ? passed : this.#runs ? passed * this.#slowMotion : 0
      this.#active?.tell({ kind: 'frame', view: this.#view, elapsed })
    })
  }

  get #drawable(): boolean {
    return this.#view !== null && this.#opened !== null && this.#ready && !this.#moving
  }

  /** Slower than the world's own time, the herd slows down as well; faster, it stays watchable. */
  get #slowMotion(): number {
    if (this.#speed === 'max') return 1
    const info = this.experiments.find(({ name }) => name === this.#opened?.name)
    const stepSeconds = info?.world.kind === 'control' ? info.world.step_seconds : 1
    return Math.min(1, this.#speed * stepSeconds)
  }
}

const threads = (count: number): string => `${count} ${count === 1 ? 'thread' : 'threads'}`

function spawnWorker(): WorkerLike {
  return new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'vivarium' })
}

/** The next simpler choice, or `null` if there is none. */
export function simplify(from: Capabilities): Capabilities | null {
  const { module } = from.chosen
  if (module === 'single-simd128') return null
  const chosen = { module: 'single-simd128', threads: 1 } as const
  return { ...from, chosen, reason: `One core, as the module ${module} did not start.` }
}
