// Client of the training workers: requests, events, and recovery from worker failures.
import type { Session, SessionState } from './session'
import type { Capabilities } from './capabilities'
import { Activity } from './activity'
import { Engines, type EnginesListener } from './engines'
import { ExperimentRequests } from './experiment-requests'
import { closed, notRunning, replaced, restarted, SessionError } from './error'
import { loadExperiments } from './experiments'
import { experimentOfFile, familyOfExperiment, type Family } from '../shared/family'
import type { Event, Link } from './link'
import { MoveLock } from './move-lock'
import { FrameLoop, type FrameSource } from './frame-loop'
import { browser, type Host } from './host'
import { measure, measureAlone } from './suite'
import type { ExperimentInfo, Figure, OpenedRun, Problem } from '../../protocol/types'
import {
  benchSuites,
  type BenchSuite,
  type Engine,
  type RequestKind,
  type Requests,
  type Speed,
  type StepEnd,
} from '../shared/messages'

// A worker that fails within this time after its start (in milliseconds) is not restarted.
const minLifetime = 5000

type OpeningKind = 'create' | 'open' | 'openSnapshot'

export class Client extends ExperimentRequests implements Session {
  experiments: ExperimentInfo[]

  #host: Host
  #engines: Engines
  /** Engines of the benchmarked family, if it is not the family of the run; null without such a benchmark. */
  #measured: Engines | null = null
  /** Held while an experiment moves between workers; requests wait until the lock is released. */
  #moveLock = new MoveLock()
  #activity = new Activity((state) => this.emit('state', state))
  #speed: Speed = 'max'
  #stopAt: number | null = null
  stopOf: (experiment: string) => number | null = () => null
  protected readonly frameLoop: FrameLoop
  #disposed = false
  #detectsGpu = false

