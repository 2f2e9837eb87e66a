/** Public URL of the source code, or `null` if there is none. Set by vite.config.ts. */
declare const __SOURCE_ADDRESS__: string | null

/** Experiments of one family, from `scripts/experiments-of.mjs`. */
declare module '*/experiments.json?of=control'
declare module '*/experiments.json?of=logic-ca'
declare module '*/experiments.json?of=games'
declare module '*/experiments.json?of=cube'
declare module '*/experiments.json?of=language'
