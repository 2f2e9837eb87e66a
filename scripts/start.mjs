// `npm start`: sets up, builds the modules that most browsers load, and serves the page.
import { build } from './build.mjs'
import { forOneBrowser } from './build-wasm.mjs'
import { run } from './run.mjs'
import { beginSetup } from './setup.mjs'

await build(forOneBrowser, beginSetup())
console.log(
  'Built for browsers with relaxed SIMD, without the GPU; `npm run build` makes the modules of all browsers.',
)
const { code } = await run('vite', ['preview', ...process.argv.slice(2)])
process.exit(code)
