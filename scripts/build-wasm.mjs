// Builds the wasm modules into www/src/wasm; what has not changed is not built again.
// `npm run wasm -- logic-ca/threads games` builds only those whose names begin so.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fail, isMain, must, output, root, target } from './run.mjs'
import { wasmBuild, wasmToolchain } from './toolchain.mjs'

// What every module is made of.
const shared = ['config', 'kernels', 'graph', 'learn', 'lab', 'exhibits', 'web']
// What the modules of each family of learners are made of. A page loads those of the family that it shows.
const families = {
  control: [...shared, 'envs', 'mcts', 'agents', 'exhibits/control'],
  'logic-ca': [...shared, 'logic-ca', 'exhibits/logic-ca'],
  games: [...shared, 'envs', 'mcts', 'agents', 'exhibits/games'],
  cube: [...shared, 'envs', 'mcts', 'agents', 'exhibits/cube'],
  language: [...shared, 'lm', 'exhibits/language'],
}
const cpuVariants = ['threads-relaxed', 'threads-simd128', 'single-simd128']
/**
 * Packages of a family, or of one of its modules, with another `opt-level` than in `profile.web`: what takes the time there is
 * compiled in them. Beside the GPU, the CPU's networks have only the preview to compute.
 */
const levels = {
  // The benchmark of a world steps it in the page's own crate.
  control: { 'vivarium-web': '3' },
  'control/gpu': { 'vivarium-graph': '"s"' },
  'games/gpu': { 'vivarium-graph': '"s"' },
  games: { 'vivarium-exhibit-games': '"s"' },
}
/** Every module as `family/variant`. */
export const modules = Object.keys(families).flatMap((family) =>
  [...cpuVariants, 'gpu'].map((variant) => `${family}/${variant}`),
)
/** One for each family: all that most browsers load, in which vectors multiply and add in one go. */
export const forOneBrowser = Object.keys(families).map((family) => `${family}/threads-relaxed`)
/** Those that the tests load: every variant of one family, and of the others what most browsers load and what the GPU needs. */
export const forTests = modules.filter(
  (module) => module.startsWith('control/') || forOneBrowser.includes(module) || module.endsWith('/gpu'),
)
const out = join(root, 'www/src/wasm')
/**
 * Where a variant is compiled. Variants with other flags have nothing in common but what runs while building, and cargo
 * works on one thing at a time in a folder: with two folders, two modules are made side by side.
 */
export const folderOf = (variant) => join(target, variant.startsWith('threads') ? 'wasm-threads' : 'wasm')
/**
 * KB, gzipped, that a family's modules may weigh, where it is more than others': these hold two learners each, that of
 * control for each of its worlds, that of language the facts of an encyclopedia.
 */
const heavier = { control: 460, games: 510, cube: 440, language: 480 }
/**
 * The most that a module may weigh, gzipped, in bytes; the build of the page and the tests hold it to that. The GPU's is
 * loaded while the page trains already.
 */
function limit(module) {
  const [family, variant] = module.split('/')
  return (variant === 'gpu' ? 600 : (heavier[family] ?? 400)) * 1024
}

/** Everything that a module is made from, as one number. */
function fingerprint(module, toolchain) {
  const [family, variant] = module.split('/')
  const hash = createHash('sha256')
  const add = (file) => hash.update(file).update(readFileSync(join(root, file)))
  for (const name of [...families[family], ...(variant === 'gpu' ? ['gpu'] : [])]) {
    add(`crates/${name}/Cargo.toml`)
    const sources = readdirSync(join(root, `crates/${name}/src`), { recursive: true }).map(String)
    for (const file of sources.sort()) if (/\.(rs|wgsl)$/.test(file)) add(`crates/${name}/src/${file}`)
  }
  for (const file of ['Cargo.toml', 'Cargo.lock', 'scripts/build-wasm.mjs', 'scripts/toolchain.mjs'])
    add(file)
  hash.update(output('rustc', ['-vV'], toolchain.env) ?? '')
  return hash.digest('hex')
}

