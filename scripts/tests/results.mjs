// Runs checks and test runners and sums their results.
import { run } from '../run.mjs'

const results = []

/** Records the result of a runner. */
export function note(result) {
  results.push({ passed: 0, failed: 0, skipped: 0, unstable: 0, seconds: 0, ...result })
}

/**
 * Runs a command and prints its output as one block, because runners run in parallel. Returns the counts that `count` parses from the
 * output; a nonzero exit code counts as at least one failure.
 */
async function counted(name, { program, args, title = `${program} ${args.join(' ')}`, env, cwd }, count) {
  const { code, text } = await run(program, args, { env, cwd, keep: true, show: false })
  const { passed, failed, skipped = 0 } = count(text)
  console.log(`\n── ${name} ─ ${title}\n${text.trimEnd()}`)
  return { passed, failed: failed + (code !== 0 && failed === 0 ? 1 : 0), skipped }
}

/**
 * Runs the commands of a runner in sequence, each `{ program, args, title?, env?, cwd? }`, and sums their counts. `secondRun` returns the
 * command that repeats what failed, or `null`; the summary states how many tests passed only in that run.
 */
export async function runner(name, commands, count, { secondRun = () => null } = {}) {
  const began = Date.now()
  const sum = { passed: 0, failed: 0, skipped: 0 }
  console.log(`── ${name} …`)
  for (const command of commands) {
    const { passed, failed, skipped } = await counted(name, command, count)
    sum.passed += passed
    sum.failed += failed
    sum.skipped += skipped
  }
  const again = sum.failed ? secondRun() : null
  if (again) {
    const { passed, failed } = await counted(`${name}, second run`, again, count)
    // A run of fewer tests has not repeated all that failed.
    const unstable = passed + failed < sum.failed ? 0 : Math.max(sum.failed - failed, 0)
    sum.passed += unstable
    sum.failed -= unstable
    sum.unstable = unstable
  }
  if (sum.passed + sum.failed + sum.skipped === 0) {
    console.log(`${name}: no tests were found, which counts as a failure.`)
    sum.failed = 1
  }
  note({ name, ...sum, seconds: Math.round((Date.now() - began) / 1000) })
}

/** Runs a check that passes or fails by its exit code. */
export async function check(name, program, args, options = {}) {
  const began = Date.now()
  console.log(`── ${name} …`)
  const { code, text } = await run(program, args, { ...options, keep: true, show: false })
  console.log(`\n── ${name} ─ ${program} ${args.join(' ')}\n${text.trimEnd()}`)
  const [passed, failed] = code === 0 ? [1, 0] : [0, 1]
  note({ name, passed, failed, seconds: Math.round((Date.now() - began) / 1000) })
  return code === 0
}

/** Runs a preparation step; a failure ends the script. */
export async function work(name, action) {
  const began = Date.now()
  console.log(`── ${name} …`)
  await action()
  note({ name, passed: 1, seconds: Math.round((Date.now() - began) / 1000) })
}

/** Returns the sums over the result lines of Rust test programs. */
export function rustCount(text) {
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const [, passed, failed, ignored] of text.matchAll(/(\d+) passed; (\d+) failed; (\d+) ignored/g)) {
    sum.passed += Number(passed)
    sum.failed += Number(failed)
    sum.skipped += Number(ignored)
  }
  return sum
}

/** Returns the counts in the last lines of Node's test runner. */
export function nodeCount(text) {
  const number = (what) => Number(text.match(new RegExp(`^. ${what} (\\d+)`, 'm'))?.[1] ?? 0)
  return { passed: number('pass'), failed: number('fail'), skipped: number('skipped') + number('todo') }
}

/** Prints the sums of all results and the duration of each runner. Returns whether nothing failed. */
export function summary(began) {
  console.log('\n── All together')
  const total = { passed: 0, failed: 0 }
  for (const { name, passed, failed, skipped, unstable, seconds } of results) {
    if (passed + failed === 0) {
      console.log(`– ${name}: ${skipped} skipped`)
      continue
    }
    const second = unstable ? `, ${unstable} passed only in the second run` : ''
    const notes = `${skipped ? `, ${skipped} skipped` : ''}${second} (${seconds} s)`
    console.log(`${failed ? '✗' : '✓'} ${name}: ${passed} passed, ${failed} failed${notes}`)
    total.passed += passed
    total.failed += failed
  }
  const minutes = ((Date.now() - began) / 60_000).toFixed(1)
  console.log(`${total.passed} passed, ${total.failed} failed in ${minutes} minutes`)
  return total.failed === 0
}
