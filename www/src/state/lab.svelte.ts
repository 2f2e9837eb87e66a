/** The lab: a training session with the state of its current run. */
import {
  loadExperiments,
  StartError,
  type Capabilities,
  type Evaluation,
  type ExperimentInfo,
  type Family,
  type OpenedRun,
  type Problem,
  type Session,
  type SessionState,
  type StepEnd,
  type ViewRequest,
} from '../engine/page/session'
import { startReplay, startSession } from '../engine/page/start'
import { digest, runName, stepsIn } from '../lib/files'
import { inFile } from '../lib/problem'
import type { ComparedRun } from './compared-run'
import { differences, get, presetOf, set, withSettings, type Config, type Setting } from './config'
import { EngineSelection } from './engine-selection.svelte'
import { afterFirstView } from './first-view'
import { SingleStep } from './single-step.svelte'
import { MemorySnapshots, type RunStorage, type Mark, type RestoredRun } from './saving'
import { familyOfWorld, startHash } from '../worlds'
import { exhibitHash } from './route'
import { Timeline } from './timeline.svelte'
import { toasts } from './toasts.svelte'

export class Lab extends EngineSelection {
  capabilities = $state.raw<Capabilities | null>(null)
  /** Experiments with a loaded description: at first the family of the session; all experiments after the first view. */
  experiments = $state.raw<ExperimentInfo[]>([])
  /** Whether all descriptions are loaded, or could not be loaded. */
  experimentsSettled = $state(false)
  /** Error of the last failed start; null if none. */
  failure = $state.raw<unknown>(null)
  /** Number of retries after failed starts. */
  attempts = $state(0)

  info = $state.raw<ExperimentInfo | null>(null)
  /** The environment whose exhibit was opened last; `null` on the home page. */
  exhibit = $state<string | null>(null)
  config = $state.raw<Config>({})
  /** Number of the current run; increases with each experiment. */
  run = $state(0)
  /** Whether the run was resumed from a checkpoint. */
  fromFile = false
  seed = $state(0)

  running = $state<SessionState>('starting')
  /** Whether training is paused, and metrics, progress and view are those of its last step. */
  atRest = $state(false)
  evaluation = $state.raw<Evaluation | null>(null)
  evaluating = $state(false)
  /** Whether another run trains in the same window. */
  isPaired = false
  /** Number of steps at which the stop of the pace has paused training; null if training was not paused by the stop. */
  stoppedAt = $state<number | null>(null)
  /** Number of steps at the start of the training in progress. */
  private playedFrom = 0
  readonly single = new SingleStep(this)
  readonly timeline: Timeline = new Timeline({
    lab: this,
    startReplay: async () => {
      const replay = await startReplay(this.session!, this.info!.world.kind)
      this.pace.apply(replay)
      return replay
    },
    show: (frame) => this.show(frame),
  })

  private drawnView: ViewRequest | null = null
  private onScreen = true

  runStorage: RunStorage | null = null

  /** Called with a run that another run of its exhibit has replaced, and that is stored. */
  onstored: ((run: ComparedRun) => void) | null = null

  /** Hash of the last run of each other environment. */
  private lastAddresses: Record<string, string> = {}
  private starting: Promise<Session | null> | null = null
  private replacing: Promise<void> = Promise.resolve()
  private listeners = new Set<(problem: Problem) => boolean>()
  private disposed = false

  /** Returns the number of steps at which the runs of an experiment stop; null for none. */
  stopOf: ((experiment: string) => number | null) | null = null

  constructor(private readonly startOf: (family: Family) => Promise<Session> = startSession) {
    super()
  }

  /** Ends the session and its workers. */
  dispose(): void {
    this.disposed = true
    this.timeline.close()
    void this.starting?.then((session) => {
      globalThis.document?.removeEventListener('visibilitychange', this.keepTime)
      session?.dispose()
    })
  }

  /** The session whose frames are displayed: the training session, or the session that shows a snapshot. */
  get viewed(): Session | null {
    return this.timeline.session ?? this.session
  }

  protected get sessions(): Session[] {
    return [this.session, this.timeline.replay].filter((session) => session !== null)
  }

  /** Starts the session, if there is none, with the module of `world`. */
  start(world = 'cartpole'): Promise<Session | null> {
    this.starting ??= this.startOf(familyOfWorld(world) ?? 'control')
      .then((session) => this.adopt(session))
      .catch((problem) => {
        this.failure = problem
        this.running = 'failed'
        this.starting = null
        return null
      })
    return this.starting
  }

