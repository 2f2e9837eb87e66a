// What several tests do in an exhibit.
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { patience, visit } from './page.mjs'

/** A test in a window of its own, opened at `where` with the options of `visit`. Fails if anything went wrong in the page. */
export function inWindow(name, where, options, body) {
  it(name, { timeout: 4 * patience }, async () => {
    const visitor = await visit(where, options)
    try {
      await body(visitor)
      calm(visitor)
    } finally {
      await visitor.window.close()
    }
  })
}

/**
 * A window that the tests of a suite share, since loading the page and starting its training takes longer than most tests.
 * `open` resolves to the visit. The first test opens the window; after a test that failed, the next one opens another.
 *
 * Returns a function that defines a test in the window. Each test fails if anything went wrong in the page meanwhile, and
 * must not depend on the tests before it.
 */
export function sharedWindow(open) {
  let visitor = null
  const close = async () => {
    const { window } = visitor ?? {}
    visitor = null
    await window?.close()
  }
  after(close)
  return (name, body) =>
    it(name, { timeout: 4 * patience }, async () => {
      visitor ??= await open()
      try {
        await body(visitor)
        calm(visitor)
      } catch (error) {
        await close()
        throw error
      }
    })
}

/** A number that the page shows, exactly: `data-value` of what has this test id, or another attribute of data. */
export const number = async ({ at }, id, name = 'value') => Number(await at(id).getAttribute(`data-${name}`))

/** Environment steps so far. */
export const steps = (visit) => number(visit, 'steps')

/** Waits until training has done something since `from`. */
export async function trains(visit, from) {
  const before = from ?? (await steps(visit))
  await until(async () => (await steps(visit)) > before, 'training to go on')
}

/** Trains slowly from now on, which leaves the processor to what a test does meanwhile. `stop`: of the speed's slider. */
export const trainSlowly = ({ at }, stop = 0) => at('speed').fill(String(stop))

/** Trains at full speed from now on. */
export const trainFast = async ({ at }) => at('speed').fill(await at('speed').getAttribute('max'))

/** Asks again until it is so. */
export async function until(holds, what) {
  const end = Date.now() + patience
  while (!(await holds())) {
    if (Date.now() > end) assert.fail(`waited in vain for ${what}`)
    await new Promise((next) => setTimeout(next, 50))
  }
}

/** Pauses, and waits until the last slice is reported. */
export async function pause(visit) {
  await visit.at('pause').click()
  await visit.at('play').waitFor()
  let last = -1
  await until(async () => {
    const before = last
    last = await steps(visit)
    await new Promise((next) => setTimeout(next, 300))
    return last === before
  }, 'the last report')
}

/** Loads the page anew and lets it train: the run that was kept, where one was. */
export async function loadAnew(visit) {
  const { at, page } = visit
  await page.reload()
  const kept = at('play').filter({ hasText: 'Continue' })
  await until(async () => (await at('pause').count()) > 0 || (await kept.count()) > 0, 'a run')
  if (await kept.count()) await kept.click()
  await trains(visit)
}

/** The page's own evaluation over 100 episodes. */
export async function evaluate({ at }) {
  const before = (await at('evaluation-result').count())
    ? await at('evaluation-result').elementHandle()
    : null
  await at('evaluate').click()
  await until(() => at('evaluate').isEnabled(), 'the evaluation')
  await before?.dispose()
  return Number((await at('evaluation-mean').textContent()).replaceAll(/[^\d.−-]/g, '').replace('−', '-'))
}

/** The line that runs the same experiment natively: all there is to know about it. */
export async function command({ at, page }) {
  await at('copy-command').click()
  return page.evaluate(() => navigator.clipboard.readText())
}

export const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Forgets the errors in the page that a test causes on purpose. */
export function forget({ wrong }, expected = /(?:)/) {
  wrong.splice(0, Infinity, ...wrong.filter((text) => !expected.test(text)))
}

/** Nothing went wrong in the page. */
export function calm({ wrong }) {
  assert.deepEqual(wrong, [])
}