/** What the module that is there was made from; `null` where there is none. */
function stampOf(module) {
  const file = join(out, module, '.stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Builds one module; `false` if it was there already. */
async function build(module, toolchain, setup) {
  const stamp = fingerprint(module, toolchain)
  const folder = join(out, module)
  if (stampOf(module) === stamp) return false
  console.log(`Building the module ${module} …`)
  const [family, variant] = module.split('/')
  const { env, args, features } = wasmBuild(variant, toolchain)
  const wasm = 'wasm32-unknown-unknown'
  const compiled = folderOf(variant)
  const common = ['--profile', 'web', '--target', wasm, '--target-dir', compiled]
  for (const [name, level] of Object.entries({ ...levels[family], ...levels[module] }))
    common.push('--config', `profile.web.package.${name}.opt-level=${level}`)
  const chosen = ['--no-default-features', '--features', [family, ...features].join(',')]
  await must('cargo', ['build', '-q', '-p', 'vivarium-web', '--lib', ...common, ...chosen, ...args], { env })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await setup.bindgen
  const built = join(compiled, wasm, 'web', 'vivarium_web.wasm')
  const bindgen = ['--target', 'web', '--out-name', 'vivarium', '--out-dir', folder, '--remove-name-section']
  await must('wasm-bindgen', [...bindgen, '--remove-producers-section', built])
  // The thread pool's script imports the folder three levels above it.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "vivarium.js" }\n')
  writeFileSync(join(folder, '.stamp'), stamp)
  return true
}

/** What has been set up already. */
const everything = { compiler: null, bindgen: null }

/**
 * Builds what is out of date and says how large each module is. Compiles while `setup.bindgen` is still being installed. A
 * module that is not wanted and out of date is deleted: the page takes whatever is there.
 */
export async function buildWasm(wanted = modules, setup = everything) {
  await setup.compiler
  const toolchain = wasmToolchain()
  if (!toolchain) fail('There is no compiler for the wasm modules: run npm run setup.')
  const oneByOne = async (modules) => {
    let built = 0
    for (const module of modules) if (await build(module, toolchain, setup)) built++
    return built
  }
  for (const module of modules.filter((module) => !wanted.includes(module)))
    if (stampOf(module) !== fingerprint(module, toolchain))
      rmSync(join(out, module), { recursive: true, force: true })
  const inFolder = (folder) => wanted.filter((module) => folderOf(module.split('/')[1]) === folder)
  const folders = new Set(cpuVariants.map(folderOf))
  const built = await Promise.all([...folders].map((folder) => oneByOne(inFolder(folder))))
  if (built.every((count) => count === 0)) return
  for (const module of wanted) {
    console.log(`${module.padEnd(26)} ${(weight(module) / 1024).toFixed(0).padStart(4)} KB gzipped`)
  }
}

/** Sentences about the modules that weigh more than they may. */
export function tooHeavy(modules) {
  const kilobytes = (bytes) => Math.ceil(bytes / 1024)
  return modules
    .filter((module) => weight(module) > limit(module))
    .map(
      (module) => `${module} weighs ${kilobytes(weight(module))} KB, more than ${kilobytes(limit(module))}.`,
    )
}

/** Bytes of a module as a host sends it. */
function weight(module) {
  return gzipSync(readFileSync(join(out, module, 'vivarium_bg.wasm')), { level: 9 }).length
}

if (isMain(import.meta.url)) {
  const beginnings = process.argv.slice(2)
  const wanted = (name) => !beginnings.length || beginnings.some((beginning) => name.startsWith(beginning))
  const chosen = modules.filter(wanted)
  if (!chosen.length)
    fail(`No module begins with ${beginnings.join(' or ')}: they are ${modules.join(', ')}.`)
  await buildWasm(chosen)
}
