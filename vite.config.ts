import { existsSync } from 'node:fs'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

// Shared memory, and so threads in wasm, exists only on pages that are isolated by these two headers.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

export default defineConfig({
  // The static folder works under any path.
  base: './',
  publicDir: 'www/public',
  plugins: [svelte()],
  server: { headers: isolation, watch: { ignored: ['**/target/**', '**/runs/**'] } },
  preview: { headers: isolation },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // A wasm module of some hundred kilobytes is loaded as a file, never inlined.
    assetsInlineLimit: 2048,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      input: ['index.html', 'bench/index.html'].filter((page) => existsSync(page)),
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
