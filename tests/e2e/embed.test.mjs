// The embedded page in a frame of another origin.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { exported, until, withPage } from './exhibit.mjs'
import { patience, visit } from './page.mjs'
import { host } from './server.mjs'

const isolated = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
}

/** Starts a host of another origin, whose page shows `address` in a frame. */
async function framing(address, headers = {}) {
  const body = `<!doctype html><title>Course</title><p style="height: 60vh">Text</p><iframe src="${address}" title="Exhibit" width="900" height="560" allow="cross-origin-isolated; clipboard-write"></iframe>`
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html', ...headers }).end(body)
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', () => ready(null)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  // Another site, not only another port.
  const close = () => new Promise((done) => (server.closeAllConnections(), server.close(done)))
  return { address: `http://localhost:${port}/`, close }
}

/** The number of cores in all browsers of these tests. Runs in the page before its scripts. */
const twoCores = () => Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 })

/**
 * Defines a test with a host of dist/ and a page of another host that shows `path` of it in a frame. `headers`: headers of the page;
 * `serve`: options of the host.
 */
function test(name, path, { headers = {}, serve = {} }, body) {
  it(name, { timeout: 2 * patience }, async () => {
    const server = await host(serve)
    const parent = await framing(server.address + path, headers)
    const visitor = await visit('', { from: parent.address, before: twoCores })
    try {
      await body(visitor, server)
    } catch (error) {
      throw await withPage(error, visitor, name)
    } finally {
      await visitor.window.close()
      await parent.close()
      await server.close()
    }
  })
}

/** Returns whether the document in the frame is isolated, and the number of its threads. */
async function isolationOf({ page }, { address }) {
  const inside = page.frames().find((one) => one.url().startsWith(address))
  const isolated = await inside.evaluate(() => crossOriginIsolated)
  // The training worker executes everything itself, or has a worker for each thread.
  return { isolated, threads: Math.max(1, page.workers().length - 1) }
}

/** Returns the frame, and its elements by test id. */
function framed({ page }) {
  const frame = page.frameLocator('iframe')
  return { frame, at: (id) => frame.getByTestId(id) }
}

