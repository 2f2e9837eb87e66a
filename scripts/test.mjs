// `npm test`: set up, run everything, and count all runners together.
// `npm test -- rust wasm` runs only some parts.
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { adapters } from './adapters.mjs'
import { build } from './build.mjs'
import { buildWasm, folderOf, limit, modules, weight } from './build-wasm.mjs'
import { browser } from './browser.mjs'
import { fail, output, root, run } from './run.mjs'
import { setup } from './setup.mjs'
import { wasmBuild, wasmToolchain } from './toolchain.mjs'

const results = []

/** Runs one runner; `count` finds its numbers in what it printed, and a runner that ended badly failed at least once. */
async function runner(name, program, args, { count = () => ({ passed: 0, failed: 0 }), ...options } = {}) {
  console.log(`\n── ${name} ─ ${program} ${args.join(' ')}`)
  const began = Date.now()
  const { code, text } = await run(program, args, { ...options, keep: true })
  const { passed, failed, skipped = 0 } = count(text)
  const broken = code !== 0 && failed === 0
  const seconds = Math.round((Date.now() - began) / 1000)
  // A runner without a count of its own is one check; one that ran nothing at all has not passed.
  const nothing = passed + failed === 0 && !broken && count !== one
  if (nothing) console.log(`${name}: no tests were found, which counts as a failure.`)
  results.push({ name, passed, failed: failed + (broken || nothing ? 1 : 0), skipped, seconds })
}

/** A check that passes or fails as a whole: it passes unless its exit code says otherwise. */
const one = () => ({ passed: 0, failed: 0 })
async function check(name, program, args, options = {}) {
  await runner(name, program, args, { ...options, count: one })
  const result = results.at(-1)
  if (result.failed === 0) result.passed = 1
}

/** Adds up the last lines of every test binary. */
function rustCount(text) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const [, passed, failed, ignored] of text.matchAll(/(\d+) passed; (\d+) failed; (\d+) ignored/g)) {
    sum.passed += Number(passed)
    sum.failed += Number(failed)
    sum.skipped += Number(ignored)
  }
  return sum
}

