// Selects the wasm module that the browser can run. Also part of the inline script of the built page (`preload.ts`).
import type { CpuModule } from '../shared/messages'

/** The features of the browser that the modules require. */
export interface BrowserFeatures {
  /** Whether the page is cross-origin isolated, which shared memory requires. */
  isolated: boolean
  /** Shared memory (SharedArrayBuffer), which threads require. */
  sharedMemory: boolean
  /** Number of logical CPU cores. */
  threads: number
  /** Relaxed SIMD: fused multiply-add on vectors. */
  relaxedSimd: boolean
}

/** Module options that override the automatic selection. */
export interface ModuleOptions {
  threads?: number
  /** A module name or a part of it: `threads`, `single`, `relaxed`, `simd128`. */
  module?: string
}

/** A module and its number of threads. */
export interface ModuleSelection {
  module: CpuModule
  threads: number
}

/** Parses module options of a URL, such as `?module=single&threads=1`. */
export function moduleOptionsFromUrl(search: string): ModuleOptions {
  const query = new URLSearchParams(search)
  const options: ModuleOptions = {}
  const threads = Number(query.get('threads'))
  if (Number.isInteger(threads) && threads >= 1) options.threads = threads
  const module = query.get('module')
  if (module) options.module = module
  return options
}

// wasm module with one function that uses `f32x4.relaxed_madd` and `f32x4.relaxed_max`: WebKitGTK 2.50 has only the first.
const relaxedProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 8, 1, 96, 3, 123, 123, 123, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 18, 1, 16, 0, 32, 0, 32, 1, 32, 2, 253, 133, 2, 32, 0, 253, 142, 2, 11],
)

/** Detects the features of this browser and page. */
export function detectFeatures(): BrowserFeatures {
  return {
    isolated: globalThis.crossOriginIsolated === true,
    sharedMemory: typeof SharedArrayBuffer !== 'undefined',
    threads: navigator.hardwareConcurrency || 1,
    relaxedSimd: WebAssembly.validate(relaxedProbe),
  }
}

// More threads do not speed up training of these small networks.
const mostThreads = 32

/** Selects the fastest module; unavailable options fall back to the nearest available one. */
export function selectModule(features: BrowserFeatures, options: ModuleOptions = {}): ModuleSelection {
  const wants = options.module?.split('-') ?? []
  // The threaded module is preferred even with one thread, because it can use fused multiply-add.
  if (!features.isolated || !features.sharedMemory || wants.includes('single'))
    return { module: 'single-simd128', threads: 1 }
  const relaxed = features.relaxedSimd && !wants.includes('simd128')
  const threads = Math.max(1, Math.min(options.threads ?? features.threads, features.threads, mostThreads))
  return { module: relaxed ? 'threads-relaxed' : 'threads-simd128', threads }
}
