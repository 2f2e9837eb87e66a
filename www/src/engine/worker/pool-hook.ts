// Replaces the script of wasm-bindgen-rayon (`scripts/thread-pool.mjs`): forwards `initThreadPool` of a module to the worker. A
// global function connects the two files, since an import would refer to the worker's entry file, and WebKitGTK 2.50 instantiates
// that file a second time if another file imports it.
import type { PoolHook } from './pool'

/** Starts the threads; called by `initThreadPool` of the module. */
export const startWorkers: PoolHook['startWorkers'] = (...args) =>
  (globalThis as unknown as PoolHook).startWorkers(...args)