  /** Returns the description of an experiment; null if the name is unknown, or after a failure to load it. */
  async describe(world: string): Promise<ExperimentInfo | null> {
    const named = ({ name }: ExperimentInfo): boolean => name === world
    const known = this.experiments.find(named)
    const family = familyOfWorld(world)
    if (known || !family) return known ?? null
    try {
      return (await loadExperiments(family)).find(named) ?? null
    } catch (problem) {
      this.failure = problem
      return null
    }
  }

  /** Retries after a failure. A failed worker resumes from the last saved state. */
  tryAgain(): void {
    this.failure = null
    if (this.session && this.running === 'failed') return this.restart()
    if (!this.session) this.running = 'starting'
    this.attempts++
  }

  /** Cancels the current operation; the experiment resumes from the last saved state. */
  restart(): void {
    const { session } = this
    if (session) this.starting = session.restart().then(() => session)
  }

  private adopt(session: Session): Session {
    this.session = session
    this.experiments = session.experiments
    session.stopOf = (name) => this.stopOfRun(name)
    // Lists of stored runs name experiments of all families.
    void afterFirstView(loadExperiments, 'The list of experiments')
      .then((all) => (this.experiments = all))
      .catch(() => {})
      .finally(() => (this.experimentsSettled = true))
    session.on('frame', (frame) => this.timeline.accepts() && this.show(frame))
    session.on('snapshot', (bytes) => void this.timeline.add(bytes))
    session.on('progress', (progress) => this.advance(progress))
    session.on('speed', ({ stepsPerSecond }) => {
      this.clock(stepsPerSecond)
      this.pace.advance(this.seconds)
      this.runEngineTrial(session, stepsPerSecond)
    })
    session.on('stepped', () => {
      this.single.done()
      this.keepTime()
      this.rest()
    })
    session.on('rested', () => this.rest())
    session.on('state', (state) => this.setRunning(state))
    session.on('error', (problem) => this.reportProblem(problem))
    session.on('engine', (engine) => this.setEngine(engine))
    session.on('gpu', (gpu) => (this.gpu = gpu))
    session.on('checkpoint', (bytes) => this.runStorage?.checkpoint(bytes))
    session.on('metrics', (rows) => {
      for (const { notice } of rows) if (notice) toasts.report(notice)
      const { engine, isPaired: isBeside } = this
      this.trainOn({ engine, threads: session.capabilities?.chosen.threads ?? 1, isBeside })
      this.record(rows, this.info)
    })
    globalThis.document?.addEventListener('visibilitychange', this.keepTime)
    this.setRunning(session.state)
    this.rest()
    this.gpu = session.gpu
    this.engine = session.engine
    return session
  }

  private setRunning(state: SessionState): void {
    this.running = state
    this.capabilities = this.session?.capabilities ?? null
    if (state !== 'paused') this.single.clear()
    this.keepTime()
    this.atRest = false
    this.markStop(state)
    if (state !== 'running') this.forgetSpeed()
    if (state !== 'paused') return
    // Saves immediately; the run is saved again after the last reports of the worker.
    void this.runStorage?.saveNow()
    this.runStorage?.changed()
  }

  /** Returns the stop of the next run of an experiment: the present stop if its exhibit is open. */
  private stopOfRun(experiment: string): number | null {
    return this.info?.name === experiment ? this.pace.stop : (this.stopOf?.(experiment) ?? null)
  }

  private markStop(state: SessionState): void {
    const { steps } = this.progress
    const { stop } = this.pace
    const isReached = stop !== null && this.playedFrom < stop && steps >= stop
    this.stoppedAt = state === 'paused' && isReached ? steps : null
    this.playedFrom = steps
  }

  /** Waits for a frame of the view, if any, after the last report. The next frame shows the state of this report. */
  private rest(): void {
    if (this.running !== 'paused' || this.single.busy) return
    if (!this.requestedView) return void (this.atRest = true)
    const stop = this.watch(() => {
      stop()
      this.atRest = this.running === 'paused' && !this.single.busy
    })
  }

  /** Starts or stops the training clock; a hidden tab does not train. */
  private readonly keepTime = (): void =>
    this.time(
      (this.running === 'running' || this.single.busy) && globalThis.document?.visibilityState !== 'hidden',
    )

