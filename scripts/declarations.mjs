// `npm run declarations`: writes the TypeScript declarations of the wasm modules that wasm-bindgen generates from crates/web
// and crates/web-tools, without internals of a build. `--check` fails if the stored copy is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWasm } from './build-wasm.mjs'
import { fail, isMain, root } from './run.mjs'

/**
 * Modules whose declarations are copied, and the names of the copies: `control/gpu` exports all methods of the session.
 */
const copies = {
  'control/gpu': 'module',
  'tools/single-simd128': 'tools',
  'analysis/single-simd128': 'analysis',
}

function declarations(module) {
  const text = readFileSync(join(root, 'www/src/wasm', module, 'vivarium.d.ts'), 'utf8')
  const [own] = text.replace(/^\/\* \w+[:-]disable \*\/\n/gm, '').split('export type InitInput')
  const head = '// What a wasm module exports. Written by `npm run declarations`.\n'
  return `${head}${own.trim()}\n`.replaceAll('../../../protocol/', './').replace(/\n{3,}/g, '\n\n')
}

if (isMain(import.meta.url)) {
  await buildWasm(Object.keys(copies))
  for (const [module, name] of Object.entries(copies)) {
    const copy = join(root, `www/src/protocol/${name}.d.ts`)
    if (process.argv.includes('--check')) {
      if (readFileSync(copy, 'utf8') !== declarations(module))
        fail(`${copy} is out of date: npm run declarations`)
    } else {
      writeFileSync(copy, declarations(module))
    }
  }
}
