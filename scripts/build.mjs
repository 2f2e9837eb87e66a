// The static folder dist/: the wasm modules and the page.
import { buildWasm, modules, tooHeavy } from './build-wasm.mjs'
import { fail, isMain, must } from './run.mjs'
import { beginSetup } from './setup.mjs'

/** Builds dist/ with these wasm modules, while what is not needed yet is still being set up. */
export async function build(wanted = modules, setup = beginSetup()) {
  await buildWasm(wanted, setup)
  const heavy = tooHeavy(wanted)
  if (heavy.length) fail(heavy.join('\n'))
  await setup.all
  await must('vite', ['build', '--logLevel', 'warn'])
}

if (isMain(import.meta.url)) await build()
