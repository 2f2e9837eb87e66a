// Everything that the page and the training worker say to each other.
import type { Command, Evaluation, MetricRow, Progress, Reply, ViewRequest } from '../protocol/types'

/** Which of the four builds of the wasm module. */
export type ModuleName = 'threads-relaxed' | 'threads-simd128' | 'single-relaxed' | 'single-simd128'

/** An error for a person: what was wrong, and what to do about it. */
export interface Problem {
  message: string
  /** What to do about it; empty where the message says it all. */
  hint: string
  /** Dotted path of the config field at fault, if it was one. */
  field?: string
}

/** What is loaded, with every config field filled in. */
export interface Opened {
  name: string
  config: Record<string, unknown>
  seed: number
  progress: Progress
}

/** An array ready to draw, row-major. */
export interface FrameArray {
  shape: number[]
  data: Float32Array<ArrayBuffer>
}

/** Arrays by name, such as `herd/state`. */
export type Frame = Record<string, FrameArray>

/** A measured figure; names as those of `vivarium bench`. */
export interface Figure {
  name: string
  value: number
  unit: string
  threads: number
  rival?: { name: string; value: number }
}

/** What can be measured in the page. */
export type BenchSuite = 'kernels' | 'control'

/** Environment steps per second of each environment, or as fast as the machine goes. */
export type Speed = number | 'max'

/** What the page asks for and waits for an answer to. */
export interface Requests {
  /** `panics`: the broadcast channel on which a thread that panics tells the page. */
  boot: { asks: { module: ModuleName; threads: number; panics: string }; gives: null }
  create: { asks: { name: string; config: object; seed: number }; gives: Opened }
  open: { asks: { bytes: Uint8Array }; gives: Opened }
  command: { asks: { command: Command }; gives: Reply }
  save: { asks: null; gives: Uint8Array<ArrayBuffer> }
  evaluate: { asks: { episodes: number }; gives: Evaluation }
  bench: { asks: { suite: BenchSuite }; gives: Figure[] }
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
  | { kind: 'frame'; view: ViewRequest; elapsed: number }

/** Worker to page. */
export type Up =
  | { kind: 'answer'; id: number; value: unknown }
  | { kind: 'refusal'; id: number; problem: Problem }
  | { kind: 'metrics'; rows: MetricRow[] }
  | { kind: 'progress'; progress: Progress }
  | { kind: 'speed'; stepsPerSecond: number }
  | { kind: 'frame'; frame: Frame }
  | { kind: 'figure'; figure: Figure }
  /** A copy of the state, from which a new worker goes on if this one breaks. */
  | { kind: 'checkpoint'; bytes: Uint8Array<ArrayBuffer> }
  /** Training stopped by itself: it diverged or reached its end. */
  | { kind: 'stopped'; problem: Problem | null }
  /** The module broke down and cannot be used any more. */
  | { kind: 'broken'; problem: Problem }
