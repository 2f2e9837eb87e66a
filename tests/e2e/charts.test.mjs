// Learning curves: selection of a range of steps.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { inWindow, steps, trains, until } from './exhibit.mjs'

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
    },
  )
})
