// Two labs in one window: a second run trains in a frame beside the first one.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { calm, chooseMore, clipboard, inWindow, steps, trainFast, trains, until } from './exhibit.mjs'
import { visit } from './page.mjs'

/** Elements of the second exhibit by test id. */
const second = ({ page }) => {
  const frame = page.frameLocator('iframe[data-beside]')
  return { frame, at: (id) => frame.getByTestId(id) }
}

/** Waits until both runs have trained since this call. */
async function bothTrain(visitor) {
  await trains(visitor)
  await trains(second(visitor))
}

/** Number of runs that a chart draws beside its own one. */
const drawn = async ({ at }, metric = 'return_mean') =>
  Number(await at(`chart-${metric}`).getAttribute('data-runs'))

/** Last step of the x axis of a chart. */
const axisEnd = async ({ at }, metric = 'return_mean') =>
  Number((await at(`chart-${metric}`).getByRole('application').getAttribute('data-range'))?.split(' ')[1])

describe('two runs beside each other', () => {
  inWindow(
    'both train, draw each other, and are in the link; closing the second one ends its workers',
    '#/cartpole?seed=4&speed=max',
    clipboard,
    async (visitor) => {
      const { at, page } = visitor
      await at('pause').waitFor()
      // The worker of the first run and its threads have started.
      const before = page.workers().length
      assert.ok(before > 0)

      await chooseMore(visitor, 'compare')
      await at('beside-settings').selectOption('moon')
      // The panel keeps the choice while it is closed.
      await page.keyboard.press('Escape')
      await at('beside-settings').waitFor({ state: 'detached' })
      await chooseMore(visitor, 'compare')
      assert.equal(await at('beside-settings').inputValue(), 'moon')
      await at('beside-open').click()
      await bothTrain(visitor)
      await bothTrain(visitor)
      assert.match(await at('beside-sharing').textContent(), /^(By turns|At the same time)/)
      assert.ok(page.workers().length > before)
      assert.match(page.url(), /#\/cartpole\?.*seed=4.*&beside=preset:moon;seed:4$/)

      const other = second(visitor)
      assert.equal(
        await other.frame.getByRole('heading', { level: 1 }).textContent(),
        'Moon gravity, seed 4, CPU',
      )
      for (const one of [visitor, other])
        await until(
          async () => (await drawn(one)) === 1 && (await drawn(one, 'entropy')) === 1,
          'both curves',
        )
      assert.match(await at('compared-runs').textContent(), /Second run: Moon gravity, seed 4, CPU/)
      assert.match(await other.at('compared-runs').textContent(), /First run: Default, seed 4/)

      // The axes are the same when both runs are paused.
      await at('pause').click()
      await other.at('pause').click()
      await until(async () => (await axisEnd(visitor)) === (await axisEnd(other)), 'equal axes')
      await at('play').click()
      await other.at('play').click()

      // Settings of the second run are in the address of the page, and the first run continues.
      await other.at('preset').selectOption('default')
      await until(
        () => page.url().endsWith('&beside=seed:4'),
        'the settings of the second run in the address',
      )
      await bothTrain(visitor)

      // The second run is stored only if the visitor keeps it.
      const stored = async () => {
        await chooseMore(visitor, 'open')
        await page.locator('#runs[aria-busy=false]').waitFor()
        const count = await at('recent').count()
        await page.keyboard.press('Escape')
        return count
      }
      const known = await stored()
      await other.at('beside-keep').click()
      await until(async () => (await stored()) === known + 1, 'the second run in the list of runs')

      await chooseMore(visitor, 'share-menu')
      await at('share').click()
      await at('toast').filter({ hasText: 'Link copied' }).waitFor()
      const link = new URL(await page.evaluate(() => navigator.clipboard.readText()))
      assert.equal(link.hash, '#/cartpole?seed=4&beside=seed:4')

      await at('beside-close').click()
      await until(() => page.workers().length === before, 'the end of the workers of the second run')
      assert.equal(await at('beside').count(), 0)
      assert.equal(await at('chart-return_mean').getAttribute('data-runs'), '0')
      assert.doesNotMatch(page.url(), /beside/)
      assert.equal(await at('more-actions').evaluate((button) => button === document.activeElement), true)
      // The first run does not wait for a turn of the second one.
      await trains(visitor)

      await page.goBack()
      await bothTrain(visitor)
      await page.goForward()
      await until(async () => (await at('beside').count()) === 0, 'the second run to close')

      // Another window has a profile of its own.
      const guest = await visit(link.hash)
      try {
        await bothTrain(guest)
        assert.match(await guest.at('beside-first').textContent(), /Default, seed 4/)

        // Both runs stop at the same step. While they are paused, none of them passes it.
        const runs = [guest, second(guest)]
        await trainFast(runs[1])
        for (const { at } of runs) {
          await at('pause').click()
          await at('play').waitFor()
        }
        const goal = Math.max(...(await Promise.all(runs.map(steps)))) + 20_000
        await chooseMore(guest, 'compare')
        await guest.at('stop-at').fill(String(goal))
        for (const { at } of runs) await at('play').click()
        for (const { at } of runs)
          await until(async () => /^Stopped at/.test(await at('stop-state').textContent()), 'the stop')
        assert.equal(await steps(runs[1]), await steps(runs[0]))
        assert.match(guest.page.url(), /&beside=seed:4$/)
        calm(guest)
      } finally {
        await guest.window.close()
      }
    },
  )

  inWindow(
    'the same settings are opened on CPU and GPU, each run named with its engine',
    '#/cartpole?seed=4&ppo.num_envs=64&ppo.horizon=32&ppo.hidden=32',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await at('pause').click()
      await chooseMore(visitor, 'compare')
      await until(() => at('beside-second-gpu').isEnabled(), 'a GPU')
      assert.equal(await at('beside-no-gpu').count(), 0)
      assert.ok(await at('beside-second-cpu').isChecked())
      await at('beside-second-gpu').click()
      assert.equal(await at('beside-settings').inputValue(), ' same')
      await at('beside-open').click()
      assert.match(page.url(), /&beside=seed:4;engine:gpu;/)

      const other = second(visitor)
      assert.match(await at('compared-runs').textContent(), /Second run: .*seed 4, GPU/)
      assert.match(await at('beside-first').textContent(), /seed 4, CPU/)
      assert.match(await other.frame.getByRole('heading', { level: 1 }).textContent(), /seed 4, GPU/)
    },
  )

  inWindow(
    'an invalid setting of the second run is named',
    '#/cartpole?beside=preset:mars',
    {},
    async (visitor) => {
      assert.match(await second(visitor).at('error').textContent(), /preset to “mars”/)
    },
  )
})
