// The messages between the page and a training worker.
import type { Family } from './family'
import type * as protocol from '../../protocol/types'
import type { Frame } from '../../protocol/module'

/** Builds of the wasm module that compute on the processor. */
export type CpuModule = 'threads-relaxed' | 'threads-simd128' | 'single-simd128'

/** Which build of the wasm module. */
export type ModuleName = CpuModule | 'gpu'

/** The engine that trains. */
export type Engine = 'cpu' | 'gpu'

/** A benchmark suite of the page. */
export type BenchSuite = 'kernels' | 'control' | 'logic-ca' | 'backgammon' | 'cube2' | 'language' | 'gpu'

/** Steps per second of each environment, or of whatever else a learner counts, or as fast as the machine goes. */
export type Speed = number | 'max'

/** The requests of the page, with their arguments and results. */
export interface Requests {
  /** `panics`: the broadcast channel on which a thread that panics reports to the page. The GPU's module returns its report. */
  boot: {
    asks: { family: Family; module: ModuleName; threads: number; panics: string }
    gives: protocol.GpuReport | null
  }
  create: { asks: { name: string; config: object; seed: number }; gives: protocol.OpenedRun }
  open: { asks: { bytes: Uint8Array }; gives: protocol.OpenedRun }
  /** Sets a live field of the config. */
  set: { asks: { path: string; value: unknown }; gives: null }
  /** Opens the network of a checkpoint file to play with. */
  player: { asks: { bytes: Uint8Array }; gives: null }
  command: { asks: { command: protocol.Command }; gives: protocol.Reply }
  /** Files of the text that the experiment waits for; together they are one text. */
  bring: { asks: { names: string[]; files: Uint8Array[] }; gives: null }
  save: { asks: null; gives: Uint8Array<ArrayBuffer> }
  /** The same with what a person has set up to play with, to go on from in this page. */
  pack: { asks: null; gives: Uint8Array<ArrayBuffer> }
  /** Pauses, posts what is left to report, and returns the state, with which another worker goes on. */
  leave: { asks: null; gives: Uint8Array<ArrayBuffer> }
  evaluate: { asks: { episodes: number }; gives: protocol.Evaluation }
  /** The names of what a suite measures. */
  figures: { asks: { suite: BenchSuite }; gives: string[] }
  /** Measures one of them; no figure where this module has nothing that compares. `large`: beside a real GPU. */
  measure: { asks: { name: string; large: boolean }; gives: protocol.Figure[] }
}

export type RequestKind = keyof Requests

/** A request under way; the answer carries the same number. */
export type Request = {
  [K in RequestKind]: { kind: K; id: number; asks: Requests[K]['asks'] }
}[RequestKind]

/** Page to worker. */
export type Down =
  | Request
  | { kind: 'play' }
  | { kind: 'pause' }
  | { kind: 'step' }
  | { kind: 'speed'; speed: Speed }
  | { kind: 'frame'; view: protocol.ViewRequest; elapsed: number }
  /** Another worker has taken over: forgets the experiment. */
  | { kind: 'rest' }
  /** Is answered by `alive`. */
  | { kind: 'ping' }

/** Worker to page. */
export type Up =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; problem: protocol.Problem }
  | { kind: 'metrics'; rows: protocol.MetricRow[] }
  | { kind: 'progress'; progress: protocol.Progress }
  | { kind: 'speed'; stepsPerSecond: number }
  | { kind: 'frame'; frame: Frame }
  /** A copy of the state, from which a new worker goes on if this one breaks. */
  | { kind: 'checkpoint'; bytes: Uint8Array<ArrayBuffer> }
  /** Training stopped by itself: it diverged or reached its end. */
  | { kind: 'stopped'; problem: protocol.Problem | null }
  /** The GPU is gone, or did something wrong. The state is the last that was read back from it. */
  | { kind: 'lost'; problem: protocol.Problem; bytes: Uint8Array<ArrayBuffer> | null }
  /** The next work is for the CPU alone, which continues from this state. */
  | { kind: 'leftGpu'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'alive' }
  /** The module broke down and cannot be used any more. */
  | { kind: 'broken'; problem: protocol.Problem }
