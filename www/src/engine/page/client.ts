// A learner in workers, as the page sees it: what is asked of it, what it reports, and what happens when a worker breaks.
import type { Session, SessionEvents, SessionState } from './session'
import type { Capabilities } from './capabilities'
import { Activity } from './activity'
import { Emitter } from './emitter'
import { Engines, type Owner } from './engines'
import { again, closed, left, notRunning, SessionError } from './error'
import { familyOf, familyOfFile, type Family } from '../shared/family'
import type { Event } from './link'
import { Passage } from './passage'
import { paceOf, Pictures, type Subject } from './pictures'
import { Snapshot } from './snapshot'
import { browser, type Host } from './host'
import { familyOfSuite, measure, measureAlone } from './suite'
import type { Command, ExperimentInfo, Figure, OpenedRun, Problem, ViewRequest } from '../../protocol/types'
import type { BenchSuite, Engine, RequestKind, Requests, Speed } from '../shared/messages'

// A worker that breaks down again within this time of its start is not started anew.
const shortestLife = 5000
const pingEvery = 5000

export class Client extends Emitter<SessionEvents> implements Session {
  readonly experiments: ExperimentInfo[]

  #host: Host
  #engines: Engines
  /** The engines of another family while a bench measures them. */
  #measured: Engines | null = null
  /** An experiment goes through it from worker to worker: whoever asks something of it waits. */
  #passage = new Passage()
  #snapshot = new Snapshot()
  #activity = new Activity((state) => this.emit('state', state))
  #speed: Speed = 'max'
  #pictures: Pictures
  #pings: ReturnType<typeof setInterval>
  #disposed = false

  private constructor(family: Family, experiments: ExperimentInfo[], capabilities: Capabilities, host: Host) {
    super()
    this.experiments = experiments
    this.#host = host
    this.#engines = this.#enginesOf(family, capabilities)
    this.#pictures = new Pictures(this.#subject)
    document.addEventListener('visibilitychange', this.#visibility)
    this.#pings = setInterval(() => this.#activity.ready && this.#engines.active?.ping(), pingEvery)
  }

  /** Boots a worker with a family's module; one that does not start is followed by the next simpler one. */
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
    client.#activity.become('paused')
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
    return this.#replace(familyOf(this.experiments, name), 'create', { name, config, seed })
  }

  open(bytes: Uint8Array): Promise<OpenedRun> {
    return this.#replace(familyOfFile(this.experiments, bytes), 'open', { bytes })
  }

  play(): void {
    if (this.state === 'paused') this.#want(true)
  }

  pause(): void {
    if (this.state === 'running') this.#want(false)
  }

