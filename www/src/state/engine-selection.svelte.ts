/** Selection of the engine of a run: by the user, or by a trial of both. */
import type { Engine, GpuState, Session } from '../engine/page/session'
import { EngineTrial } from './engine-trial'
import { RunObservations } from './observations.svelte'
import { Pace } from './pace.svelte'
import { toasts } from './toasts.svelte'

export abstract class EngineSelection extends RunObservations {
  session: Session | null = null

  /** The active engine. */
  engine = $state<Engine>('cpu')
  /** Target engine of a move in progress; null if none. */
  movingTo = $state<Engine | null>(null)
  gpu = $state.raw<GpuState>({ status: 'looking', report: null, reason: '' })
  /** Speed of the GPU relative to the CPU in this run; null if unknown. */
  gpuSpeedup = $state<number | null>(null)

  readonly pace = new Pace(() => this.sessions)

  /** Engine trial; null after the user has chosen an engine, and after {@link keepEngine}. */
  private trial: EngineTrial | null = new EngineTrial()

  /** Starts the session, if there is none. */
  abstract start(): Promise<Session | null>

  /** The training session, and the session that shows a snapshot, as far as they exist. */
  protected abstract get sessions(): Session[]

  /** Sets the active engine and resets the averaged speed. */
  protected setEngine(engine: Engine): void {
    this.engine = engine
    this.forgetSpeed()
  }

  /**
   * Passes a speed report to the engine trial, if a hardware GPU is ready and the user has not chosen an engine.
   * Software GPUs are used only on request.
   */
  protected runEngineTrial(session: Session, stepsPerSecond: number): void {
    const { gpu, trial } = this
    const real = gpu.status === 'ready' && gpu.report?.software === false
    if (!trial || !real || this.movingTo || this.pace.speed !== 'max') return
    const next = trial.heard(stepsPerSecond, this.engine)
    this.gpuSpeedup = trial.factor
    if (!next) return
    this.movingTo = next
    // Errors of the automatic move are ignored, for example for lack of GPU memory.
    void session
      .useEngine(next)
      .catch(() => {})
      .finally(() => (this.movingTo = null))
  }

  /** Whether the GPU can be selected: a lost GPU may be available again, and a software GPU is checked on selection. */
  get offersGpu(): boolean {
    return ['ready', 'lost', 'unchecked'].includes(this.gpu.status)
  }

  /** Ends the engine trial: the run stays on its engine until another one is selected. */
  keepEngine(): void {
    this.trial = null
  }

  /** Moves the current and later experiments to an engine. Reports an error if that fails. */
  async useEngine(engine: Engine): Promise<void> {
    this.keepEngine()
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

  /** Measures both engines again for another run. */
  protected restartTrial(): void {
    this.gpuSpeedup = null
    this.trial &&= new EngineTrial()
  }
}
