// What the page does where there is no GPU for it.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { calm, patience, trains, until } from './exhibit.mjs'
import { closeHosts, quit, visit } from './page.mjs'

after(async () => {
  await quit()
  await closeHosts()
})

/** One window for one test. */
function test(name, where, options, body) {
  it(name, { timeout: 3 * patience }, async () => {
    const visitor = await visit(where, options)
    try {
      await body(visitor)
    } finally {
      await visitor.window.close()
    }
  })
}

/** Waits until it trains on this engine, as the link asked for. */
async function on(visitor, engine) {
  const choice = visitor.at(`engine-${engine}`)
  await until(
    async () => (await choice.isEnabled()) && (await choice.isChecked()),
    `training on the ${engine}`,
  )
  await trains(visitor)
}

describe('without a GPU', () => {
  const hidden = () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined })

  test('the page says so and the CPU trains', '#/cartpole', { before: hidden }, async (visitor) => {
    await trains(visitor)
    await visitor.at('engine').click()
    const said = () => visitor.at('gpu-status').textContent()
    await until(async () => /has no WebGPU/.test(await said()), 'the page to say so')
    assert.match(await said(), /The CPU does all the work/)
    assert.ok(await visitor.at('engine-gpu').isDisabled())
    calm(visitor)
  })

  test(
    'a link that asks for one says so and the CPU trains',
    '#/cartpole?engine=gpu',
    { before: hidden },
    async (visitor) => {
      await visitor.at('error').waitFor({ timeout: patience })
      assert.match(await visitor.at('error').textContent(), /no GPU.*has no WebGPU.*CPU/is)
      await on(visitor, 'cpu')
      calm(visitor)
    },
  )

  const none = () => {
    const refuse = () => Promise.resolve(null)
    Object.defineProperty(GPU.prototype, 'requestAdapter', { value: refuse })
  }
  test('or without an adapter, it says that', '#/pendulum', { before: none }, async (visitor) => {
    await trains(visitor)
    await visitor.at('engine').click()
    const said = () => visitor.at('gpu-status').textContent()
    await until(async () => /offers no adapter/.test(await said()), 'the page to say so')
    calm(visitor)
  })
})
