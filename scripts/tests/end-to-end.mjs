// Runs test files, at most three at a time, in the given order; `node --test` would sort them by name.
// node scripts/tests/end-to-end.mjs REPORT FILE… writes the failed tests to the file REPORT.
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import failedTests from './failed-tests.mjs'

/** Time after which the tests of a file end, ms: several times the duration of the longest file. */
const FILE_LIMIT = 30 * 60_000
const [report, ...files] = process.argv.slice(2)
/** The counts that Node states after the tests of a file, as in “pass 3”. */
const sums = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 }

/** Adds a diagnostic of a file to `sums`. Returns whether it is one of the counts, which are stated once, for all files. */
function isSum({ type, data }) {
  const [, name, count] = (type === 'test:diagnostic' && data.message.match(/^(\w+) ([\d.]+)$/)) || []
  if (name in sums) sums[name] += Number(count)
  return name in sums || name === 'duration_ms'
}

/**
 * Returns the events of the tests in `file`, each with `testFile`: the `file` of an event is the one with the call of `test`, which
 * is that of a helper in many tests.
 */
async function eventsOf(file) {
  const events = []
  for await (const { type, data } of run({ files: [file], timeout: FILE_LIMIT }))
    events.push({ type, data: { ...data, testFile: file } })
  return events.filter((event) => !isSum(event))
}

// Three on any machine: some wait for their pages while others train. No test measures speed.
const results = Readable.from(files).map(
  (file) => eventsOf(resolve(file)),
  // While the first file runs, the results of all others are stored. The type declarations of Node lack this option.
  /** @type {any} */ ({ concurrency: 3, highWaterMark: files.length }),
)

async function* all() {
  for await (const events of results) yield* events
  for (const [name, sum] of Object.entries(sums)) {
    yield { type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${sum}` } }
  }
  if (sums.fail + sums.cancelled > 0) process.exitCode = 1
}

const events = Readable.from(all())
events.compose(spec).pipe(process.stdout)
events.compose(failedTests).pipe(createWriteStream(report))
