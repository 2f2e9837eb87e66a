// The page's interface to a training session.
import type { Capabilities } from './capabilities'
import type {
  Command,
  ControlInfo,
  Evaluation,
  ExperimentInfo,
  Figure,
  GpuReport,
  MetricRow,
  OpenedRun,
  Problem,
  Progress,
  Reply,
  ViewRequest,
} from '../../protocol/types'
import type { BenchSuite, Engine, Speed, StepEnd } from '../shared/messages'
import type { Frame } from '../../protocol/frame'

export type * from '../../protocol/types'
export type { BenchSuite, CpuModule, Engine, ModuleName, Speed, StepEnd } from '../shared/messages'
export type { Frame, FrameArray } from '../../protocol/frame'
/** An experiment with a control environment. */
export type ControlExperiment = ExperimentInfo & { world: { kind: 'control' } & ControlInfo }

/** Returns whether an experiment has a control environment. */
export function isControl(info: ExperimentInfo): info is ControlExperiment {
  return info.world.kind === 'control'
}

export type { Capabilities } from './capabilities'
export type { ModuleOptions } from './module-selection'
export type { Family } from '../shared/family'
export { SessionError, StartError } from './error'
export { loadExperiments } from './experiments'

/**
 * `failed`: the worker failed and could not be restarted. Only {@link Session.restart} and new experiments are accepted
 * then.
 */
export type SessionState = 'starting' | 'paused' | 'running' | 'failed'

/** The state of the GPU. */
export interface GpuState {
  /**
   * `looking`: detection in progress. `absent`: no GPU is available. `unchecked`: a software GPU; choosing it runs its
   * self-check. `wrong`: the GPU failed its self-check and is not used. `ready`: the GPU can be used. `lost`: the GPU
   * was lost; choosing it detects it again.
   */
  status: 'looking' | 'absent' | 'unchecked' | 'wrong' | 'ready' | 'lost'
  /** Report of the opened GPU, or null. */
  report: GpuReport | null
  /** Reason why the GPU cannot be used; empty if it can. */
  reason: string
}

/** The events that a session emits. */
export interface SessionEvents {
  /** Metric rows since the last event, oldest first. The progress at the same training step follows at once. */
  metrics: MetricRow[]
  /** A frame of the requested view, at display rate. */
  frame: Frame
  /** About ten times per second while running, and after every change. */
  progress: Progress
  state: SessionState
  /**
   * A snapshot for the timeline (read-only): one at the start of a run, then each at about 1.1 times the steps of the
   * previous snapshot.
   */
  snapshot: Uint8Array<ArrayBuffer>
  /** The single step is complete, or training has stopped. */
  stepped: null
  /** Training is paused, and its last report has arrived. */
  rested: null
  /** An error that is not the result of a request; failed requests reject their promises instead. */
  error: Problem
  /** About twice per second while running: steps per second, as `Progress` counts them. */
  speed: { stepsPerSecond: number }
  /** A copy of the state (read-only): periodically while running, and at the start of an experiment. */
  checkpoint: Uint8Array<ArrayBuffer>
  /** A result of the running benchmark suite. */
  figure: Figure
  /** The experiment moved to this engine. */
  engine: Engine
  gpu: GpuState
}

/** A learner in a worker. A failed request rejects with a {@link SessionError} and leaves the experiment unchanged. */
export interface Session {
  readonly capabilities: Capabilities
  readonly state: SessionState
  /** The active engine. */
  readonly engine: Engine
  readonly gpu: GpuState
  /** Experiments of the families that were opened, with their config fields, presets and metrics. */
  readonly experiments: ExperimentInfo[]
  on<K extends keyof SessionEvents>(event: K, handler: (value: SessionEvents[K]) => void): () => void
  /**
   * Replaces the experiment by a new one, paused unless the session was running. An experiment of another family starts
   * a worker with that family's module.
   */
  create(name: string, config: object, seed: number): Promise<OpenedRun>
  /** Replaces the experiment by the experiment that a checkpoint stores. */
  open(bytes: Uint8Array): Promise<OpenedRun>
  /** Replaces the experiment by the experiment that a snapshot stores, for display only. */
  openSnapshot(bytes: Uint8Array): Promise<OpenedRun>
  play(): void
  pause(): void
  /** Takes a single step of training, while training is paused. */
  step(until: StepEnd): void
  /** Sets whether the environments of a control preview act, independent of training. Default: true. */
  act(on: boolean): void
  /** Advances the environments of a control preview by one environment step. */
  stepPreview(): void
  setSpeed(speed: Speed): void
  /** Returns the stop of an experiment that is opened, see {@link stopAt}. Default: no stop. */
  stopOf: (experiment: string) => number | null
  /**
   * Pauses training at the end of the first iteration with at least this number of steps; null for no stop. Training that starts
   * with more steps is not paused.
   */
  stopAt(steps: number | null): void
  /** Interrupts training for a moment, or resumes it, while another run of the window trains. The state is unchanged. */
  hold(on: boolean): void
  /** Requests frames of this view; `null` requests none. */
  view(request: ViewRequest | null): void
  /** Sets whether training continues while the tab is hidden. Default: false. */
  trainInBackground(keep: boolean): void
  /** Sets a live field of the config. */
  set(path: string, value: unknown): Promise<void>
  /** Opens the network of a checkpoint file as a player. */
  openPlayer(bytes: Uint8Array): Promise<void>
  command(command: Command): Promise<Reply>
  /** Supplies the training corpus that the experiment waits for. The files are concatenated. */
  bringText(names: string[], files: Uint8Array[]): Promise<void>
  save(): Promise<Uint8Array<ArrayBuffer>>
  /** Returns a checkpoint that includes the user's interactive state, to continue in this page. Read-only. */
  pack(): Promise<Uint8Array<ArrayBuffer>>
  evaluate(episodes: number): Promise<Evaluation>
  /** Moves the experiment with its state to another engine. If the move fails, the experiment stays on its engine. */
  useEngine(engine: Engine): Promise<void>
  /**
   * Runs a benchmark suite, about ten seconds per benchmark; emits a `figure` event for each result. Pause training
   * before.
   */
  bench(suite: BenchSuite): Promise<Figure[]>
  /**
   * Cancels the worker's current operation, such as a benchmark, and resumes from the last saved state in a new worker.
   */
  restart(): Promise<void>
  /** Terminates the worker and its threads. */
  dispose(): void
}
