// Builds the wasm modules into www/src/wasm, skipping those that are up to date.
// `npm run wasm -- logic-ca/threads games` builds only modules whose names have these prefixes.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { fail, isMain, must, output, root, target } from './run.mjs'
import { wasmBuild, wasmToolchain } from './toolchain.mjs'

const manifest = (name) => readFileSync(join(root, `crates/${name}/Cargo.toml`), 'utf8')
/** Families of learners: the default features of the crate with the list of exhibits. The page loads the modules of one family. */
const families = manifest('exhibits')
  .match(/^default = \[([^\]]*)\]/m)[1]
  .match(/[\w-]+/g)
const cpuVariants = ['threads-relaxed', 'threads-simd128', 'single-simd128']
/**
 * `opt-level` overrides of `profile.web` by package, for a family or one module: hot code is optimized for speed. In GPU
 * modules the CPU engine only computes previews.
 */
const levels = {
  // The kernels and the dynamics of the environments, which take most of the time, are in other crates.
  control: { 'vivarium-graph': '"s"', 'vivarium-learn': '"s"' },
  'games/gpu': { 'vivarium-graph': '"s"', 'vivarium-agents': '"s"' },
  games: { 'vivarium-exhibit-games': '"s"' },
  tools: { 'vivarium-graph': '"s"', 'vivarium-agents': '"s"' },
}
/** The modules of crates/web-tools, which the page loads on request, with their features: exporters, and the analysis of matches. */
const onRequest = { 'tools/single-simd128': ['tools'], 'analysis/single-simd128': ['analysis'] }
/** Names of all modules, in the form `family/variant`. */
export const modules = [
  ...families.flatMap((family) => [...cpuVariants, 'gpu'].map((variant) => `${family}/${variant}`)),
  ...Object.keys(onRequest),
]
/**
 * For each family, the module that most browsers load: threads and relaxed SIMD (fused multiply-add); and the modules that are
 * loaded on request.
 */
export const forOneBrowser = [
  ...families.map((family) => `${family}/threads-relaxed`),
  ...Object.keys(onRequest),
]
/**
 * Modules that the tests load: all variants of one family; of all other families, the default module and the GPU
 * module.
 */
export const forTests = modules.filter(
  (module) => module.startsWith('control/') || forOneBrowser.includes(module) || module.endsWith('/gpu'),
)
const out = join(root, 'www/src/wasm')
/**
 * Returns the target folder of a variant. Variants with different flags share only build scripts, and cargo locks a target
 * folder, so two folders allow two builds in parallel.
 */
export const folderOf = (variant) => join(target, variant.startsWith('threads') ? 'wasm-threads' : 'wasm')
/**
 * Maximum gzipped size of a family's modules in KB, where it differs from the default. Control has two learners for
 * each of six environments, games has two games, the notations of positions and the doubling cube, cube has the notation
 * of algorithms, language has the facts of the generated encyclopedia and reads evaluations from files, tools has exporters, records of matches and the
 * reader of Hugging Face models.
 */
const heavier = { control: 446, games: 540, cube: 445, language: 468, tools: 408, analysis: 281 }
/** Maximum gzipped size of a family's GPU module in KB, where it differs from the default. */
const heavierOnGpu = { control: 583, games: 648 }
/**
 * Returns the maximum gzipped size of a module, bytes; checked by the build and the tests. GPU modules may be larger, since
 * they load while training already runs.
 */
function limit(module) {
  const [family, variant] = module.split('/')
  return (variant === 'gpu' ? (heavierOnGpu[family] ?? 600) : (heavier[family] ?? 400)) * 1024
}

