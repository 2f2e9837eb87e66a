// `npm start`: set up, build, serve.
import { build } from './build.mjs'
import { run } from './run.mjs'
import { setup } from './setup.mjs'

await setup()
await build()
const { code } = await run('vite', ['preview', ...process.argv.slice(2)])
process.exit(code)
