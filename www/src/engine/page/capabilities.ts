// The browser's capabilities, and the reason for the selected wasm module.
import type { CpuModule } from '../shared/messages'
import {
  detectFeatures,
  selectModule,
  type BrowserFeatures,
  type ModuleOptions,
  type ModuleSelection,
} from './module-selection'

/** The browser's capabilities and the selected module. */
export interface Capabilities extends BrowserFeatures {
  chosen: ModuleSelection
  /** Reason for the selected module, one sentence. */
  reason: string
}

// wasm module with one function that returns a vector of zeros.
const simdProbe = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
)

/** Returns whether SIMD is available, which all modules require. */
export const hasSimd = (): boolean => WebAssembly.validate(simdProbe)

/** Selects a module, and states the reason. */
export function choose(
  offer: BrowserFeatures,
  wish: ModuleOptions = {},
): Pick<Capabilities, 'chosen' | 'reason'> {
  const chosen = selectModule(offer, wish)
  const relaxed = chosen.module === 'threads-relaxed'
  const several = chosen.threads > 1
  const cores = several ? `${chosen.threads} of ${offer.threads} cores` : 'One core'
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
      : !(offer.isolated && offer.sharedMemory)
        ? ', which the module without threads lacks'
        : ', as asked'
  return { chosen, reason: `${cores}${why}; ${simd}${lacking}.` }
}

/** Detects the capabilities and selects a module. */
export function detect(wish: ModuleOptions): Capabilities {
  const offer = detectFeatures()
  return { ...offer, ...choose(offer, wish) }
}

/**
 * Returns the module and thread settings to try, in this order, until a module starts: the chosen settings; the same
 * settings once more if they have a thread pool; the chosen module with one thread; the module without threads. In
 * Firefox, the thread pool sometimes starts only on the second attempt.
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