  /** Returns whether the current run has this name, config and seed. */
  isCurrentRun(name: string, config: Config, seed: number): boolean {
    const info = this.info
    return (
      info?.name === name && this.seed === seed && differences(info.fields, this.config, config).length === 0
    )
  }

  /**
   * Starts a new experiment. On an error, keeps the current run and returns false. Calls `onOpen` as soon as the
   * experiment is open, before the page shows it.
   */
  async create(name: string, config: Config, seed: number, onOpen: () => void = () => {}): Promise<boolean> {
    return this.replace(
      async (session) => session.create(name, config, seed),
      false,
      () => null,
      onOpen,
    )
  }

  /** Opens a checkpoint. Errors name the file. */
  async open(bytes: Uint8Array, file: string): Promise<boolean> {
    const make = async (session: Session) => {
      try {
        return await session.open(bytes)
      } catch (problem) {
        throw problem instanceof StartError ? problem : inFile(file, problem)
      }
    }
    return this.replace(make, true, undefined, undefined, stepsIn(bytes) ?? 0)
  }

  /** Restores a saved run. */
  async restore(read: () => Promise<RestoredRun>): Promise<boolean> {
    let restored: RestoredRun | null = null
    const make = async (session: Session) => session.open((restored = await read()).bytes)
    return this.replace(make, true, () => restored)
  }

  /** Resolves when no replacement is in progress; only then is {@link isCurrentRun} up to date. */
  settled(): Promise<void> {
    return this.replacing
  }

  private replace(
    make: (session: Session) => Promise<OpenedRun>,
    fromFile = false,
    restoredBy: () => RestoredRun | null = () => null,
    onOpen: () => void = () => {},
    trained = 0,
  ): Promise<boolean> {
    // Replacements are serialized: a file that is opened while a run is being restored is opened afterwards.
    const done = this.replacing.then(() => this.replaced(make, fromFile, restoredBy, onOpen, trained))
    this.replacing = done.then(() => {})
    return done
  }

  /** Undoes a change of a setting. */
  private async undo(session: Session, path: string, before: unknown): Promise<void> {
    // A session that has failed stores the run as it was saved last.
    await session.set(path, before).catch(() => undefined)
    this.config = set(this.config, path, before)
  }

  private async replaced(
    make: (session: Session) => Promise<OpenedRun>,
    fromFile: boolean,
    restoredBy: () => RestoredRun | null,
    onOpen: () => void,
    trained: number,
  ): Promise<boolean> {
    const session = await this.start()
    if (!session) return false
    // The run is stored with the settings of its steps.
    const unused = this.takeUnused().map(({ path, before }) => ({
      path,
      before,
      value: get(this.config, path),
    }))
    for (const { path, before } of unused) await this.undo(session, path, before)
    // The run may have been saved with these changes.
    if (unused.length > 0) this.runStorage?.changed()
    const replacedBy = await this.runStorage?.beforeReplace()
    try {
      const opened = await make(session)
      const restored = restoredBy()
      const info = session.experiments.find((e) => e.name === opened.name)
      if (!info) throw new Error(`The module opened an unknown experiment ${opened.name}.`)
      // Speed limits of different families have different units.
      if (this.pace.isAutomatic || (this.info && this.info.world.kind !== info.world.kind)) this.pace.reset()
      this.pace.stop = this.stopOfRun(info.name)
      if (this.info) this.lastAddresses[this.info.name] = this.addressOf(this.info.name)
      this.failure = null
      this.capabilities = session.capabilities
      this.info = info
      this.config = opened.config
      this.seed = opened.seed
      this.run++
      this.fromFile = fromFile
      this.evaluation = null
      this.restartTrial()
      this.observe(opened.progress, restored?.pageState ?? null, trained)
      this.stoppedAt = null
      this.playedFrom = opened.progress.steps
      this.show(null)
      this.single.clear()
      this.keepTime()
      this.pace.apply()
      replacedBy?.(restored)
      void this.timeline.begin(this.runStorage?.snapshots() ?? new MemorySnapshots())
      onOpen()
      return true
    } catch (problem) {
      if (this.disposed) return false
      // The current run continues with its settings.
      for (const { path, value } of unused.toReversed()) await this.setLive(path, value)
      // A page without an exhibit shows the error in place of the exhibit.
      if (problem instanceof StartError && !this.exhibitReady) this.failure = problem
      else toasts.error(problem)
      return false
    }
  }