  #want(running: boolean): void {
    this.#activity.wanted = running
    this.#activity.resume()
    this.#follow()
  }

  step(): void {
    if (!this.#passage.busy) this.#engines.active?.send({ kind: 'step' })
    this.#pictures.once()
  }

  setSpeed(speed: Speed): void {
    this.#speed = speed
    this.#engines.active?.send({ kind: 'speed', speed })
  }

  view(request: ViewRequest | null): void {
    this.#pictures.show(request)
  }

  keepInBackground(keep: boolean): void {
    this.#activity.inBackground = keep
    this.#follow()
  }

  async set(path: string, value: unknown) {
    await this.#ask('set', { path, value })
    this.#pictures.once()
  }

  async openPlayer(bytes: Uint8Array) {
    await this.#ask('player', { bytes })
    this.#pictures.once()
  }

  async command(command: Command) {
    const reply = await this.#ask('command', { command })
    this.#pictures.once()
    return reply
  }

  async bringText(names: string[], files: Uint8Array[]) {
    await this.#ask('bring', { names, files })
    this.#snapshot.text = { names, files }
    this.#pictures.once()
  }

  save() {
    return this.#ask('save', null)
  }

  async pack() {
    const bytes = await this.#ask('pack', null)
    this.#snapshot.checkpoint = bytes
    return bytes
  }

  evaluate(episodes: number) {
    return this.#ask('evaluate', { episodes })
  }

  async bench(suite: BenchSuite): Promise<Figure[]> {
    const report = (figure: Figure) => this.emit('figure', figure)
    const { family } = this.#engines
    const other = familyOfSuite[suite] ?? family
    if (other === family) return measure(suite, this.#engines, report)
    this.#measured = this.#enginesOf(other, this.capabilities)
    return measureAlone(suite, this.#measured, report).finally(() => (this.#measured = null))
  }

  /** Looks for a GPU, while the rest goes on. */
  lookForGpu(): Promise<void> {
    return this.#engines.lookForGpu()
  }

  async useEngine(engine: Engine): Promise<void> {
    const engines = this.#engines
    const to = await engines.link(engine)
    await this.#onTheMove(async () => {
      if (engine === engines.engine || engines !== this.#engines || !this.#activity.ready) return
      const moved = await engines.move(engine, to, this.#snapshot.opened !== null)
      to.send({ kind: 'speed', speed: this.#speed })
      if (!moved) return
      await this.#snapshot.bringText(to)
      this.#snapshot.checkpoint = moved.bytes
      this.emit('progress', moved.opened.progress)
    })
  }

  async restart(): Promise<void> {
    this.#measured?.end(again)
    if (this.#disposed || this.state === 'starting') return
    const { engine } = this
    this.#engines.end(again)
    this.#engines = this.#enginesOf(this.#engines.family, this.capabilities)
    if (engine === 'gpu') this.emit('engine', 'cpu')
    await this.#revive()
    void this.lookForGpu()
    // Where it cannot go back, it stays, and the page knows why.
    if (engine === 'gpu') await this.useEngine(engine).catch(() => {})
  }

  dispose(): void {
    this.#disposed = true
    clearInterval(this.#pings)
    document.removeEventListener('visibilitychange', this.#visibility)
    this.#pictures.end()
    this.#engines.end(closed)
    this.#measured?.end(closed)
    this.clear()
    this.#activity.state = 'failed'
  }

  #enginesOf(family: Family, capabilities: Capabilities): Engines {
    // Events of engines that were replaced, or that a bench measures, do not reach the page.
    const mine = (emit: () => void): void => (engines === this.#engines ? emit() : undefined)
    const owner: Owner = {
      heard: (event) => mine(() => this.#heard(event)),
      moved: (engine) => mine(() => this.#moved(engine)),
      gpu: (state) => mine(() => this.emit('gpu', state)),
      broke: (problem, life) => mine(() => this.#broke(problem, life)),
      leftGpu: (bytes) => mine(() => this.#leftGpu(bytes)),
      lost: (problem, bytes) => mine(() => this.#lost(problem, bytes)),
    }
    const engines: Engines = new Engines(family, capabilities, this.#host, owner)
    return engines
  }

  /** A new experiment in place of the present one, in a worker of its family. Where it is refused, nothing changes. */
  async #replace<K extends 'create' | 'open'>(
    family: Family | null,
    kind: K,
    asks: Requests[K]['asks'],
  ): Promise<OpenedRun> {
    while (this.#passage.busy) await this.#passage.arrival()
    // The present module refuses an experiment that no family knows. A new worker is made where none is left.
    const next = family ?? this.#engines.family
    const here = next === this.#engines.family && this.state !== 'failed'
    const opened = await (here ? this.#onAnyEngine(kind, asks) : this.#enter(next, kind, asks))
    this.#snapshot.begin(opened)
    this.emit('progress', opened.progress)
    this.#pictures.once()
    return opened
  }

  /** Goes over to another family of learners, once it has an experiment there. */
  async #enter<K extends 'create' | 'open'>(
    family: Family,
    kind: K,
    asks: Requests[K]['asks'],
  ): Promise<OpenedRun> {
    if (this.#disposed) throw notRunning()
    const { engine } = this
    const opened = await this.#onTheMove(async () => {
      const engines = this.#enginesOf(family, this.capabilities)
      try {
        const link = await engines.link('cpu')
        const opened: OpenedRun = await link.ask(kind, asks)
        if (this.#disposed) throw notRunning()
        link.send({ kind: 'speed', speed: this.#speed })
        this.#engines.end(left)
        this.#engines = engines
        this.#pictures.forget()
        this.#activity.resume()
        return opened
      } catch (error) {
        engines.end()
        throw error
      }
    })
    if (engine === 'gpu') this.emit('engine', 'cpu')
    void this.lookForGpu()
    // The choice of the GPU holds for the next experiment as well.
    if (engine === 'gpu') this.useEngine('gpu').catch((error: SessionError) => this.emit('error', error))
    return opened
  }

  /** Sends a request; one that the GPU refuses, such as for its memory, is sent to the CPU's worker. */
  async #onAnyEngine<K extends 'create' | 'open'>(kind: K, asks: Requests[K]['asks']): Promise<OpenedRun> {
    try {
      return await this.#ask(kind, asks)
    } catch (error) {
      if (this.engine !== 'gpu' || !(error instanceof SessionError) || !error.engine) throw error
      this.#snapshot.opened = null
      await this.useEngine('cpu')
      const opened: OpenedRun = await this.#ask(kind, asks)
      this.emit('error', error)
      return opened
    }
  }

  async #ask<K extends RequestKind>(kind: K, asks: Requests[K]['asks']): Promise<Requests[K]['gives']> {
    while (this.#passage.busy) await this.#passage.arrival()
    const link = this.#engines.active
    if (link) return link.ask(kind, asks)
    throw notRunning()
  }

  /** Lets an experiment move between workers; what is asked meanwhile is asked where it then is. */
  async #onTheMove<T>(move: () => Promise<T>): Promise<T> {
    try {
      return await this.#passage.through(move)
    } finally {
      this.#follow()
    }
  }

  #heard(event: Event): void {
    switch (event.kind) {
      case 'metrics':
        return this.emit('metrics', event.rows)
      case 'progress':
        return this.emit('progress', event.progress)
      case 'speed':
        return this.emit('speed', { stepsPerSecond: event.stepsPerSecond })
      case 'frame':
        this.emit('frame', event.frame)
        return this.#pictures.came()
      case 'checkpoint':
        this.#snapshot.checkpoint = event.bytes
        return this.emit('checkpoint', event.bytes)
      case 'stopped':
        this.pause()
        if (event.problem) this.emit('error', event.problem)
        break
    }
  }

  #moved(engine: Engine): void {
    this.#pictures.forget()
    this.emit('engine', engine)
  }

  /** A worker is beyond use: a new one goes on from the last copy of the state. */
  #broke(problem: Problem, life: number): void {
    if (this.state === 'starting') return
    if (life < shortestLife) return this.#fail(problem)
    this.emit('error', { ...problem, hint: 'Training goes on from the last copy of its state.' })
    void this.#revive()
  }

  /** The GPU has done its part: the processor goes on. */
  #leftGpu(bytes: Uint8Array): void {
    this.#snapshot.checkpoint = bytes
    void this.#revive()
  }

  /** The GPU went away: the processor goes on from what was read back last. */
  #lost(problem: Problem, bytes: Uint8Array | null): void {
    if (bytes) this.#snapshot.checkpoint = bytes
    const hint = 'Nothing learned is lost: training goes on on the CPU.'
    this.emit('error', { message: problem.message, hint })
    void this.#revive()
  }

  /** Goes on from the last copy of the state. */
  async #revive(): Promise<void> {
    const engines = this.#engines
    const current = () => engines === this.#engines && this.state !== 'failed'
    this.#activity.become('starting')
    this.#pictures.forget()
    try {
      const link = await engines.link('cpu')
      const reopened = await this.#snapshot.restore(link)
      if (!current()) return
      if (reopened) this.emit('progress', reopened.progress)
      link.send({ kind: 'speed', speed: this.#speed })
      this.#activity.resume()
      this.#follow()
    } catch (error) {
      if (current()) this.#fail(error as SessionError)
    }
  }

  #fail(problem: Problem): void {
    this.#activity.become('failed')
    const hint = '“Try again” goes on from the last copy of its state.'
    this.emit('error', { message: problem.message, hint })
  }

  #visibility = (): void => this.#follow()

  #follow(): void {
    if (!this.#activity.ready || this.#passage.busy) return
    this.#engines.active?.send({ kind: this.#activity.runs ? 'play' : 'pause' })
    this.#pictures.restart()
  }

  /** The source of frames, read by the display's callback. */
  get #subject(): Subject {
    return {
      there: () => this.#snapshot.opened !== null && this.#activity.ready && !this.#passage.busy,
      runs: () => this.#activity.runs,
      pace: () => {
        const name = this.#snapshot.opened?.name
        return paceOf(this.experiments.find((info) => info.name === name)?.world ?? null, this.#speed)
      },
      ask: (view, elapsed) => this.#engines.active?.send({ kind: 'frame', view, elapsed }),
    }
  }
}
