// Learning curves: selection of a range of steps.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { inWindow, steps, trains, until } from './exhibit.mjs'

// A small model that trains fast.
const small =
  'encyclopedia.bytes=60000&learner.vocabulary=300&learner.context=32&learner.layers=1&learner.heads=2&learner.width=32' +
  '&learner.batch=4&evaluation.every=20&evaluation.windows=4&evaluation.questions=40'

describe('the learning curves', () => {
  inWindow(
    'display a selected part of the run, and the whole run again',
    '#/cartpole',
    {},
    async (visitor) => {
      const { at, page } = visitor
      const plot = (metric) => at(`chart-${metric}`).getByRole('application')
      /** First and last displayed step of a chart. */
      const displayed = async (metric = 'return_mean') =>
        ((await plot(metric).getAttribute('data-steps')) ?? '0 0').split(' ').map(Number)
      await until(async () => (await displayed())[1] > 100_000, 'a curve')

      const { x, y, width } = await plot('return_mean').locator('.u-over').boundingBox()
      await page.mouse.move(x + 0.3 * width, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + 0.6 * width, y + 30, { steps: 4 })
      await page.mouse.up()
      await at('whole-run').first().waitFor()
      const part = await displayed()
      const end = await steps(visitor)
      assert.ok(part[0] > 0.2 * part[1] && part[1] < 0.8 * end, `displays ${part} of ${end} steps`)
      assert.deepEqual(await displayed('entropy'), part, 'all charts display the same steps')

      await trains(visitor)
      await trains(visitor)
      assert.deepEqual(await displayed(), part, 'training keeps the displayed steps')

      // By keyboard: a smaller part, then the steps after it.
      await plot('return_mean').press('+')
      await until(async () => (await displayed())[0] > part[0], 'a smaller part')
      const smaller = await displayed()
      await plot('return_mean').press('ArrowRight')
      await until(async () => (await displayed())[0] > smaller[0], 'later steps')

      await at('whole-run').first().press('Enter')
      await until(async () => (await displayed())[1] > end, 'the whole run')
      assert.equal(await at('whole-run').count(), 0)
      assert.ok(await plot('return_mean').evaluate((element) => element === document.activeElement))

      // The charts are one tab stop; the arrow keys move the focus between them.
      const stops = page
        .getByRole('main')
        .locator('[role=application][tabindex="0"][aria-label*="whole run"]')
      assert.equal(await stops.count(), 1)
      await plot('return_mean').press('ArrowDown')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
      await until(async () => (await focused()).startsWith('Policy loss'), 'the next chart')
      await page.getByText('other charts').filter({ visible: true }).waitFor()
      assert.equal(await stops.count(), 1)
      assert.match((await stops.getAttribute('aria-label')) ?? '', /^Policy loss/)
      await page.keyboard.press('ArrowUp')
      await until(async () => !(await focused()).startsWith('Policy loss'), 'the chart before')
    },
  )

  inWindow('of a language model zoom like the others', `#/language?${small}`, {}, async (visitor) => {
    const { at, page } = visitor
    const curve = page.getByRole('application', { name: 'Perplexity over training tokens' })
    /** First and last displayed step of the large curve, and of a small one. */
    const displayed = async () =>
      ((await at('curve').getAttribute('data-steps')) ?? '0 0').split(' ').map(Number)
    const ofSmall = async () =>
      (await at('chart-gradient_norm').getByRole('application').getAttribute('data-steps'))
        ?.split(' ')
        .map(Number)
    await until(async () => (await displayed())[1] > 40_000, 'a curve')
    await curve.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
    const { x, y, width } = await curve.boundingBox()
    await page.mouse.move(x + 0.5 * width, y + 60)
    await page.mouse.down()
    await page.mouse.move(x + 0.8 * width, y + 70, { steps: 4 })
    await page.mouse.up()
    await at('whole-run').first().waitFor()
    const part = await displayed()
    assert.ok(part[0] > 2000 && part[1] < (await steps(visitor)), `displays ${part}`)
    await until(async () => String(await ofSmall()) === String(part), 'the same steps in the small curves')
    await curve.press('+')
    await until(async () => (await displayed())[0] > part[0], 'a smaller part')
    await curve.press('0')
    await until(async () => (await displayed())[0] === 1000, 'the whole run')
    assert.equal(await at('whole-run').count(), 0)
  })
})
