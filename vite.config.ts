import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'
import { experimentsOf } from './scripts/experiments-of.mjs'
import { isolation } from './scripts/hosting/headers.mjs'
import { hosting } from './scripts/hosting/plugin.mjs'
import { sourceAddress } from './scripts/hosting/source.mjs'
import { threadPool } from './scripts/thread-pool.mjs'

const { page, workers } = hosting()

export default defineConfig({
  // The static folder works under any path.
  base: './',
  publicDir: false,
  plugins: [svelte(), page, threadPool(), experimentsOf()],
  define: { __SOURCE_ADDRESS__: JSON.stringify(sourceAddress()) },
  server: { headers: isolation, watch: { ignored: ['**/target/**', '**/runs/**'] } },
  preview: { headers: isolation },
  worker: { format: 'es', plugins: () => [...workers(), threadPool()] },
  build: {
    target: 'es2022',
    // All browsers with the WebAssembly features of the page support `modulepreload`.
    modulePreload: { polyfill: false },
    // A wasm module of some hundred kilobytes is loaded as a file, never inlined.
    assetsInlineLimit: 2048,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Optional packages of jsPDF for HTML, which the page does not convert.
      external: ['canvg', 'dompurify', 'html2canvas'],
      input: ['index.html', 'embed/index.html', 'frame/index.html', 'bench/index.html', 'notices.html'],
      // Few scripts, since each costs a request with its headers.
      output: {
        codeSplitting: {
          groups: [
            // The styles of all pages; the other pages load no scripts.
            { name: 'base', test: /base\.css$/, priority: 5 },
            // One file with the styles that all families share; each family has its own file.
            {
              name: 'styles',
              test: (id) => id.endsWith('.css') && !/exhibits[\\/](?!shared)/.test(id),
              priority: 4,
            },
            { name: 'page', tags: ['$initial'], test: /(?<!notices\.html|bench\/index\.html)$/, priority: 3 },
            // Controls that nearly all pages show.
            {
              name: 'controls',
              test: /[\\/](svelte|kit|lib|state|shell)[\\/](?!.*(Formula\.svelte|markdown\.ts))/,
              minShareCount: 5,
              priority: 2,
            },
            // Parts of the exhibits that the home page shows as well, and small modules of a few families.
            {
              name: 'home',
              test: /(GlassBox|MetricStrip)\.svelte$|(narrow|moment|open|random|watch-again|draw[\\/]lake|media-query)\.(ts|js)$/,
              priority: 2,
            },
            // Parts of the exhibits of all families; articles and the guide have chunks of their own.
            {
              name: 'exhibits',
              test: /[\\/](charts|shared|page|export)[\\/][^\\/]+$/,
              minShareCount: 5,
            },
          ],
        },
      },
    },
  },
  test: {
    include: ['www/src/**/*.test.ts', 'scripts/**/*.test.mjs', 'benches/rivals/browser/*.test.mjs'],
    // Components are tested with the browser build of Svelte, not with server-side rendering.
    environment: 'node',
    // Long enough for a busy machine, so that only a test that hangs fails.
    testTimeout: 120_000,
  },
})
