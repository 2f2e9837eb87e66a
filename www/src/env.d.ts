/** Set by vite.config.ts: the public address of the source code, or `null` if there is none. */
declare const __SOURCE_ADDRESS__: string | null
