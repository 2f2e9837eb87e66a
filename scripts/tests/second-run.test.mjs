import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { run } from '../run.mjs'
import { repeatFailed } from './page.mjs'
import { nodeCount, runner, summary } from './results.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'second-run-'))
  // The counts of the tests in a test are no results of the gate.
  vi.spyOn(console, 'log').mockImplementation(() => {})
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

// The test runner of Node refuses to run inside another one.
const quietly = { env: { NODE_TEST_CONTEXT: undefined }, keep: true, show: false }

/** Runs tests with `failing` failures inside and outside of a suite, and returns the command that repeats them. */
async function repeated(failing) {
  const [report, file, other] = ['failures.jsonl', 'some.test.mjs', 'other.test.mjs'].map((name) =>
    join(folder, name),
  )
  const many = Array.from(
    { length: failing },
    (_, index) => `define('fails ${index}', () => { throw new Error('no') })\n`,
  )
  const tests = `define('passes', () => {})\n${many.join('')}`
  // Like tests in a window, the tests are defined by a helper in another file.
  writeFileSync(
    join(folder, 'helper.mjs'),
    `import { test } from 'node:test'\nexport const define = (name, run) => test(name, run)\n`,
  )
  const imports = `import { describe } from 'node:test'\nimport { define } from './helper.mjs'\n`
  writeFileSync(file, `${imports}${tests}describe('suite', () => {\n${tests}})\n`)
  writeFileSync(other, `${imports}define('passes', () => {})\n`)
  const { text } = await run('node', ['scripts/tests/end-to-end.mjs', report, other, file], quietly)
  expect(nodeCount(text)).toMatchObject({ passed: 3, failed: 2 * failing })
  return { command: repeatFailed(report), file }
}

test('a few failed tests run once again by their names, one file at a time', async () => {
  const { command, file } = await repeated(2)
  const files = command.args.filter((arg) => arg.endsWith('.test.mjs')).map((path) => resolve(path))
  expect(files).toEqual([file])
  expect(command.args).toContain('--test-concurrency=1')
  const { text } = await run('node', command.args, quietly)
  expect(nodeCount(text)).toMatchObject({ passed: 0, failed: 4 })
})

test('nothing runs again if nothing failed or if many tests failed', async () => {
  expect((await repeated(0)).command).toBe(null)
  expect((await repeated(3)).command).toBe(null)
})

test('only a second run of at least as many tests counts', async () => {
  const counting = (passed, failed) => ({
    program: 'node',
    args: ['-e', `console.log('# pass ${passed}\\n# fail ${failed}')`],
  })
  const repeat = (again) => runner('tests', [counting(3, 1)], nodeCount, { secondRun: () => again })
  await repeat(counting(2, 0))
  expect(summary(Date.now())).toBe(true)
  await repeat(counting(0, 0))
  expect(summary(Date.now())).toBe(false)
})
