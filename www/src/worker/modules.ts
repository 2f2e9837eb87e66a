// The builds of the wasm module. Only what is used is loaded.
import type { Family } from './family'
import type { CpuModule, ModuleName } from './messages'

/** The parts of a wasm session that the worker uses; every method may throw a problem as JSON text. */
export interface WasmSession {
  create(name: string, config: string, seed: number): string
  open(bytes: Uint8Array): string
  advance(milliseconds: number): number
  environments(): number
  progress(): string
  takeMetrics(): string
  frame(request: string, elapsed: number): object
  command(command: string): string
  /** In the module of language models alone: the files of the text that the experiment waits for. */
  bringText?(names: string[], files: Uint8Array[]): void
  save(): Uint8Array<ArrayBuffer>
  /** The same with what a person has set up to play with. */
  pack(): Uint8Array<ArrayBuffer>
  evaluate(episodes: number, seed: number): string
  figures(suite: string): string
  measure(name: string, large: boolean): string | Promise<string>
  /** Forgets the experiment. */
  close(): void
  /** In the GPU's module alone: opens a GPU, on which every experiment then runs; what was found, as JSON text. */
  openGpu?(): Promise<string>
  /** Whether there is nothing to do until the GPU has caught up. */
  waits(): boolean
  /** Why the GPU cannot be used any more, as a problem's JSON text; empty text while all is well. */
  fault(): string
}

/** What a build exports. */
export interface Module {
  default(): Promise<unknown>
  start(channel: string): void
  initThreadPool?(threads: number): Promise<unknown>
  Session: new (threads: number) => WasmSession
}

type Load = () => Promise<unknown>

const modules: Record<Family, Record<CpuModule, Load> & { gpu?: Load }> = {
  control: {
    'threads-relaxed': () => import('../wasm/control/threads-relaxed/vivarium.js'),
    'threads-simd128': () => import('../wasm/control/threads-simd128/vivarium.js'),
    'single-simd128': () => import('../wasm/control/single-simd128/vivarium.js'),
    gpu: () => import('../wasm/control/gpu/vivarium.js'),
  },
  logic_ca: {
    'threads-relaxed': () => import('../wasm/logic-ca/threads-relaxed/vivarium.js'),
    'threads-simd128': () => import('../wasm/logic-ca/threads-simd128/vivarium.js'),
    'single-simd128': () => import('../wasm/logic-ca/single-simd128/vivarium.js'),
    gpu: () => import('../wasm/logic-ca/gpu/vivarium.js'),
  },
  // Games have a search between any two looks at the network, which a GPU would wait for.
  games: {
    'threads-relaxed': () => import('../wasm/games/threads-relaxed/vivarium.js'),
    'threads-simd128': () => import('../wasm/games/threads-simd128/vivarium.js'),
    'single-simd128': () => import('../wasm/games/single-simd128/vivarium.js'),
  },
  // Cubes learn in small steps, which a GPU would not be faster at.
  cube: {
    'threads-relaxed': () => import('../wasm/cube/threads-relaxed/vivarium.js'),
    'threads-simd128': () => import('../wasm/cube/threads-simd128/vivarium.js'),
    'single-simd128': () => import('../wasm/cube/single-simd128/vivarium.js'),
  },
  language: {
    'threads-relaxed': () => import('../wasm/language/threads-relaxed/vivarium.js'),
    'threads-simd128': () => import('../wasm/language/threads-simd128/vivarium.js'),
    'single-simd128': () => import('../wasm/language/single-simd128/vivarium.js'),
    gpu: () => import('../wasm/language/gpu/vivarium.js'),
  },
}

/** Whether a family can be trained on a GPU. */
export const knowsGpu = (family: Family): boolean => modules[family].gpu !== undefined

/** Loads the code of one build; the caller starts it. */
export async function loadModule(family: Family, name: ModuleName): Promise<Module> {
  const load = modules[family][name]
  if (!load) throw new Error(`There is no module ${name} for ${family}.`)
  return (await load()) as Module
}
