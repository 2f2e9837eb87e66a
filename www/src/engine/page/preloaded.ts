// The wasm module that the inline script of the built page has requested (`preload.ts`).
import type { Family } from '../shared/family'
import type { CpuModule, ModuleName } from '../shared/messages'

export interface PreloadedModule {
  family: Family
  module: CpuModule
  /** The compiled module; `null` if it could not be loaded. */
  compiled: Promise<WebAssembly.Module | null>
}

interface PreloadScope {
  preloadedModule?: PreloadedModule
}

/** Stores the module for {@link preloadedModule}. */
export function setPreloadedModule(preloadedModule: PreloadedModule): void {
  Object.assign(globalThis, { preloadedModule } satisfies PreloadScope)
}

/** Returns the compiled module of a family if the inline script has requested this module, else `null`. */
export function preloadedModule(family: Family, module: ModuleName): PreloadedModule['compiled'] | null {
  const preloaded = (globalThis as PreloadScope).preloadedModule
  return preloaded?.family === family && preloaded.module === module ? preloaded.compiled : null
}
