// Vite plugin: the thread pool of the page replaces the script of wasm-bindgen-rayon in the wasm modules.
import { join } from 'node:path'
import { root } from './run.mjs'

export const threadPool = () => ({
  name: 'vivarium-thread-pool',
  enforce: 'pre',
  resolveId: (source) =>
    /\/wasm-bindgen-rayon-[^/]*\/src\/workerHelpers\.js$/.test(source)
      ? join(root, 'www/src/engine/worker/pool-hook.ts')
      : null,
})
