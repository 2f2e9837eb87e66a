// What this browser offers, and which build of the module is the fastest that it can run.
import type { CpuModule } from '../shared/messages'

/** The browser's capabilities, and the build of the module that was chosen for them. */
export interface Capabilities {
  /** The page is cross-origin isolated, so that memory can be shared between threads. */
  isolated: boolean
  /** Logical cores that the browser reports. */
  threads: number
  /** Fused multiply-add on vectors. */
  relaxedSimd: boolean
  chosen: { module: CpuModule; threads: number }
  /** One sentence that says why that was chosen. */
  reason: string
}

/** What a person or a test wants instead of the fastest. */
export interface Wish {
  threads?: number
  /** A whole name, or one half of it: `threads`, `single`, `relaxed`, `simd128`. */
  module?: string
}

/** The wish in a page's address, such as `?module=single&threads=1`. */
export function wishFromAddress(search: string): Wish {
  const query = new URLSearchParams(search)
  const wish: Wish = {}
  const threads = Number(query.get('threads'))
  if (Number.isInteger(threads) && threads >= 1) wish.threads = threads
  const module = query.get('module')
  if (module) wish.module = module
  return wish
}

// A module of one function that adds products of vectors with `f32x4.relaxed_madd`.
const relaxedProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 8, 1, 96, 3, 123, 123, 123, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 13, 1, 11, 0, 32, 0, 32, 1, 32, 2, 253, 133, 2, 11],
)

// A module of one function that gives a vector of zeros back.
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
)

/** Whether vectors are there at all: no module runs without them. */
export const hasSimd = (): boolean => WebAssembly.validate(simdProbe)

/** Whether fused multiply-add on vectors is there. */
const hasRelaxedSimd = (): boolean => WebAssembly.validate(relaxedProbe)

/** Chooses among what is there; a wish that cannot be granted is answered by the nearest that can. */
export function choose(
  offer: Pick<Capabilities, 'isolated' | 'threads' | 'relaxedSimd'>,
  wish: Wish = {},
): Pick<Capabilities, 'chosen' | 'reason'> {
  const wants = wish.module?.split('-') ?? []
  const threads = Math.max(1, Math.min(wish.threads ?? offer.threads, offer.threads, mostThreads))
  // The module with threads is the faster one even with a single thread, as it multiplies and adds in one go.
  const shared = offer.isolated && !wants.includes('single')
  const relaxed = shared && offer.relaxedSimd && !wants.includes('simd128')
  const module: CpuModule = shared ? `threads-${relaxed ? 'relaxed' : 'simd128'}` : 'single-simd128'
  const several = shared && threads > 1
  const cores = several ? `${threads} of ${offer.threads} cores` : 'One core'
  const why = several
    ? ''
    : !offer.isolated
      ? ', as this page is not cross-origin isolated'
      : offer.threads === 1
        ? ', the only one'
        : ', as asked'
  const simd = relaxed ? 'with fused multiply-add' : 'without fused multiply-add'
  const lacking = relaxed
    ? ''
    : !offer.relaxedSimd
      ? ', which this browser lacks'
      : !offer.isolated
        ? ', which the module for such pages is built without'
        : ', as asked'
  return { chosen: { module, threads: shared ? threads : 1 }, reason: `${cores}${why}; ${simd}${lacking}.` }
}

// Networks as small as these do not fill more cores than that.
const mostThreads = 32

/** Looks at the browser and chooses. */
export function detect(wish: Wish): Capabilities {
  const isolated = globalThis.crossOriginIsolated === true && typeof SharedArrayBuffer !== 'undefined'
  const offer = { isolated, threads: navigator.hardwareConcurrency || 1, relaxedSimd: hasRelaxedSimd() }
  return { ...offer, ...choose(offer, wish) }
}

/** The next simpler choice, or `null` if there is none. */
export function simplify(from: Capabilities): Capabilities | null {
  const { module } = from.chosen
  if (module === 'single-simd128') return null
  const chosen = { module: 'single-simd128', threads: 1 } as const
  return { ...from, chosen, reason: `One core, as the module ${module} did not start.` }
}
