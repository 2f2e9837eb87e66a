/** A session and what is known about its experiment. */
import {
  StartError,
  type Capabilities,
  type Engine,
  type Evaluation,
  type ExperimentInfo,
  type GpuState,
  type OpenedRun,
  type Problem,
  type Session,
  type SessionState,
  type Speed,
  type ViewRequest,
} from '../engine/page/session'
import { startSession } from '../engine/page/start'
import { checkpointName, digest, stepsIn } from '../lib/files'
import { inFile } from '../lib/problem'
import { differences, presetOf, set, withSettings, type Config, type Setting } from './config'
import { EngineTrial } from './engine-trial'
import type { Keeper, Mark, RestoredRun } from './saving'
import { Observed } from './observed.svelte'
import { familyOf } from '../worlds'
import { exhibitHash } from './route'
import { toasts } from './toasts.svelte'

export class Lab extends Observed {
  session: Session | null = null
  capabilities = $state.raw<Capabilities | null>(null)
  experiments = $state.raw<ExperimentInfo[]>([])
  /** Why what was asked for last could not be started, if so. */
  failure = $state.raw<unknown>(null)
  /** Counts how often a person has asked for that again. */
  attempts = $state(0)

  info = $state.raw<ExperimentInfo | null>(null)
  /** The world whose exhibit was opened last; `null` on the home page. */
  exhibit = $state<string | null>(null)
  config = $state.raw<Config>({})
  /** Counts experiments: another number is another run. */
  run = $state(0)
  /** Whether it goes on from a checkpoint. */
  fromFile = false
  seed = $state(0)

  /** The engine that trains. */
  engine = $state<Engine>('cpu')
  /** The engine that the experiment is moving to; null while it stays. */
  movingTo = $state<Engine | null>(null)
  gpu = $state.raw<GpuState>({ status: 'looking', report: null, reason: '' })
  /** How many times as fast as the CPU the GPU was in this run; null where that is not known. */
  gpuFactor = $state<number | null>(null)

  running = $state<SessionState>('starting')
  evaluation = $state.raw<Evaluation | null>(null)
  evaluating = $state(false)
  speed = $state<Speed>('max')

  /** The view that is requested at the moment. */
  wanted: ViewRequest | null = null

  keeper: Keeper | null = null

  /** The address of the run that was shown last in each world, apart from the present one. */
  private lastAddresses: Record<string, string> = {}
  /** Finds the faster engine, until somebody chooses one. */
  private trial: EngineTrial | null = new EngineTrial()
  private starting: Promise<Session | null> | null = null
  private replacing: Promise<void> = Promise.resolve()
  private listeners = new Set<(problem: Problem) => boolean>()

  /** Starts the session if there is none yet, with the module that `world` needs. */
  start(world = 'cartpole'): Promise<Session | null> {
    this.starting ??= startSession(familyOf(world) ?? 'control')
      .then((session) => this.adopt(session))
      .catch((problem) => {
        this.failure = problem
        this.running = 'failed'
        this.starting = null
        return null
      })
    return this.starting
  }

  /** Tries again what has failed: a worker that broke down goes on from what was last saved. */
  tryAgain(): void {
    this.failure = null
    if (this.session && this.running === 'failed') return this.restart()
    if (!this.session) this.running = 'starting'
    this.attempts++
  }

  /** Gives up what the session is at; the experiment goes on from what was last saved. */
  restart(): void {
    const { session } = this
    if (session) this.starting = session.restart().then(() => session)
  }

  private adopt(session: Session): Session {
    this.session = session
    this.capabilities = session.capabilities
    this.experiments = session.experiments
    session.on('frame', (frame) => this.show(frame))
    session.on('progress', (progress) => this.advance(progress))
    session.on('speed', ({ stepsPerSecond }) => {
      this.clock(stepsPerSecond)
      this.tryEngines(session, stepsPerSecond)
    })
    session.on('state', (state) => this.setRunning(state))
    session.on('error', (problem) => this.complain(problem))
    session.on('engine', (engine) => this.setEngine(engine))
    session.on('gpu', (gpu) => (this.gpu = gpu))
    session.on('checkpoint', (bytes) => this.keeper?.checkpoint(bytes))
    session.on('metrics', (rows) => {
      for (const { notice } of rows) if (notice) toasts.report(notice)
      this.record(rows, this.info)
    })
    globalThis.document?.addEventListener('visibilitychange', () => this.keepTime())
    this.setRunning(session.state)
    this.gpu = session.gpu
    this.engine = session.engine
    return session
  }

