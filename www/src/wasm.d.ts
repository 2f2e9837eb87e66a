// The page can be checked before a wasm module is built: what one exports is told in worker/modules.ts.
declare module '*/vivarium.js'
