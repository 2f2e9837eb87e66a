// Helpers for tests of exhibits.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, it } from 'node:test'
import { root } from '../../scripts/run.mjs'
import { patience, visit } from './page.mjs'

/** Defines a test in its own window, opened at `where` with the options of `visit`. Fails if the page reports an error. */
export function inWindow(name, where, options, body) {
  it(name, { timeout: 4 * patience }, async () => {
    const visitor = await visit(where, options)
    try {
      await body(visitor)
      calm(visitor)
    } catch (error) {
      throw await withPage(error, visitor, name)
    } finally {
      await visitor.window.close()
    }
  })
}

const pictures = join(root, 'test-results/failures')

/** Stores a screenshot of the page of a failed test. Returns its path, or the reason why there is none. */
async function failurePicture(page, name) {
  const file = basename(process.argv[1], '.test.mjs')
  const path = join(pictures, `${file}-${name.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 100)}.png`)
  mkdirSync(pictures, { recursive: true })
  return page.screenshot({ path, timeout: 10_000 }).then(() => path, String)
}

/**
 * Returns the error of the failed test `name` with the errors, the address and the text of its page, and the path of a screenshot of
 * the page.
 */
export async function withPage(error, { page, wrong }, name) {
  const shown = page.evaluate(() => document.body.innerText).catch(String)
  const text = await Promise.race([shown, new Promise((late) => setTimeout(late, 5000, '(no answer)'))])
  const lines = text.split(/\n+/).slice(0, 60)
  const picture = `Screenshot: ${await failurePicture(page, name)}`
  const about = [`${error.message}, at ${page.url()}`, picture, ...wrong]
  const message = [...about, 'The page shows:', ...lines].join('\n  ')
  return new Error(message, { cause: error })
}

/**
 * Returns whether the browser has stopped to produce frames, as Chromium without a GPU sometimes does when the size of the
 * window changes. Such a window is useless: a click waits for two frames.
 */
async function isFrozen({ page }) {
  const frame = page.evaluate(
    () =>
      new Promise((done) => {
        const next = /** @type {any} */ (globalThis).nextFrame ?? requestAnimationFrame
        next(() => done(false))
      }),
  )
  return Promise.race([frame.catch(() => false), new Promise((late) => setTimeout(late, 20_000, true))])
}

/**
 * Shares one window between the tests of a suite, since starting the page takes longer than most tests. `open` resolves to the
 * visit. The first test opens the window; after a failed test, the next one opens a new one. A test whose window has stopped
 * to produce frames is repeated once in a new one.
 *
 * Returns a function that defines a test in the window. A test fails if the page reports an error, and must not depend on the
 * tests before it.
 */
export function sharedWindow(open) {
  let visitor = null
  const close = async () => {
    const { window } = visitor ?? {}
    visitor = null
    await window?.close()
  }
  after(close)
  const run = async (name, body, repeats) => {
    visitor ??= await open()
    try {
      await body(visitor)
      calm(visitor)
    } catch (error) {
      const failure = await withPage(error, visitor, name)
      const again = repeats > 0 && (await isFrozen(visitor))
      await close()
      if (!again) throw failure
      console.log(`${name}: the window stopped to produce frames; the test is repeated in a new one`)
      await run(name, body, repeats - 1)
    }
  }
  return (name, body) => void it(name, { timeout: 4 * patience }, () => run(name, body, 1))
}

/** Returns a displayed number exactly: the attribute `data-value`, or another data attribute, of a test id. */
export const number = async ({ at }, id, name = 'value') => Number(await at(id).getAttribute(`data-${name}`))

/** Environment steps so far. */
export const steps = (visit) => number(visit, 'steps')

/** Waits until training has advanced since `from`. */
export async function trains(visit, from) {
  const before = from ?? (await steps(visit))
  await until(async () => (await steps(visit)) > before, 'training to continue')
}

/** Chooses an action in the menu “More” of an exhibit. `name`: its test id. */
export async function chooseMore({ at }, name) {
  await at('more-actions').click()
  await at(name).click()
}

/** Exports a file through the menu, which the embedded page has as a button. `item`: its test id. Returns the download. */
export async function exported({ at, page }, item = 'save') {
  if (await at('more-actions').count()) await chooseMore({ at }, 'export')
  else await at('export').click()
  const [download] = await Promise.all([page.waitForEvent('download'), at(item).click()])
  return download
}

/** Trains slowly, which leaves the processor to the test. `stop`: index on the speed slider. */
export const trainSlowly = ({ at }, stop = 0) => at('speed').fill(String(stop))

/** Trains at full speed. */
export const trainFast = async ({ at }) => at('speed').fill(await at('speed').getAttribute('max'))

/** Resolves after two frames: one for layout, one for painting. Runs in the page. */
export const twoFrames = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null))))

/** Interval between two screenshots of a changing element, ms: a screenshot takes about as long without a GPU. */
export const screenshotInterval = 200

/** Polls until `holds` resolves to true. `interval` in ms; the default is the time between two frames of the page. */
export async function until(holds, what, interval = 100) {
  const end = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`timed out waiting for ${what}`)
    await new Promise((next) => setTimeout(next, interval))
  }
}

/** Waits until the workers have processed the page's messages so far, and the page has shown their reports. */
export async function settled({ page }) {
  await page.evaluate(async () => {
    const answered = (worker) =>
      new Promise((done) => {
        worker.addEventListener('message', ({ data }) => data.kind === 'pong' && done())
        worker.postMessage({ kind: 'ping' })
      })
    await Promise.all([...globalThis.openWorkers].map(answered))
    await new Promise(requestAnimationFrame)
  })
}

/** Pauses and waits until the last slice is reported. */
export async function pause(visit) {
  await visit.at('pause').click()
  await visit.at('play').waitFor()
  await settled(visit)
}

/** Returns a screenshot of an element that has stopped changing: two in succession are equal. */
export async function stillPicture(visit, id) {
  await settled(visit)
  let last = await visit.at(id).screenshot()
  const isStill = async () => {
    const before = last
    last = await visit.at(id).screenshot()
    return last.equals(before)
  }
  await until(isStill, `a still picture of ${id}`, screenshotInterval)
  return last
}

/** Reloads the page and trains: the stored run, if there is one. */
export async function loadAnew(visit) {
  const { at, page } = visit
  await page.reload()
  const kept = at('play').filter({ hasText: 'Continue' })
  await until(async () => (await at('pause').count()) > 0 || (await kept.count()) > 0, 'a run')
  if (await kept.count()) await kept.click()
  await trains(visit)
}

/** Runs the page's evaluation over 100 episodes. */
export async function evaluate({ at }) {
  const before = (await at('evaluation-result').count())
    ? await at('evaluation-result').elementHandle()
    : null
  await at('evaluate').click()
  await until(() => at('evaluate').isEnabled(), 'the evaluation')
  await before?.dispose()
  return Number((await at('evaluation-mean').textContent()).replaceAll(/[^\d.−-]/g, '').replace('−', '-'))
}

/** Returns the native command of the experiment, which contains its whole config. */
export async function command({ at, page }) {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await chooseMore({ at }, 'copy-command')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await until(async () => (await copied()) !== '', 'the command')
  return copied()
}

export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Discards errors that a test causes on purpose. */
export function forget({ wrong }, expected = /(?:)/) {
  wrong.splice(0, Infinity, ...wrong.filter((text) => !expected.test(text)))
}

/** Asserts that the page reported no errors. */
export function calm({ wrong }) {
  assert.deepEqual(wrong, [])
}