describe('an exhibit in a frame of another site', () => {
  const cartpole = 'embed/#/cartpole?preset=moon&speed=max'
  const trains = (visitor) =>
    until(async () => Number(await framed(visitor).at('return').textContent()) > 30, 'the policy to improve')

  test('trains on all cores, although its host isolates nothing', cartpole, {}, async (visitor, server) => {
    const { frame, at } = framed(visitor)
    await trains(visitor)
    assert.deepEqual(await isolationOf(visitor, server), { isolated: true, threads: 2 })
    assert.equal(await at('play').or(at('pause')).count(), 1)
    for (const id of ['engine', 'more-actions', 'preset', 'timeline', 'config'])
      assert.equal(await at(id).count(), 0, id)
    const link = await at('open-in-full').getAttribute('href')
    assert.equal(link, `${server.address}#/cartpole?preset=moon`)
    assert.equal(await frame.getByRole('banner').count(), 0)
    for (const [item, ending] of [
      ['save', '.safetensors'],
      ['export-onnx', '.onnx'],
      ['export-svg-return_mean', '.svg'],
    ]) {
      const name = (await exported({ at, page: visitor.page }, item)).suggestedFilename()
      assert.ok(name.startsWith('cartpole-moon-seed1-') && name.endsWith(ending), name)
    }
    assert.deepEqual(visitor.wrong, [])
  })

  // As in a browser without the header.
  const serve = { omit: 'Document-Isolation-Policy' }
  test('trains on one thread without isolation', cartpole, { serve }, async (visitor, server) => {
    await trains(visitor)
    assert.deepEqual(await isolationOf(visitor, server), { isolated: false, threads: 1 })
    assert.deepEqual(visitor.wrong, [])
  })

  test(
    'shows the chosen parts, and is isolated with its host',
    'embed/#/cartpole?show=picture&speed=max',
    { headers: isolated, serve },
    async (visitor, server) => {
      const { frame, at } = framed(visitor)
      await at('living-view').waitFor()
      assert.equal(await at('return').isVisible(), false)
      assert.equal(await frame.locator('.transport').isVisible(), false)
      assert.equal(await at('export').count(), 0)
      await until(async () => (await isolationOf(visitor, server)).threads === 2, 'two threads')
      assert.equal((await isolationOf(visitor, server)).isolated, true)
      assert.ok(visitor.page.frames().some((one) => /show=picture/.test(one.url())))
      assert.deepEqual(visitor.wrong, [])
    },
  )

  test(
    'shows a step of the guide, which trains, without an entry in the history of its host or a scroll of the host',
    'embed/#/cartpole?guide=2&paused=1&speed=max',
    {},
    async (visitor, server) => {
      const { at } = framed(visitor)
      const entries = () => visitor.page.evaluate(() => history.length)
      const before = await entries()
      // A click of Playwright would scroll the host.
      const press = async (id) => {
        await until(() => at(id).isEnabled(), `${id} to be enabled`)
        await at(id).evaluate((button) => button.click())
      }
      await press('guide-act')
      await at('guide-result').waitFor()
      assert.equal(await at('guide-card').getAttribute('data-step'), '2')
      await press('guide-next')
      await until(async () => (await at('guide-card').getAttribute('data-step')) === '3', 'the next step')
      await press('guide-act')
      await at('guide-result').waitFor()
      assert.equal(await visitor.page.evaluate(() => scrollY), 0)
      assert.equal(await entries(), before)
      const link = await at('open-in-full').getAttribute('href')
      assert.equal(link, `${server.address}#/cartpole?guide=3`)
      // Without the guide, the frame has the chosen parts only.
      await at('guide-end').click()
      await at('guide-card').waitFor({ state: 'detached' })
      assert.equal(await at('map-value').count(), 0)
      assert.deepEqual(visitor.wrong, [])
    },
  )

  test(
    'shows picture and learning curve of a step beside the card in a low frame, without scrolling',
    'embed/#/cartpole?guide=2&paused=1&speed=max',
    {},
    async (visitor, server) => {
      const { at } = framed(visitor)
      for (const [width, height] of [
        [800, 600],
        [640, 480],
      ]) {
        await visitor.page.evaluate(
          ([width, height]) => {
            const frame = document.querySelector('iframe')
            frame.setAttribute('width', width)
            frame.setAttribute('height', height)
            // Loads the frame again.
            frame.src = frame.src.replace(/embed\/.*#/, `embed/?size=${width}#`)
          },
          [String(width), String(height)],
        )
        await until(
          async () => visitor.page.frames().some((one) => one.url().includes(`?size=${width}#`)),
          'the frame',
        )
        await at('guide-card').waitFor()
        await until(() => at('guide-act').isEnabled(), 'the step')
        const [inside] = visitor.page.frames().filter((one) => one.url().startsWith(server.address))
        const places = await inside.evaluate(() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect()
          return {
            scrolled: scrollY,
            picture: box('.picture > .box').top,
            curve: box('[data-testid=chart-return_mean]').bottom,
            right: box('.world').right,
            card: box('.guide').left,
          }
        })
        const text = JSON.stringify(places)
        assert.ok(places.scrolled === 0 && places.picture > 0 && places.curve <= height, text)
        assert.ok(places.right <= places.card, text)
      }
      assert.equal(await visitor.page.evaluate(() => scrollY), 0)
      assert.deepEqual(visitor.wrong, [])
    },
  )

  test('is the only page that other sites may frame', '#/cartpole', {}, async (visitor, server) => {
    await until(() => visitor.wrong.some((text) => /frame-ancestors/.test(text)), 'the refusal')
    const inside = visitor.page.frames().filter((one) => one.url().startsWith(server.address))
    assert.deepEqual(inside, [])
  })

  test('names what an address needs', 'embed/', {}, async (visitor) => {
    const { at } = framed(visitor)
    assert.match(await at('error').textContent(), /names an exhibit/)
  })
})
