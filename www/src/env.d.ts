/** Public URL of the source code, or `null` if there is none. Set by vite.config.ts. */
declare const __SOURCE_ADDRESS__: string | null
