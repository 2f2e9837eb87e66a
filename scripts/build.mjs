// The static folder dist/: the wasm modules and the page.
import { isMain, must } from './run.mjs'
import { buildWasm } from './build-wasm.mjs'
import { setup } from './setup.mjs'

/** Builds dist/. */
export async function build() {
  await buildWasm()
  await must('vite', ['build', '--logLevel', 'warn'])
}

if (isMain(import.meta.url)) {
  await setup()
  await build()
}
