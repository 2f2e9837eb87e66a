// `npm run dev`: set up, then serve the sources, so that the page changes as they do.
import { buildWasm, forOneBrowser } from './build-wasm.mjs'
import { run } from './run.mjs'
import { setup } from './setup.mjs'

await setup()
await buildWasm(forOneBrowser)
const { code } = await run('vite', process.argv.slice(2))
process.exit(code)
