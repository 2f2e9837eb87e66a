// The tests of the page: its modules in a browser, its scripts, and the whole of it from end to end.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { browser } from '../browser.mjs'
import { build } from '../build.mjs'
import { buildWasm, folderOf, limit, modules, weight } from '../build-wasm.mjs'
import { root } from '../run.mjs'
import { wasmBuild, wasmToolchain } from '../toolchain.mjs'
import { nativeProgram } from './native.mjs'
import { check, nodeCount, note, runner, rustCount } from './results.mjs'

/** One check a module: it is light enough to load. */
function weights() {
  const heavy = modules.filter((module) => weight(module) > limit(module))
  for (const module of heavy) {
    const [is, may] = [weight(module), limit(module)].map((bytes) => Math.ceil(bytes / 1024))
    console.log(`${module} weighs ${is} KB, more than ${may}.`)
  }
  note({ name: 'weight of the modules', passed: modules.length - heavy.length, failed: heavy.length })
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

/** The modules, and the page's scripts. */
export async function page() {
  await buildWasm()
  weights()
  await check('svelte-check', 'svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings'])
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  await runner('vitest', [{ program: 'vitest', args }], vitestCount)
}

/** The tests of the page's crate in a headless browser. */
export async function wasm() {
  const toolchain = wasmToolchain()
  const { driver } = browser()
  const test = (variant) => {
    const { env, args, features } = wasmBuild(variant, toolchain)
    // What the others test has no need of a GPU; and a program that imitates one takes minutes.
    const only = variant === 'gpu' ? ['--test', 'device'] : ['--test', 'browser']
    const where = ['--target', 'wasm32-unknown-unknown', '--target-dir', folderOf(variant)]
    const chosen = features.length ? ['--features', [...features, 'plain-modules'].join(',')] : []
    const command = {
      program: 'cargo',
      args: ['test', '-p', 'vivarium-web', ...where, ...args, ...chosen, ...only],
      env: { ...env, CHROMEDRIVER: driver, WASM_BINDGEN_TEST_TIMEOUT: '1800' },
    }
    return runner(`in a browser, ${variant}`, [command], rustCount)
  }
  const oneByOne = async (variants) => {
    for (const variant of variants) await test(variant)
  }
  // Side by side, as the modules are made: in folders of their own.
  await Promise.all([oneByOne(['single-simd128', 'gpu']), oneByOne(['threads-relaxed'])])
}

/** The page as a person has it. */
export async function endToEnd() {
  await build()
  await nativeProgram()
  const files = readdirSync(join(root, 'tests/e2e')).filter((file) => file.endsWith('.test.mjs'))
  const paths = files.sort().map((file) => `tests/e2e/${file}`)
  // One after another: on two cores, two browsers that train would only be in each other's way.
  const args = ['--test', '--test-concurrency=1', '--test-reporter=spec', ...paths]
  await runner('end to end', [{ program: 'node', args }], nodeCount)
}
