// Runs test files, at most three at a time, in the given order; `node --test` would sort them by name.
// node scripts/tests/end-to-end.mjs REPORT FILE… writes the failed tests to the file REPORT.
import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import failedTests from './failed-tests.mjs'

const [report, ...files] = process.argv.slice(2)
// Three on any machine: some wait for their pages while others train. No test measures speed.
const events = run({ files: files.map((file) => resolve(file)), concurrency: 3 })
events.on('test:fail', () => (process.exitCode = 1))
events.compose(spec).pipe(process.stdout)
events.compose(failedTests).pipe(createWriteStream(report))
