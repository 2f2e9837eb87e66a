// Builds the wasm modules into www/src/wasm; what has not changed is not built again.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fail, isMain, must, output, root, target } from './run.mjs'
import { wasmBuild, wasmToolchain } from './toolchain.mjs'

export const variants = ['threads-relaxed', 'threads-simd128', 'single-relaxed', 'single-simd128', 'gpu']
const out = join(root, 'www/src/wasm')
/** The most that a module may weigh, gzipped; the tests hold it to that. The GPU's is loaded while the page trains already. */
export const limit = (variant) => (variant === 'gpu' ? 600 : 400) * 1024

/** Everything that a module is made from, as one number. */
function fingerprint(variant, toolchain) {
  const hash = createHash('sha256')
  const add = (file) => hash.update(file).update(readFileSync(join(root, file)))
  const engine = variant === 'gpu' ? ['gpu'] : []
  const crates = ['config', 'kernels', 'graph', ...engine, 'envs', 'agents', 'logic-ca', 'lab', 'web']
  for (const crate of crates.map((name) => `crates/${name}`)) {
    add(`${crate}/Cargo.toml`)
    const sources = readdirSync(join(root, crate, 'src'), { recursive: true }).map(String)
    for (const file of sources.sort()) if (/\.(rs|wgsl)$/.test(file)) add(`${crate}/src/${file}`)
  }
  for (const file of ['Cargo.toml', 'Cargo.lock', 'scripts/build-wasm.mjs', 'scripts/toolchain.mjs'])
    add(file)
  hash.update(output('rustc', ['-vV'], toolchain.env) ?? '')
  return hash.digest('hex')
}

/** Builds one module; `false` if it was there already. */
async function build(variant, toolchain) {
  const stamp = fingerprint(variant, toolchain)
  const folder = join(out, variant)
  const stampFile = join(folder, '.stamp')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return false
  console.log(`Building the module ${variant} …`)
  const { env, args, features } = wasmBuild(variant, toolchain)
  const wasm = 'wasm32-unknown-unknown'
  const folderOfAll = join(target, 'wasm')
  const common = ['--profile', 'web', '--target', wasm, '--target-dir', folderOfAll]
  const chosen = features.length ? ['--features', features.join(',')] : []
  await must('cargo', ['build', '-q', '-p', 'vivarium-web', '--lib', ...common, ...chosen, ...args], { env })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const built = join(folderOfAll, wasm, 'web', 'vivarium_web.wasm')
  const bindgen = ['--target', 'web', '--out-name', 'vivarium', '--out-dir', folder, '--remove-name-section']
  await must('wasm-bindgen', [...bindgen, '--remove-producers-section', built])
  // The thread pool's script imports the folder three levels above it.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "vivarium.js" }\n')
  writeFileSync(stampFile, stamp)
  return true
}

/** Builds what is out of date and says how large each module is. */
export async function buildWasm() {
  const toolchain = wasmToolchain()
  if (!toolchain) fail('There is no compiler for the wasm modules: run npm run setup.')
  let built = 0
  for (const variant of variants) if (await build(variant, toolchain)) built++
  if (!built) return
  for (const variant of variants) {
    console.log(`${variant.padEnd(16)} ${(weight(variant) / 1024).toFixed(0).padStart(4)} KB gzipped`)
  }
}

/** Bytes of a module as a host sends it. */
export function weight(variant) {
  return gzipSync(readFileSync(join(out, variant, 'vivarium_bg.wasm')), { level: 9 }).length
}

if (isMain(import.meta.url)) await buildWasm()
