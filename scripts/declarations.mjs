// `npm run declarations`: writes the TypeScript declarations of the wasm modules that wasm-bindgen generates from crates/web,
// without internals of a build. `--check` fails if the stored copy is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWasm } from './build-wasm.mjs'
import { fail, isMain, root } from './run.mjs'

/** Name of the module whose declarations are copied; it exports all methods of the session. */
const source = 'control/gpu'
const copy = join(root, 'www/src/protocol/module.d.ts')

function declarations() {
  const text = readFileSync(join(root, 'www/src/wasm', source, 'vivarium.d.ts'), 'utf8')
  const [own] = text.replace(/^\/\* \w+[:-]disable \*\/\n/gm, '').split('export type InitInput')
  const head = '// What a wasm module exports. Written from crates/web by `npm run declarations`.\n'
  return `${head}${own.trim()}\n`.replace('../../../protocol/types', './types').replace(/\n{3,}/g, '\n\n')
}

if (isMain(import.meta.url)) {
  await buildWasm([source])
  if (process.argv.includes('--check')) {
    if (readFileSync(copy, 'utf8') !== declarations()) fail(`${copy} is out of date: npm run declarations`)
  } else {
    writeFileSync(copy, declarations())
  }
}