const vitestReport = join(root, 'test-results/vitest.json')
function vitestCount() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(vitestReport, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

function nodeCount(text) {
  const number = (what) => Number(text.match(new RegExp(`^. ${what} (\\d+)`, 'm'))?.[1] ?? 0)
  return { passed: number('pass'), failed: number('fail'), skipped: number('skipped') + number('todo') }
}

/** One check a module: it is light enough to load. */
function weights() {
  const heavy = modules.filter((module) => weight(module) > limit(module))
  for (const module of heavy) {
    const [is, may] = [weight(module), limit(module)].map((bytes) => Math.ceil(bytes / 1024))
    console.log(`${module} weighs ${is} KB, more than ${may}.`)
  }
  const [passed, failed] = [modules.length - heavy.length, heavy.length]
  results.push({ name: 'weight of the modules', passed, failed, skipped: 0, seconds: 0 })
}

/** The packages but for the GPU engine's own, as Cargo sees them. */
function packagesAbove() {
  const { packages } = JSON.parse(output('cargo', ['metadata', '--no-deps', '--format-version=1']))
  return packages.filter(({ name }) => name !== 'vivarium-gpu')
}

/** Those that have a feature `gpu`. */
const withGpu = () => packagesAbove().filter(({ features }) => 'gpu' in features)

/** Names of the files in `tests` of a package; each is a program of its own. */
const testFiles = ({ targets }) => targets.filter(({ kind }) => kind.includes('test')).map(({ name }) => name)
/** Whether the part for the GPU runs such a file, on adapters that it chooses, and the part for the rest leaves it out. */
const onGpu = (name) => name.startsWith('gpu')

/** Arguments that choose packages, with their feature `gpu`. */
const choose = (packages) => [
  ...packages.flatMap(({ name }) => ['-p', name]),
  '--features',
  packages.map(({ name }) => `${name}/gpu`).join(','),
]

/** The tests of the GPU engine, and those that the packages above it keep in files `tests/gpu*.rs`, on one adapter. */
async function onAdapter({ name, env, missing }) {
  if (!env) {
    console.log(`\n── gpu on ${name}\n${missing}`)
    results.push({ name: `gpu on ${name}`, passed: 0, failed: 1, seconds: 0 })
    return
  }
  const options = { env, count: rustCount }
  const test = ['test', '-q', '--no-fail-fast']
  await runner(`gpu on ${name}`, 'cargo', [...test, '-p', 'vivarium-gpu'], options)
  const above = withGpu().filter((one) => testFiles(one).some(onGpu))
  if (!above.length) return
  await runner(`learners on ${name}`, 'cargo', [...test, ...choose(above), '--test', 'gpu*'], options)
}

const parts = {
  async style() {
    await check('prettier', 'prettier', ['--check', '.'])
    await check('rustfmt', 'cargo', ['fmt', '--all', '--check'])
    await check('layers', 'node', ['scripts/layers.mjs'])
  },
  async rust() {
    const everything = ['--workspace', '--all-targets']
    await check('clippy', 'cargo', ['clippy', '-q', ...everything, '--', '-D', 'warnings'])
    // What runs on a GPU is tested by the next part, on adapters that it chooses.
    const tests = ['test', '-q', '--workspace', '--exclude', 'vivarium-gpu', '--no-fail-fast']
    const files = new Set(packagesAbove().flatMap(testFiles))
    const named = [...files].filter((name) => !onGpu(name)).flatMap((name) => ['--test', name])
    await runner('cargo test', 'cargo', [...tests, '--lib', '--bins', ...named], { count: rustCount })
    await runner('examples in the documentation', 'cargo', [...tests, '--doc'], { count: rustCount })
  },
  async gpu() {
    const packages = withGpu()
    if (packages.length) {
      const lint = ['clippy', '-q', ...choose(packages), '--all-targets', '--', '-D', 'warnings']
      await check('clippy with the feature gpu', 'cargo', lint)
    }
    for (const adapter of adapters()) await onAdapter(adapter)
  },
  async page() {
    await buildWasm()
    weights()
    await check('svelte-check', 'svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings'])
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
    await runner('vitest', 'vitest', ['run', ...reporters], { count: vitestCount })
  },
  async wasm() {
    const toolchain = wasmToolchain()
    const { driver } = browser()
    for (const variant of ['single-simd128', 'threads-relaxed', 'gpu']) {
      const { env, args, features } = wasmBuild(variant, toolchain)
      // What the others test has no need of a GPU; and a program that imitates one takes minutes.
      const only = variant === 'gpu' ? ['--test', 'device'] : []
      env.WASM_BINDGEN_TEST_TIMEOUT = '1800'
      const where = ['--headless', '--chrome', '--mode', 'no-install', '--chromedriver', driver]
      const chosen = features.length ? ['--features', [...features, 'plain-modules'].join(',')] : []
      const folder = ['--target-dir', folderOf(variant)]
      const all = ['test', ...where, 'crates/web', ...folder, ...args, ...chosen, ...only]
      await runner(`wasm-pack ${variant}`, 'wasm-pack', all, { env, count: rustCount })
    }
  },
  async browser() {
    await build()
    await check('native program for the tests', 'cargo', ['build', '-q', '-p', 'vivarium-cli'])
    const files = readdirSync(join(root, 'tests/e2e')).filter((file) => file.endsWith('.test.mjs'))
    const paths = files.sort().map((file) => `tests/e2e/${file}`)
    // One after another: on two cores, two browsers that train would only be in each other's way.
    const options = ['--test', '--test-concurrency=1', '--test-reporter=spec']
    await runner('end to end', 'node', [...options, ...paths], { count: nodeCount })
  },
}

const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !(name in parts))
if (unknown.length)
  fail(`There is no part ${unknown.join(', ')}: the parts are ${Object.keys(parts).join(', ')}.`)

await setup({ tests: true })
rmSync(join(root, 'test-results'), { recursive: true, force: true })
for (const [name, part] of Object.entries(parts)) if (!chosen.length || chosen.includes(name)) await part()

console.log('\n── All together')
const total = { passed: 0, failed: 0 }
for (const { name, passed, failed, skipped, seconds } of results) {
  const notes = `${skipped ? `, ${skipped} skipped` : ''} (${seconds} s)`
  console.log(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${notes}`)
  total.passed += passed
  total.failed += failed
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed ? 1 : 0)