  /** Returns the file name of a checkpoint of the current run. */
  fileName(bytes: Uint8Array): string {
    return `${this.exportName(stepsIn(bytes) ?? undefined)}.safetensors`
  }

  /** Returns the name of the run's exported files, without extension. The name depends on the settings. */
  exportName(steps = this.progress.steps): string {
    const settings = this.preset ?? `settings-${digest(JSON.stringify(this.settings))}`
    return runName(this.info?.name ?? '', settings, this.seed, steps)
  }

  /** The preset of the current settings; null for custom settings. */
  get preset(): string | null {
    return this.info && presetOf(this.info, this.config)
  }

  /** Returns the URL fragment of an environment's exhibit with its current or last run, or with its first settings. */
  addressOf(world: string): string {
    return this.info?.name === world
      ? exhibitHash(this.info, this.config, this.seed, this.engine)
      : (this.lastAddresses[world] ?? startHash(world))
  }

  mark(mark: Mark, on = true): void {
    if (this.marks.includes(mark) !== on)
      this.marks = on ? [...this.marks, mark] : this.marks.filter((other) => other !== mark)
    this.runStorage?.changed()
  }

  /** Settings that differ from the defaults. */
  get settings(): Setting[] {
    return this.settingsOf(this.config)
  }

  settingsOf(config: Config): Setting[] {
    return this.info ? differences(this.info.fields, config, this.info.defaults) : []
  }

  /** Sets a live field of the current run. */
  async setLive(path: string, value: unknown): Promise<void> {
    try {
      await this.session?.set(path, value)
      const before = get(this.config, path)
      this.config = set(this.config, path, value)
      if (this.info) this.markChange(this.info, path, value, before)
      // The evaluation belongs to the previous settings.
      this.evaluation = null
      this.runStorage?.changed()
    } catch (problem) {
      toasts.error(problem)
    }
  }

  /** Applies settings that a command has changed, such as a new target; results for the old settings are dropped. */
  applySettings(settings: readonly Setting[]): void {
    const { config } = this
    this.config = withSettings(config, settings)
    for (const { path, value } of settings)
      if (this.info) this.markChange(this.info, path, value, get(config, path))
    this.evaluation = null
    this.solved = null
    this.runStorage?.changed()
  }

  /** Starts training. A finished run continues for half as long again, if its end is a live setting. */
  async play(): Promise<void> {
    const end = this.info?.fields.find(({ path, live }) => live && path === 'learning.epochs')
    if (this.over && !end)
      return toasts.report(
        'This run is complete.',
        'To train longer, change its length in the settings and restart.',
      )
    if (this.over && end) await this.setLive(end.path, this.progress.steps + this.more)
    this.session?.play()
  }

  /** Number of steps by which a finished run is extended: half of its steps, at least 500. */
  get more(): number {
    return Math.max(500, Math.round((this.progress.total_steps ?? 0) / 2))
  }

  pause(): void {
    this.session?.pause()
  }

  step(until: StepEnd): void {
    // A step that begins during a move would be lost.
    if (this.movingTo !== null || !this.session || !this.single.begin()) return
    this.atRest = false
    this.keepTime()
    this.session.step(until)
  }

  /** Requests frames of a view in place of the previous view. Returns a function that withdraws the request. */
  view(request: ViewRequest): () => void {
    this.setView(request)
    return () => this.withdraw(request)
  }

  /** Ends the request for frames of a view, unless another view has replaced it. */
  withdraw(request: ViewRequest): void {
    if (this.drawnView === request) this.setView(null)
  }

  /** Sets whether the view is on screen. While the view is off screen, no frames are requested. */
  setOnScreen(on: boolean): void {
    this.onScreen = on
    this.timeline.view(this.requestedView)
  }

  /** The view whose frames are requested; null if there is no view on screen. */
  get requestedView(): ViewRequest | null {
    return this.onScreen ? this.drawnView : null
  }

  private setView(request: ViewRequest | null): void {
    this.drawnView = request
    this.timeline.view(this.requestedView)
  }

  /** Whether the open exhibit shows the current run. False while an exhibit is open whose run is not loaded yet. */
  get exhibitReady(): boolean {
    return this.info !== null && this.info.name === this.exhibit
  }

  /** Registers a handler of session errors. The handler returns whether it displays the error. */
  listen(listener: (problem: Problem) => boolean): void {
    this.listeners.add(listener)
  }

  private reportProblem(problem: Problem): void {
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
