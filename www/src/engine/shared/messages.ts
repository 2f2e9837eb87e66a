// The messages between the page and a training worker.
import type { Family } from './family'
import type * as protocol from '../../protocol/types'
import type { Frame } from '../../protocol/frame'

/** Builds of the wasm module for the CPU. */
export type CpuModule = 'threads-relaxed' | 'threads-simd128' | 'single-simd128'

/** Build of the wasm module. */
export type ModuleName = CpuModule | 'gpu'

/** Compute engine. */
export type Engine = 'cpu' | 'gpu'

/** The benchmark suites of the page and the family whose module runs each; `null` for any module. The GPU suite is last. */
export const benchSuites = {
  kernels: null,
  control: 'control',
  'logic-ca': 'logic_ca',
  backgammon: 'games',
  cube2: 'cube',
  language: 'language',
  gpu: 'control',
} as const satisfies Record<string, Family | null>

export type BenchSuite = keyof typeof benchSuites

/**
 * Speed limit in steps per second. Steps are counted per environment, or in the learner's unit of steps. `max`: no
 * limit.
 */
export type Speed = number | 'max'

/**
 * End of a single step of training: `update`, the end of an iteration, which reports metrics; `steps`, an increase of
 * the number of steps.
 */
export type StepEnd = 'update' | 'steps'

/** Stop of an experiment that is opened. */
export interface Stop {
  /** Number of steps at which training stops; null for none, the default. */
  stop?: number | null
}

/** Requests of the page to a worker, with their arguments and results. */
export interface Requests {
  /**
   * `panics`: name of the broadcast channel for panic messages. `compiled`: the module if the page has loaded it. The
   * GPU module returns its report.
   */
  boot: {
    args: {
      family: Family
      module: ModuleName
      threads: number
      panics: string
      compiled: WebAssembly.Module | null
    }
    result: protocol.GpuReport | null
  }
  create: { args: { name: string; config: object; seed: number } & Stop; result: protocol.OpenedRun }
  open: { args: { bytes: Uint8Array } & Stop; result: protocol.OpenedRun }
  /** Opens a snapshot, to show it. */
  openSnapshot: { args: { bytes: Uint8Array } & Stop; result: protocol.OpenedRun }
  /** Sets a live field of the config. */
  set: { args: { path: string; value: unknown }; result: null }
  /** Opens the network of a checkpoint file as a player. */
  openPlayer: { args: { bytes: Uint8Array }; result: null }
  command: { args: { command: protocol.Command }; result: protocol.Reply }
  /** Supplies the training corpus that the experiment waits for. The files are concatenated. */
  text: { args: { names: string[]; files: Uint8Array[] }; result: null }
  save: { args: null; result: Uint8Array<ArrayBuffer> }
  /** Returns a checkpoint that includes the user's interactive state. */
  pack: { args: null; result: Uint8Array<ArrayBuffer> }
  /** Pauses, posts the pending reports, and returns the state for another worker. */
  suspend: { args: null; result: Uint8Array<ArrayBuffer> }
  evaluate: { args: { episodes: number }; result: protocol.Evaluation }
  /** Returns the names of a suite's benchmarks. */
  figures: { args: { suite: BenchSuite }; result: string[] }
  /**
   * Runs a benchmark; the result is empty if this module lacks the benchmark. `large`: problem size for hardware GPUs.
   */
  measure: { args: { name: string; large: boolean }; result: protocol.Figure[] }
}

export type RequestKind = keyof Requests

/** A request; its response has the same id. */
export type Request = {
  [K in RequestKind]: { kind: K; id: number; args: Requests[K]['args'] }
}[RequestKind]

/** Announces the module of the next `boot`. The worker loads its scripts, and starts its threads if there are several. */
export interface ModuleAnnouncement {
  kind: 'load'
  family: Family
  module: ModuleName
  threads: number
}

/** Messages from the page to a worker. */
export type PageMessage =
  | Request
  | ModuleAnnouncement
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step'; until: StepEnd }
  | { kind: 'speed'; speed: Speed }
  /** Stops training at the end of the first iteration with at least this number of steps; null for no stop. */
  | { kind: 'stopAt'; steps: number | null }
  /** Interrupts or resumes training without a change of its state. */
  | { kind: 'hold'; on: boolean }
  | { kind: 'frame'; view: protocol.ViewRequest; elapsed: number }
  /** Closes the experiment after another worker has restored it. */
  | { kind: 'close' }
  /** Requests a `pong` message. */
  | { kind: 'ping' }

/** Messages from a worker to the page. */
export type WorkerMessage =
  | { kind: 'response'; id: number; value: unknown }
  | { kind: 'rejection'; id: number; problem: protocol.Problem }
  /** Metric rows since the last report, and the progress at the same training step. */
  | { kind: 'report'; rows: protocol.MetricRow[]; progress: protocol.Progress }
  /** Training is paused; its last report was sent before. */
  | { kind: 'rested' }
  | { kind: 'speed'; stepsPerSecond: number }
  | { kind: 'frame'; frame: Frame }
  /** A copy of the state, from which a new worker resumes if this one fails. */
  | { kind: 'checkpoint'; bytes: Uint8Array<ArrayBuffer> }
  /** The state without its optimizer and replay buffer, for the timeline. */
  | { kind: 'snapshot'; bytes: Uint8Array<ArrayBuffer> }
  /** The requested single step is complete. */
  | { kind: 'stepped' }
  /** Training stopped: it diverged, is complete, or has reached the steps of `stopAt`. */
  | { kind: 'stopped'; problem: protocol.Problem | null }
  /** The GPU was lost or reported an error. `bytes` is the state of the last readback. */
  | { kind: 'lost'; problem: protocol.Problem; bytes: Uint8Array<ArrayBuffer> | null }
  /** The next phase runs only on the CPU. The CPU worker resumes from this state. */
  | { kind: 'leftGpu'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'pong' }
  /** The module failed and is unusable. */
  | { kind: 'broken'; problem: protocol.Problem }
