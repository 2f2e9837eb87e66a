// `npm run build`: builds the wasm modules and the page into the static folder dist/.
import { buildWasm, deleteOutdated, modules, tooHeavy } from './build-wasm.mjs'
import { fail, isMain, must } from './run.mjs'
import { beginSetup } from './setup.mjs'

/** Builds dist/ with these wasm modules, in parallel with the rest of the setup. */
export async function build(wanted = modules, setup = beginSetup()) {
  await buildWasm(wanted, setup)
  deleteOutdated(wanted)
  await setup.all
  await must('vite', ['build', '--logLevel', 'warn'])
}

if (isMain(import.meta.url)) {
  await build()
  const heavy = tooHeavy(modules)
  if (heavy.length) fail(heavy.join('\n'))
}