  private constructor(family: Family, experiments: ExperimentInfo[], capabilities: Capabilities, host: Host) {
    super()
    this.experiments = experiments
    this.#host = host
    this.#engines = this.#enginesOf(family, capabilities)
    this.frameLoop = new FrameLoop(this.#frameSource)
    document.addEventListener('visibilitychange', this.#visibility)
  }

  /** Starts a worker with a family's module. If a module fails to start, tries the next simpler one. */
  static async start(
    family: Family,
    experiments: ExperimentInfo[],
    capabilities: Capabilities,
    host: Host = browser,
  ): Promise<Client> {
    const client = new Client(family, experiments, capabilities, host)
    try {
      await client.#engines.link('cpu')
    } catch (error) {
      client.dispose()
      throw error
    }
    client.#activity.setState('paused')
    return client
  }

  get state(): SessionState {
    return this.#activity.state
  }

  get capabilities(): Capabilities {
    return this.#engines.capabilities
  }

  get engine(): Engine {
    return this.#engines.engine
  }

  get gpu() {
    return this.#engines.gpu
  }

  create(name: string, config: object, seed: number): Promise<OpenedRun> {
    return this.#replace(name, 'create', { name, config, seed })
  }

  open(bytes: Uint8Array): Promise<OpenedRun> {
    return this.#replace(experimentOfFile(bytes), 'open', { bytes })
  }

  openSnapshot(bytes: Uint8Array): Promise<OpenedRun> {
    return this.#replace(experimentOfFile(bytes), 'openSnapshot', { bytes })
  }

  play(): void {
    if (this.state === 'paused') this.#want(true)
  }

  pause(): void {
    if (this.state === 'running') this.#want(false)
  }

  #want(running: boolean): void {
    this.#activity.requested = running
    this.#activity.resume()
    this.#follow()
  }

  step(until: StepEnd): void {
    if (!this.#moveLock.busy) this.#engines.active?.send({ kind: 'step', until })
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed
    this.#engines.active?.send({ kind: 'speed', speed })
  }

  stopAt(steps: number | null): void {
    if (this.#stopAt === steps) return
    this.#stopAt = steps
    this.#engines.active?.send({ kind: 'stopAt', steps })
  }

  /** Sends the pace of training to another worker, which has no stop after the experiment has moved to it. */
  #sendPace(link: Link): void {
    link.send({ kind: 'speed', speed: this.#speed })
    if (this.#stopAt !== null) link.send({ kind: 'stopAt', steps: this.#stopAt })
  }

  hold(on: boolean): void {
    this.#engines.active?.send({ kind: 'hold', on })
  }

  trainInBackground(keep: boolean): void {
    this.#activity.inBackground = keep
    this.#follow()
  }

  async bench(suite: BenchSuite): Promise<Figure[]> {
    const report = (figure: Figure) => this.emit('figure', figure)
    const { family } = this.#engines
    const other = benchSuites[suite] ?? family
    if (other === family) return measure(suite, this.#engines, report)
    this.#measured = this.#enginesOf(other, this.capabilities)
    return measureAlone(suite, this.#measured, report).finally(() => (this.#measured = null))
  }

  /** Detects a GPU in the background, now and after each restart. */
  detectGpu(): Promise<void> {
    this.#detectsGpu = true
    return this.#engines.detectGpu()
  }

  async useEngine(engine: Engine): Promise<void> {
    const engines = this.#engines
    const to = await engines.link(engine)
    await this.#moveExclusively(async () => {
      if (engine === engines.engine || engines !== this.#engines || !this.#activity.ready) return
      const moved = await engines.move(engine, to, this.recovery.opened !== null)
      this.#sendPace(to)
      if (!moved) return
      await this.recovery.bringText(to)
      this.recovery.checkpoint = moved.bytes
      this.emit('progress', moved.opened.progress)
    })
  }

  async restart(): Promise<void> {
    this.#measured?.end(restarted)
    if (this.#disposed || this.state === 'starting') return
    const { engine } = this
    this.#engines.end(restarted)
    this.#engines = this.#enginesOf(this.#engines.family, this.capabilities)
    if (engine === 'gpu') this.emit('engine', 'cpu')
    await this.#recover()
    if (this.#detectsGpu) void this.detectGpu()
    // If the move fails, the experiment stays on the CPU, and the error is reported.
    if (engine === 'gpu') await this.useEngine(engine).catch(() => {})
  }

  dispose(): void {
    this.#disposed = true
    document.removeEventListener('visibilitychange', this.#visibility)
    this.frameLoop.end()
    this.#engines.end(closed)
    this.#measured?.end(closed)
    this.clear()
    this.#activity.state = 'failed'
  }

  #enginesOf(family: Family, capabilities: Capabilities): Engines {
    // Drops events of engines that were replaced or run a benchmark.
    const mine = (emit: () => void): void => (engines === this.#engines ? emit() : undefined)
    const owner: EnginesListener = {
      onEvent: (event) => mine(() => this.#onEvent(event)),
      moved: (engine) => mine(() => this.#moved(engine)),
      gpu: (state) => mine(() => this.emit('gpu', state)),
      broke: (problem, life) => mine(() => this.#workerBroke(problem, life)),
      leftGpu: (bytes) => mine(() => this.#leftGpu(bytes)),
      lost: (problem, bytes) => mine(() => this.#lost(problem, bytes)),
    }
    const engines: Engines = new Engines(family, capabilities, this.#host, owner)
    return engines
  }

  /** Replaces the experiment in a worker of the family of the experiment `name`. On an error, nothing changes. */
  async #replace<K extends OpeningKind>(
    name: string | null,
    kind: K,
    request: Requests[K]['args'],
  ): Promise<OpenedRun> {
    while (this.#moveLock.busy) await this.#moveLock.released()
    // Unknown experiments are sent to the current module, which rejects them. After a failure, a new worker is started.
    const next = familyOfExperiment(name) ?? this.#engines.family
    const stop = name === null ? null : this.stopOf(name)
    const before = this.#stopAt
    const args = { ...request, stop }
    if (!this.experiments.some(({ world }) => world.kind === next))
      this.experiments = [...this.experiments, ...(await loadExperiments(next))]
    const here = next === this.#engines.family && this.state !== 'failed'
    const opened = await (here ? this.#onAnyEngine(kind, args) : this.#enter(next, kind, args))
    this.recovery.reset(opened)
    // The worker may have received a stop of the previous experiment in the meantime.
    if (this.#stopAt !== before) this.#engines.active?.send({ kind: 'stopAt', steps: stop })
    this.#stopAt = stop
    this.emit('progress', opened.progress)
    this.frameLoop.requestOnce()
    return opened
  }

  /** Switches to another family of learners. The old workers end after the new experiment is open. */
  async #enter<K extends OpeningKind>(
    family: Family,
    kind: K,
    args: Requests[K]['args'],
  ): Promise<OpenedRun> {
    if (this.#disposed) throw notRunning()
    const { engine } = this
    const opened = await this.#moveExclusively(async () => {
      const engines = this.#enginesOf(family, this.capabilities)
      try {
        const link = await engines.link('cpu')
        const opened: OpenedRun = await link.ask(kind, args)
        if (this.#disposed) throw notRunning()
        link.send({ kind: 'speed', speed: this.#speed })
        this.#engines.end(replaced)
        this.#engines = engines
        this.frameLoop.dropPending()
        this.#activity.resume()
        return opened
      } catch (error) {
        engines.end()
        throw error
      }
    })
    if (engine === 'gpu') this.emit('engine', 'cpu')
    if (this.#detectsGpu) void this.detectGpu()
    // The chosen engine also applies to the next experiment.
    if (engine === 'gpu') this.useEngine('gpu').catch((error: SessionError) => this.emit('error', error))
    return opened
  }

  /** Sends a request. If the GPU rejects it, for example for lack of memory, sends it to the CPU's worker. */
  async #onAnyEngine<K extends OpeningKind>(kind: K, args: Requests[K]['args']): Promise<OpenedRun> {
    try {
      return await this.ask(kind, args)
    } catch (error) {
      if (this.engine !== 'gpu' || !(error instanceof SessionError) || error.cause?.code !== 'engine')
        throw error
      this.recovery.opened = null
      await this.useEngine('cpu')
      const opened: OpenedRun = await this.ask(kind, args)
      this.emit('error', error)
      return opened
    }
  }

  protected async ask<K extends RequestKind>(
    kind: K,
    args: Requests[K]['args'],
  ): Promise<Requests[K]['result']> {
    while (this.#moveLock.busy) await this.#moveLock.released()
    const link = this.#engines.active
    if (link) return link.ask(kind, args)
    throw notRunning()
  }

  /** Moves an experiment between workers; requests wait and go to its new worker. */
  async #moveExclusively<T>(move: () => Promise<T>): Promise<T> {
    try {
      return await this.#moveLock.run(move)
    } finally {
      this.#follow()
    }
  }

  #onEvent(event: Event): void {
    switch (event.kind) {
      case 'report':
        if (event.rows.length > 0) this.emit('metrics', event.rows)
        return this.emit('progress', event.progress)
      case 'rested':
        return this.emit('rested', null)
      case 'speed':
        return this.emit('speed', { stepsPerSecond: event.stepsPerSecond })
      case 'frame':
        this.emit('frame', event.frame)
        return this.frameLoop.onFrame()
      case 'checkpoint':
        this.recovery.checkpoint = event.bytes
        return this.emit('checkpoint', event.bytes)
      case 'snapshot':
        return this.emit('snapshot', event.bytes)
      case 'stepped':
        this.emit('stepped', null)
        return this.frameLoop.requestOnce()
      case 'stopped':
        this.pause()
        if (event.problem) this.emit('error', event.problem)
        break
    }
  }

  #moved(engine: Engine): void {
    this.frameLoop.dropPending()
    this.emit('engine', engine)
  }

  /** Handles the failure of a worker: a new worker resumes from the last copy of the state. */
  #workerBroke(problem: Problem, life: number): void {
    if (this.state === 'starting') return
    if (life < minLifetime) return this.#fail(problem)
    this.emit('error', { ...problem, hint: 'Training resumes from the last saved state.' })
    void this.#recover()
  }

  /** Handles the end of a phase that runs on the GPU: the CPU continues from this state. */
  #leftGpu(bytes: Uint8Array): void {
    this.recovery.checkpoint = bytes
    void this.#recover()
  }

  /** Handles the loss of the GPU: the CPU continues from the last readback, if any. */
  #lost(problem: Problem, bytes: Uint8Array | null): void {
    if (bytes) this.recovery.checkpoint = bytes
    const hint = 'Training continues on the CPU without loss.'
    this.emit('error', { message: problem.message, hint })
    void this.#recover()
  }

  /** Resumes from the last copy of the state in a new worker. */
  async #recover(): Promise<void> {
    if (this.#disposed) return
    const engines = this.#engines
    const current = () => engines === this.#engines && this.state !== 'failed'
    this.#activity.setState('starting')
    this.frameLoop.dropPending()
    try {
      const link = await engines.link('cpu')
      const reopened = await this.recovery.restore(link)
      if (!current()) return
      if (reopened) this.emit('progress', reopened.progress)
      this.#sendPace(link)
      this.#activity.resume()
      this.#follow()
    } catch (error) {
      if (current()) this.#fail(error as SessionError)
    }
  }

  #fail(problem: Problem): void {
    this.#activity.setState('failed')
    const hint = '“Try again” resumes from the last saved state.'
    this.emit('error', { message: problem.message, hint })
  }

  #visibility = (): void => this.#follow()

  #follow(): void {
    if (!this.#activity.ready || this.#moveLock.busy) return
    this.#engines.active?.send({ kind: this.#activity.runs ? 'play' : 'pause' })
    this.frameLoop.restart()
  }

  /** The source of frames for the frame loop. */
  get #frameSource(): FrameSource {
    return {
      there: () => this.recovery.opened !== null && this.#activity.ready && !this.#moveLock.busy,
      world: () => {
        const name = this.recovery.opened?.name
        return this.experiments.find((info) => info.name === name)?.world ?? null
      },
      speed: () => this.#speed,
      ask: (view, elapsed) => this.#engines.active?.send({ kind: 'frame', view, elapsed }),
    }
  }
}
