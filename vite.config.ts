import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { isolation } from './scripts/hosting/headers.mjs'
import { hosting } from './scripts/hosting/plugin.mjs'
import { sourceAddress } from './scripts/hosting/source.mjs'

const { page, workers } = hosting()

export default defineConfig({
  // The static folder works under any path.
  base: './',
  publicDir: false,
  plugins: [svelte(), page],
  define: { __SOURCE_ADDRESS__: JSON.stringify(sourceAddress()) },
  server: { headers: isolation, watch: { ignored: ['**/target/**', '**/runs/**'] } },
  preview: { headers: isolation },
  worker: { format: 'es', plugins: workers },
  build: {
    target: 'es2022',
    // A wasm module of some hundred kilobytes is loaded as a file, never inlined.
    assetsInlineLimit: 2048,
    // One stylesheet of 21 KB for all pages. Vite asks for that of a chunk once in the life of a page, so that a chunk whose
    // stylesheet failed would come without its looks at the next attempt.
    cssCodeSplit: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: ['index.html', 'bench/index.html', 'notices.html'],
    },
  },
  test: {
    include: ['www/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
    // Components are tested as a browser would run them, not as a server would render them.
    environment: 'node',
    // Long enough for any machine: a test that hangs fails, one on a busy machine does not.
    testTimeout: 120_000,
  },
})