  /** Speeds of one engine say nothing about the other's. */
  private setEngine(engine: Engine): void {
    this.engine = engine
    this.forgetSpeed()
  }

  /**
   * Where there is a real GPU and nobody has chosen an engine, a run trains on both for about a second and goes on on the
   * faster one. A GPU that is a program waits until somebody chooses it.
   */
  private tryEngines(session: Session, stepsPerSecond: number): void {
    const { gpu, trial } = this
    const real = gpu.status === 'ready' && gpu.report?.software === false
    if (!trial || !real || this.movingTo || this.speed !== 'max') return
    const next = trial.heard(stepsPerSecond, this.engine)
    this.gpuFactor = trial.factor
    if (!next) return
    this.movingTo = next
    // Where it cannot move, such as for the memory of the GPU, it stays: nobody has asked for it.
    void session
      .useEngine(next)
      .catch(() => {})
      .finally(() => (this.movingTo = null))
  }

  /** Moves the experiment, and whatever comes after it, to an engine; says why where that cannot be. */
  async useEngine(engine: Engine): Promise<void> {
    this.trial = null
    const session = await this.start()
    if (!session || this.movingTo || engine === this.engine) return
    this.movingTo = engine
    try {
      await session.useEngine(engine)
    } catch (problem) {
      toasts.error(problem)
    } finally {
      this.movingTo = null
    }
  }

  private setRunning(state: SessionState): void {
    this.running = state
    this.keepTime()
    if (state !== 'running') this.forgetSpeed()
    if (state !== 'paused') return
    // At once, and with what the worker still reports of its last slice.
    void this.keeper?.keepNow()
    this.keeper?.changed()
  }

  /** A hidden tab does not train, so its time does not count. */
  private keepTime(): void {
    this.time(this.running === 'running' && globalThis.document?.visibilityState !== 'hidden')
  }

  /** Whether this very experiment is already there, so that walking from the home page to its page keeps it. */
  holds(name: string, config: Config, seed: number): boolean {
    const info = this.info
    return (
      info?.name === name && this.seed === seed && differences(info.fields, this.config, config).length === 0
    )
  }

  /** A new experiment; on an error the running one goes on and false is given back. */
  async create(name: string, config: Config, seed: number): Promise<boolean> {
    return this.replace(async (session) => session.create(name, config, seed))
  }

  /** A checkpoint's experiment; an error names the file that it came in. */
  async open(bytes: Uint8Array, file: string): Promise<boolean> {
    const make = async (session: Session) => {
      try {
        return await session.open(bytes)
      } catch (problem) {
        throw problem instanceof StartError ? problem : inFile(file, problem)
      }
    }
    return this.replace(make, true)
  }

  /** A run that was kept, as soon as it is read. */
  async restore(read: () => Promise<RestoredRun>): Promise<boolean> {
    let restored: RestoredRun | null = null
    const make = async (session: Session) => session.open((restored = await read()).bytes)
    return this.replace(make, true, () => restored)
  }

  /** Resolves when no experiment is on its way any more: only then does {@link holds} say what will be there. */
  settled(): Promise<void> {
    return this.replacing
  }

  private replace(
    make: (session: Session) => Promise<OpenedRun>,
    fromFile = false,
    restoredBy: () => RestoredRun | null = () => null,
  ): Promise<boolean> {
    // One after the other: a file that is opened while a run is being read comes after it.
    const done = this.replacing.then(() => this.replaced(make, fromFile, restoredBy))
    this.replacing = done.then(() => {})
    return done
  }

  private async replaced(
    make: (session: Session) => Promise<OpenedRun>,
    fromFile: boolean,
    restoredBy: () => RestoredRun | null,
  ): Promise<boolean> {
    const session = await this.start()
    if (!session) return false
    const replacedBy = await this.keeper?.beforeReplace()
    try {
      const opened = await make(session)
      const restored = restoredBy()
      const info = this.experiments.find((e) => e.name === opened.name)
      if (!info)
        throw new Error(`The module made an experiment called ${opened.name}, which it does not list.`)
      // A step of a world is no epoch: what was slow there may be fast here.
      if (this.info && this.info.world.kind !== info.world.kind) this.speed = 'max'
      if (this.info) this.lastAddresses[this.info.name] = this.addressOf(this.info.name)
      this.failure = null
      this.info = info
      this.config = opened.config
      this.seed = opened.seed
      this.run++
      this.fromFile = fromFile
      this.evaluation = null
      this.gpuFactor = null
      this.trial &&= new EngineTrial()
      this.observe(opened.progress, restored?.pageState ?? null)
      this.show(null)
      this.keepTime()
      session.setSpeed(this.speed)
      replacedBy?.(restored)
      return true
    } catch (problem) {
      // Where nothing else is shown, there is room for it.
      if (problem instanceof StartError && !this.exhibited) this.failure = problem
      else toasts.error(problem)
      return false
    }
  }

