// Tests of the page: wasm modules in a browser, unit tests, and end-to-end tests.
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { browser } from '../browser.mjs'
import { build } from '../build.mjs'
import { buildWasm, folderOf, forTests, tooHeavy } from '../build-wasm.mjs'
import { root } from '../run.mjs'
import { wasmBuild, wasmToolchain } from '../toolchain.mjs'
import { nativeProgram } from './native.mjs'
import { check, nodeCount, note, runner, rustCount, work } from './results.mjs'

/** Checks that no wasm module exceeds its maximum size. */
function weights() {
  const heavy = tooHeavy(forTests)
  for (const sentence of heavy) console.log(sentence)
  note({ name: 'weight of the modules', passed: forTests.length - heavy.length, failed: heavy.length })
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

/** Builds the modules, then checks types and runs the unit tests. */
export async function page(setup) {
  await work('building the modules', () => buildWasm(forTests, setup))
  weights()
  await setup.all
  await check('declarations of the modules', 'node', ['scripts/declarations.mjs', '--check'])
  await check('svelte-check', 'svelte-check', ['--tsconfig', './tsconfig.json', '--fail-on-warnings'])
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  await runner('vitest', [{ program: 'vitest', args }], vitestCount)
}

/**
 * Runs the tests of the crates in a headless browser: with threads on the CPU; without threads on the CPU and the GPU,
 * compiled together.
 */
export async function wasm(setup) {
  await setup.all
  const toolchain = wasmToolchain()
  const { driver } = browser()
  const test = (variant, tests) => {
    const { env, args, features } = wasmBuild(variant, toolchain)
    const how = ['--headless', '--chrome', '--mode', 'no-install', '--chromedriver', driver]
    const chosen = ['--features', [...features, 'plain-modules'].join(',')]
    // The profile of the modules, so that common crates are compiled once; the tests themselves are barely optimized.
    const compiled = ['--profile', 'web', '--config', 'profile.web.package.vivarium-web.opt-level=1']
    const only = tests.flatMap((name) => ['--test', name])
    const command = {
      program: 'wasm-pack',
      args: [
        'test',
        ...how,
        'crates/web',
        ...compiled,
        '--target-dir',
        folderOf(variant),
        ...args,
        ...chosen,
        ...only,
      ],
      env,
    }
    return runner(`in a browser, ${variant}`, [command], rustCount)
  }
  // Both test builds run in parallel, in separate target folders.
  await Promise.all([test('gpu', ['browser', 'device']), test('threads-relaxed', ['browser'])])
}

/** Number of failed tests up to which the second run takes place: more failures are not caused by the load of the machine. */
const MAX_REPEATED = 4
const failures = join(root, 'test-results/failures.jsonl')

/**
 * Returns the command that repeats the failed tests by their names, one file at a time. A test that waits for a browser on a loaded machine
 * can fail by a race of the test itself; a fault of the page fails twice.
 */
export function repeatFailed(report = failures) {
  const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n').filter(Boolean) : []
  const failed = lines.map((line) => JSON.parse(line))
  const files = new Set(failed.map(({ file }) => file))
  const tests = failed.filter(({ isSuite }) => !isSuite)
  if (files.size === 0 || tests.length > MAX_REPEATED) return null
  // A file that ended before its tests is named by its path, and runs as a whole.
  const isWhole = tests.some(({ name, file }) => name === file)
  // A pattern of word characters and dots needs no quotes in any shell.
  const patterns = isWhole
    ? []
    : tests.map(({ name }) => `--test-name-pattern=${name.replaceAll(/\W/g, '.')}`)
  const paths = [...files].map((file) => relative(root, file))
  const args = ['--test', '--test-concurrency=1', '--test-reporter=spec', ...new Set(patterns), ...paths]
  return { program: 'node', args }
}

/** Names of the test files that take minutes, the longest first. They start before the others, so that none of them ends alone. */
const longFiles = [
  ...['accessibility', 'guide', 'page', 'layout', 'hosting'],
  ...['games-play', 'games-matches', 'games-quiz', 'games-positions', 'cube', 'gpu'],
]

/** Returns the paths of the end-to-end tests in the order in which they start. */
function endToEndFiles() {
  const names = readdirSync(join(root, 'tests/e2e')).flatMap(
    (file) => file.match(/^(.*)\.test\.mjs$/)?.[1] ?? [],
  )
  const others = names.filter((name) => !longFiles.includes(name)).sort()
  const ordered = [...longFiles.filter((name) => names.includes(name)), ...others]
  return ordered.map((name) => `tests/e2e/${name}.test.mjs`)
}

/** Runs the end-to-end tests of the built page. */
export async function endToEnd(setup) {
  await setup.all
  await work('building the page', () => build(forTests))
  await nativeProgram()
  mkdirSync(dirname(failures), { recursive: true })
  const script = 'scripts/tests/end-to-end.mjs'
  const args = [script, failures, ...endToEndFiles()]
  const title = `node ${script} REPORT tests/e2e/*.test.mjs`
  await runner('end to end', [{ program: 'node', args, title }], nodeCount, { secondRun: repeatFailed })
  // The smoke test runs alone, because several browsers at once would exceed the time limits.
  const smoke = ['--test', '--test-reporter=spec', 'tests/browsers/smoke.test.mjs']
  await runner('Firefox and WebKitGTK', [{ program: 'node', args: smoke }], nodeCount)
}
