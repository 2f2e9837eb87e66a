// The page's side of a training session: everything that the page can ask of a learner.
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
import type { BenchSuite, Engine, Speed } from '../shared/messages'
import type { Frame } from '../../protocol/module'

export type * from '../../protocol/types'
export type { BenchSuite, CpuModule, Engine, ModuleName, Speed } from '../shared/messages'
export type { Frame, FrameArray } from '../../protocol/module'
/** An experiment in a world of control. */
export type ControlExperiment = ExperimentInfo & { world: { kind: 'control' } & ControlInfo }

/** Whether an experiment is one in a world of control. */
export function isControl(info: ExperimentInfo): info is ControlExperiment {
  return info.world.kind === 'control'
}

export type { Capabilities, Wish } from './capabilities'
export type { Family } from '../shared/family'
export { SessionError, StartError } from './error'
export { loadExperiments } from './experiments'

/** `failed`: the worker broke down and could not be brought back. All but {@link Session.restart} and a new experiment is refused. */
export type SessionState = 'starting' | 'paused' | 'running' | 'failed'

/** The state of the GPU. */
export interface GpuState {
  /**
   * `looking`: not known yet. `absent`: there is none for this page. `unchecked`: there is one that is a program; choosing
   * it compares its numbers with the processor's. `wrong`: there is one, but its numbers are not the processor's, so it is
   * not used. `ready`: it can be used. `lost`: it went away; choosing it looks for it again.
   */
  status: 'looking' | 'absent' | 'unchecked' | 'wrong' | 'ready' | 'lost'
  /** The report of the GPU that was opened, or null. */
  report: GpuReport | null
  /** Why it cannot be used, as sentences; empty where it can. */
  reason: string
}

/** The events that a session emits. */
export interface SessionEvents {
  /** Rows of measurements since the last event, oldest first. */
  metrics: MetricRow[]
  /** A picture, after `view` was called, at display rate: the arrays that the experiment names. */
  frame: Frame
  /** Some ten times a second while it runs, and after every change. */
  progress: Progress
  state: SessionState
  /** Something that nobody asked for went wrong; a refused request rejects its promise instead. */
  error: Problem
  /** About twice a second while it runs: steps per second, as `Progress` counts them. */
  speed: { stepsPerSecond: number }
  /** A copy of the state from time to time while it runs, and when an experiment begins. Not to be written to. */
  checkpoint: Uint8Array<ArrayBuffer>
  /** A figure of a bench that is under way. */
  figure: Figure
  /** The experiment has moved to this engine. */
  engine: Engine
  gpu: GpuState
}

/** A learner in a worker. Requests reject with a {@link SessionError}; what ran goes on untouched then. */
export interface Session {
  readonly capabilities: Capabilities
  readonly state: SessionState
  /** The engine that trains. */
  readonly engine: Engine
  readonly gpu: GpuState
  /** Every experiment there is, with its config fields, presets and metrics. */
  readonly experiments: ExperimentInfo[]
  on<K extends keyof SessionEvents>(event: K, handler: (value: SessionEvents[K]) => void): () => void
  /**
   * Replaces the running experiment by a new one, paused unless the session was running. One of another family of
   * learners comes in a worker of its own, with that family's module.
   */
  create(name: string, config: object, seed: number): Promise<OpenedRun>
  /** Replaces the running experiment by a checkpoint's. */
  open(bytes: Uint8Array): Promise<OpenedRun>
  play(): void
  pause(): void
  /** One slice of work, of some milliseconds. */
  step(): void
  setSpeed(speed: Speed): void
  /** Requests frames of this view; `null` requests none. */
  view(request: ViewRequest | null): void
  /** Whether training goes on in a tab that is not shown. It does not unless asked to. */
  keepInBackground(keep: boolean): void
  /** Sets a live field of the config. */
  set(path: string, value: unknown): Promise<void>
  /** Opens the network of a checkpoint file to play with. */
  openPlayer(bytes: Uint8Array): Promise<void>
  command(command: Command): Promise<Reply>
  /** Brings the files of the text that the experiment waits for; together they are one text. */
  bringText(names: string[], files: Uint8Array[]): Promise<void>
  save(): Promise<Uint8Array<ArrayBuffer>>
  /** The same with what a person has set up to play with, to go on from in this page. Not to be written to. */
  pack(): Promise<Uint8Array<ArrayBuffer>>
  evaluate(episodes: number): Promise<Evaluation>
  /**
   * Moves the experiment to another engine, with all that it has learned; it goes on there if it runs. Where the engine
   * cannot be had, it goes on where it is.
   */
  useEngine(engine: Engine): Promise<void>
  /** Measures for some ten seconds a figure; each is reported by a `figure` event as it comes. Pause before. */
  bench(suite: BenchSuite): Promise<Figure[]>
  /** Gives up what the worker is at, such as a bench, and goes on in a new one from what was last saved. */
  restart(): Promise<void>
  /** Ends the worker and its threads. */
  dispose(): void
}