  /** The file name of a checkpoint of the current run; runs with other settings have other names. */
  fileName(bytes: Uint8Array): string {
    return checkpointName(
      this.info?.name ?? '',
      this.preset ?? `settings-${digest(JSON.stringify(this.settings))}`,
      this.seed,
      stepsIn(bytes) ?? this.progress.steps,
    )
  }

  /** The preset that the settings are; null where they are a person's own. */
  get preset(): string | null {
    return this.info && presetOf(this.info, this.config)
  }

  /** The address of a world's exhibit: of the run that is there or was there last, where there is one. */
  addressOf(world: string): string {
    return this.info?.name === world
      ? exhibitHash(this.info, this.config, this.seed, this.engine)
      : (this.lastAddresses[world] ?? `#/${world}`)
  }

  mark(mark: Mark, on = true): void {
    if (this.marks.includes(mark) !== on)
      this.marks = on ? [...this.marks, mark] : this.marks.filter((other) => other !== mark)
    this.keeper?.changed()
  }

  /** The settings that differ from the registry's defaults. */
  get settings(): Setting[] {
    return this.settingsOf(this.config)
  }

  settingsOf(config: Config): Setting[] {
    return this.info ? differences(this.info.fields, config, this.info.defaults) : []
  }

  /** Sets a live field while the run goes on. */
  async setLive(path: string, value: unknown): Promise<void> {
    try {
      await this.session?.set(path, value)
      this.config = set(this.config, path, value)
      // It was measured with other settings.
      this.evaluation = null
      this.keeper?.changed()
    } catch (problem) {
      toasts.error(problem)
    }
  }

  /** Takes settings over that a command has given the run something else to learn by: of that, nothing is known yet. */
  aimAt(settings: readonly Setting[]): void {
    this.config = withSettings(this.config, settings)
    this.evaluation = null
    this.solved = null
    this.keeper?.changed()
  }

  /** Trains; a run that is over goes on for half as long again, where its end can be put off. */
  async play(): Promise<void> {
    const end = this.info?.fields.find(({ path, live }) => live && path === 'learning.epochs')
    if (this.over && !end)
      return toasts.report(
        'This run has reached its end.',
        'A longer one begins anew: its end is among its settings.',
      )
    if (this.over && end) await this.setLive(end.path, this.progress.steps + this.more)
    this.session?.play()
  }

  /** For how many steps a run that is over goes on; as many as the presets have at least. */
  get more(): number {
    return Math.max(500, Math.round((this.progress.total_steps ?? 0) / 2))
  }

  pause(): void {
    this.session?.pause()
  }

  step(): void {
    this.session?.step()
  }

  setSpeed(speed: Speed): void {
    this.speed = speed
    this.session?.setSpeed(speed)
  }

  view(request: ViewRequest | null): void {
    this.wanted = request
    this.session?.view(request)
  }

  /** Whether the open exhibit is that of the experiment: from entering one until its own experiment is there, it is not. */
  get exhibited(): boolean {
    return this.info !== null && this.info.name === this.exhibit
  }

  /** Calls `listener` first with each problem that nobody waits for; it returns whether it shows it where it belongs. */
  listen(listener: (problem: Problem) => boolean): void {
    this.listeners.add(listener)
  }

  private complain(problem: Problem): void {
    if (![...this.listeners].some((listener) => listener(problem))) toasts.error(problem)
  }

  async evaluate(episodes: number): Promise<void> {
    if (!this.session || this.evaluating) return
    this.evaluating = true
    const { run, config } = this
    try {
      const evaluation = await this.session.evaluate(episodes)
      if (run === this.run && config === this.config) this.evaluation = evaluation
    } catch (problem) {
      if (run === this.run) toasts.error(problem)
    } finally {
      this.evaluating = false
    }
  }

  async save(): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      return (await this.session?.save()) ?? null
    } catch (problem) {
      toasts.error(problem)
      return null
    }
  }
}