/** Returns `name` and the crates that it depends on; of its optional dependencies, only the GPU engine. */
function withDependencies(name, gpu, known = new Set()) {
  if (known.has(name)) return known
  known.add(name)
  const [, dependencies] = manifest(name).match(/^\[dependencies\]\n([^]*?)(?=^\[|(?![^]))/m) ?? [null, '']
  for (const [line, crate] of dependencies.matchAll(/^vivarium-([\w-]+)\b.*$/gm)) {
    if (!line.includes('optional = true') || (gpu && crate === 'gpu'))
      withDependencies(crate.replace(/^exhibit-/, 'exhibits/'), gpu, known)
  }
  return known
}

/** Returns a hash of all inputs of a module. */
function fingerprint(module, toolchain) {
  const [family, variant] = module.split('/')
  const hash = createHash('sha256')
  const add = (file) => hash.update(file).update(readFileSync(join(root, file)))
  const gpu = variant === 'gpu'
  const crates =
    module in onRequest
      ? ['web-tools', 'exhibits', ...families.map((name) => `exhibits/${name}`)]
      : ['web', `exhibits/${family}`]
  for (const name of new Set(crates.flatMap((crate) => [...withDependencies(crate, gpu)]))) {
    add(`crates/${name}/Cargo.toml`)
    const sources = readdirSync(join(root, `crates/${name}/src`), { recursive: true }).map(String)
    for (const file of sources.sort()) if (/\.(rs|wgsl)$/.test(file)) add(`crates/${name}/src/${file}`)
  }
  for (const file of ['Cargo.toml', 'Cargo.lock', 'scripts/build-wasm.mjs', 'scripts/toolchain.mjs'])
    add(file)
  hash.update(output('rustc', ['-vV'], toolchain.env) ?? '')
  return hash.digest('hex')
}

/** Returns the input hash of the existing module, or `null` if there is none. */
function stampOf(module) {
  const file = join(out, module, '.stamp')
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}

/** Builds one module of the page. Returns `false` if the module was up to date. */
async function build(module, toolchain, setup) {
  const stamp = fingerprint(module, toolchain)
  const folder = join(out, module)
  if (stampOf(module) === stamp) return false
  console.log(`Building the module ${module} …`)
  const [family, variant] = module.split('/')
  const crate = module in onRequest ? 'web-tools' : 'web'
  // A family with benchmarks in the page has a feature of the same name in crates/web, which includes its exhibit.
  const own = manifest('web').includes(`\n${family} = [`) ? family : `vivarium-exhibits/${family}`
  await compile(folder, { crate, variant, features: onRequest[module] ?? [own] }, toolchain, setup, {
    ...levels[family],
    ...levels[module],
  })
  writeFileSync(join(folder, '.stamp'), stamp)
  return true
}

/**
 * Compiles a crate in a variant and writes the module to `folder`. The crate has these `features` and the features of the
 * variant. `levels` are overrides of `opt-level` by package.
 */
async function compile(folder, { crate, variant, features }, toolchain, setup, levels = {}) {
  const { env, args, features: ofVariant } = wasmBuild(variant, toolchain)
  const wasm = 'wasm32-unknown-unknown'
  const compiled = folderOf(variant)
  const common = ['--profile', 'web', '--target', wasm, '--target-dir', compiled]
  for (const [name, level] of Object.entries(levels))
    common.push('--config', `profile.web.package.${name}.opt-level=${level}`)
  const chosen = ['--no-default-features', '--features', [...features, ...ofVariant].join(',')]
  const command = ['build', '-q', '-p', `vivarium-${crate}`, '--lib', ...common, ...chosen, ...args]
  await must('cargo', command, { env })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await setup.bindgen
  const built = join(compiled, wasm, 'web', `vivarium_${crate.replace('-', '_')}.wasm`)
  const bindgen = ['--target', 'web', '--out-name', 'vivarium', '--out-dir', folder, '--remove-name-section']
  await must('wasm-bindgen', [...bindgen, '--remove-producers-section', built])
  // The thread pool's worker script imports the module from three levels above.
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "main": "vivarium.js" }\n')
}

/** Result of a setup that has no steps to wait for. */
const everything = { compiler: null, bindgen: null }

/** Builds a module that is not part of the page into `folder`: a crate in a variant, with these features. */
export async function buildModule(folder, crate, variant, features) {
  await compile(folder, { crate, variant, features }, toolchainOrFail(), everything)
}

function toolchainOrFail() {
  return wasmToolchain() ?? fail('There is no compiler for the wasm modules: run npm run setup.')
}

/** Deletes outdated modules, except the `wanted` ones: a page that is built or served loads any module that exists. */
export function deleteOutdated(wanted) {
  const toolchain = toolchainOrFail()
  for (const module of modules.filter((module) => !wanted.includes(module)))
    if (stampOf(module) !== fingerprint(module, toolchain))
      rmSync(join(out, module), { recursive: true, force: true })
}

/**
 * Builds the outdated ones of the `wanted` modules and prints their sizes. Other modules are unchanged. Compilation overlaps
 * with the installation of `setup.bindgen`.
 */
export async function buildWasm(wanted = modules, setup = everything) {
  await setup.compiler
  const toolchain = toolchainOrFail()
  const oneByOne = async (modules) => {
    let built = 0
    for (const module of modules) if (await build(module, toolchain, setup)) built++
    return built
  }
  const inFolder = (folder) => wanted.filter((module) => folderOf(module.split('/')[1]) === folder)
  const folders = new Set(cpuVariants.map(folderOf))
  const built = await Promise.all([...folders].map((folder) => oneByOne(inFolder(folder))))
  if (built.every((count) => count === 0)) return
  for (const module of wanted) {
    console.log(`${module.padEnd(26)} ${(weight(module) / 1024).toFixed(0).padStart(4)} KB gzipped`)
  }
}

/** Returns one error message per module that exceeds its maximum size. */
export function tooHeavy(modules) {
  const kilobytes = (bytes) => Math.ceil(bytes / 1024)
  return modules
    .filter((module) => weight(module) > limit(module))
    .map(
      (module) => `${module} weighs ${kilobytes(weight(module))} KB, more than ${kilobytes(limit(module))}.`,
    )
}

/** Returns the gzipped size of a module, bytes. */
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
