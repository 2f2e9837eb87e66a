// Smoke test of the built page. Firefox: an exhibit of each family loads, trains and draws; a reload keeps the run. WebKitGTK:
// CartPole trains and draws.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import sharp from 'sharp'
import { firefox, webkit } from '../../scripts/browser.mjs'
import { root } from '../../scripts/run.mjs'
import { host } from '../e2e/server.mjs'
import { startBrowser, until, xServer } from './webdriver.mjs'

const experiments = JSON.parse(readFileSync(join(root, 'www/src/protocol/experiments.json'), 'utf8'))
const kinds = experiments.map(({ world }) => world.kind)
/** The first exhibit of each family. */
const names = experiments.filter(({ world }, i) => kinds.indexOf(world.kind) === i).map(({ name }) => name)

let server
before(async () => (server = await host()))
after(() => server.close())

/** Returns an attribute of the element with a test id, or null without the element. */
const attribute = (browser, id, name) =>
  browser.run(
    'return document.querySelector(`[data-testid="${arguments[0]}"]`)?.getAttribute(arguments[1]) ?? null',
    id,
    name,
  )
const text = (browser, id) =>
  browser.run(
    'return document.querySelector(`[data-testid="${arguments[0]}"]`)?.textContent.trim() ?? ""',
    id,
  )
const click = (browser, id) =>
  browser.run('document.querySelector(`[data-testid="${arguments[0]}"]`).click()', id)

/** Opens the report of the engines, and returns the module and the reason for its choice. */
async function engineReport(browser) {
  await click(browser, 'engine')
  await until(() => text(browser, 'engine-reason'), 'the report of the engines')
  return { module: await text(browser, 'engine-module'), reason: await text(browser, 'engine-reason') }
}

const steps = async (browser) => Number(await attribute(browser, 'steps', 'data-value'))

/** Waits until training has advanced beyond a number of steps. */
const trains = (browser, from = 0) => until(async () => (await steps(browser)) > from, 'training to continue')

/** Leaves the simple view, in which some exhibits have no step counter. The browser stores the choice. */
async function showAllControls(browser) {
  const pressed = () => attribute(browser, 'all-controls', 'aria-pressed')
  await until(pressed, 'the controls')
  if ((await pressed()) === 'false') await click(browser, 'all-controls')
}

/** Returns whether a picture has several colors. */
async function isDrawn(picture) {
  const { channels } = await sharp(picture).stats()
  return channels.slice(0, 3).some(({ stdev }) => stdev > 2)
}

/** Loads the page of an exhibit, and checks that it trains and draws. */
async function check(browser, name) {
  const began = Date.now()
  // The query makes it another page, so that its step counter belongs to this exhibit.
  await browser.open(`${server.address}?exhibit=${name}#/${name}`)
  await showAllControls(browser)
  await trains(browser)
  await until(async () => {
    for await (const picture of browser.screenshots('main canvas, main svg'))
      if (await isDrawn(picture)) return true
    return false
  }, `a picture of ${name}`)
  console.log(`${browser.name}: ${name} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

// A skipped suite would not be counted.
for (const { missing } of [firefox(), webkit()])
  if (typeof missing === 'string') it(missing, { skip: missing })

describe('Firefox', { skip: firefox().missing }, () => {
  let browser
  before(async () => {
    const options = { binary: firefox().browser, args: ['-headless', '--width=1280', '--height=900'] }
    browser = await startBrowser({
      driver: firefox().driver,
      capabilities: { browserName: 'firefox', 'moz:firefoxOptions': options },
    })
  })
  after(() => browser?.end())

  it('trains on all cores', async (test) => {
    await check(browser, 'cartpole')
    const { module, reason } = await engineReport(browser)
    test.diagnostic(`${browser.name}, ${module}: ${reason}`)
    assert.equal(module, 'threads-relaxed')
    assert.doesNotMatch(reason, /did not start/)
  })

  it('trains and draws an exhibit of each family', async () => {
    for (const name of names) await check(browser, name)
  })

  it('keeps the run after a reload', async () => {
    // Several updates of 8,192 steps, since a run without a complete update is not stored.
    await browser.open(`${server.address}?reload#/cartpole?speed=max`)
    await trains(browser, 3 * 8192)
    await click(browser, 'pause')
    await until(() => attribute(browser, 'play', 'class'), 'the pause')
    const before = await steps(browser)
    // The list of runs stores a paused run first. Without it, the reload could be faster than the storage.
    await click(browser, 'more-actions')
    await click(browser, 'open')
    await until(
      () =>
        browser.run('return document.querySelector("#runs[aria-busy=false] [data-testid=recent]") !== null'),
      'the list of runs',
    )
    await browser.reload()
    await until(async () => (await text(browser, 'play')) === 'Continue', 'the stored run')
    const stored = await steps(browser)
    // A run that was paused within an update is stored as of the previous update.
    assert.ok(stored > 0 && stored <= before, `${stored} of ${before} steps`)
    await click(browser, 'play')
    await trains(browser, stored)
  })
})

describe('WebKitGTK', { skip: webkit().missing }, () => {
  let screen
  before(async () => (screen = await xServer()))
  after(() => screen?.end())

  const start = (env) =>
    startBrowser({
      driver: webkit().driver,
      env: { DISPLAY: screen.display, LC_ALL: 'C', ...env },
      capabilities: {
        'webkitgtk:browserOptions': { binary: webkit().browser, args: ['--automation'] },
      },
    })

  it('trains without SharedArrayBuffer, as installed, and again after a reload', async (test) => {
    const browser = await start({})
    try {
      await check(browser, 'cartpole')
      const { module, reason } = await engineReport(browser)
      test.diagnostic(`${browser.name}: ${reason}`)
      assert.equal(module, 'single-simd128')
      assert.match(reason, /lacks SharedArrayBuffer/)
      // A driven WebKitGTK has no storage, so that a reload restarts the run.
      await browser.reload()
      await trains(browser)
    } finally {
      await browser.end()
    }
  })

  it('trains with threads, which are off as installed', async (test) => {
    // Its relaxed SIMD is incomplete, so that the page must not select it.
    const browser = await start({ JSC_useSharedArrayBuffer: '1', JSC_useWasmRelaxedSIMD: '1' })
    try {
      await check(browser, 'cartpole')
      const { module, reason } = await engineReport(browser)
      test.diagnostic(`${browser.name}: ${reason}`)
      assert.equal(module, 'threads-simd128')
      assert.doesNotMatch(reason, /did not start/)
    } finally {
      await browser.end()
    }
  })
})
