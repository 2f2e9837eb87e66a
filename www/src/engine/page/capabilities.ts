// Detects the browser's capabilities and selects the fastest wasm module that it can run.
import type { CpuModule } from '../shared/messages'

/** The browser's capabilities and the selected module. */
export interface Capabilities {
  /** Whether the page is cross-origin isolated, which shared memory requires. */
  isolated: boolean
  /** Shared memory (SharedArrayBuffer), which threads require. */
  sharedMemory: boolean
  /** Logical CPU cores. */
  threads: number
  /** Relaxed SIMD: fused multiply-add on vectors. */
  relaxedSimd: boolean
  chosen: { module: CpuModule; threads: number }
  /** Reason for the selected module, one sentence. */
  reason: string
}

/** Module options that override the automatic selection. */
export interface ModuleOptions {
  threads?: number
  /** A module name or a part of it: `threads`, `single`, `relaxed`, `simd128`. */
  module?: string
}

/** Parses module options of a URL, such as `?module=single&threads=1`. */
export function moduleOptionsFromUrl(search: string): ModuleOptions {
  const query = new URLSearchParams(search)
  const wish: ModuleOptions = {}
  const threads = Number(query.get('threads'))
  if (Number.isInteger(threads) && threads >= 1) wish.threads = threads
  const module = query.get('module')
  if (module) wish.module = module
  return wish
}

// wasm module with one function that uses `f32x4.relaxed_madd` and `f32x4.relaxed_max`: WebKitGTK 2.50 has only the first.
const relaxedProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 8, 1, 96, 3, 123, 123, 123, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 18, 1, 16, 0, 32, 0, 32, 1, 32, 2, 253, 133, 2, 32, 0, 253, 142, 2, 11],
)

// wasm module with one function that returns a vector of zeros.
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
)

/** Returns whether SIMD is available, which all modules require. */
export const hasSimd = (): boolean => WebAssembly.validate(simdProbe)

/** Returns whether relaxed SIMD is available. */
const hasRelaxedSimd = (): boolean => WebAssembly.validate(relaxedProbe)

/** Selects a module; unavailable options fall back to the nearest available one. */
export function choose(
  offer: Pick<Capabilities, 'isolated' | 'sharedMemory' | 'threads' | 'relaxedSimd'>,
  wish: ModuleOptions = {},
): Pick<Capabilities, 'chosen' | 'reason'> {
  const wants = wish.module?.split('-') ?? []
  const threads = Math.max(1, Math.min(wish.threads ?? offer.threads, offer.threads, mostThreads))
  // The threaded module is preferred even with one thread, because it can use fused multiply-add.
  const available = offer.isolated && offer.sharedMemory
  const shared = available && !wants.includes('single')
  const relaxed = shared && offer.relaxedSimd && !wants.includes('simd128')
  const module: CpuModule = shared ? `threads-${relaxed ? 'relaxed' : 'simd128'}` : 'single-simd128'
  const several = shared && threads > 1
  const cores = several ? `${threads} of ${offer.threads} cores` : 'One core'
  const why = several
    ? ''
    : !offer.isolated
      ? ', because this page is not cross-origin isolated'
      : !offer.sharedMemory
        ? ', because this browser lacks SharedArrayBuffer'
        : offer.threads === 1
          ? ', the only one'
          : ', as asked'
  const simd = relaxed ? 'with fused multiply-add' : 'without fused multiply-add'
  const lacking = relaxed
    ? ''
    : !offer.relaxedSimd
      ? ', which this browser lacks'
      : !available
        ? ', which the module without threads lacks'
        : ', as asked'
  return { chosen: { module, threads: shared ? threads : 1 }, reason: `${cores}${why}; ${simd}${lacking}.` }
}

// More threads do not speed up training of these small networks.
const mostThreads = 32

/** Detects the capabilities and selects a module. */
export function detect(wish: ModuleOptions): Capabilities {
  const offer = {
    isolated: globalThis.crossOriginIsolated === true,
    sharedMemory: typeof SharedArrayBuffer !== 'undefined',
    threads: navigator.hardwareConcurrency || 1,
    relaxedSimd: hasRelaxedSimd(),
  }
  return { ...offer, ...choose(offer, wish) }
}

/**
 * Returns what to start in turn until a module starts: the chosen module, once more if it has a thread pool, then the same
 * module with one thread, and last the module without threads. In Firefox, the pool sometimes starts only the second time.
 */
export function attempts(from: Capabilities): Capabilities[] {
  const { module, threads } = from.chosen
  const found = [from]
  const oneCore = (module: CpuModule, reason: string) =>
    found.push({
      ...from,
      chosen: { module, threads: 1 },
      reason: `One core, because ${reason} did not start.`,
    })
  if (threads > 1) {
    found.push(from)
    oneCore(module, 'the thread pool')
  }
  if (module !== 'single-simd128') oneCore('single-simd128', `the module ${module}`)
  return found
}
