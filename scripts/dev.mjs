// `npm run dev`: sets up and starts Vite's development server with hot reload.
import { buildWasm, deleteOutdated, forOneBrowser } from './build-wasm.mjs'
import { run } from './run.mjs'
import { setup } from './setup.mjs'

await setup()
await buildWasm(forOneBrowser)
deleteOutdated(forOneBrowser)
const { code } = await run('vite', process.argv.slice(2))
process.exit(code)
