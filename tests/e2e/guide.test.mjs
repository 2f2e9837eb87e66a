// Guided paths, walked to their ends by their buttons.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { guided } from '../fixtures/guided.mjs'
import { inWindow, number, steps, trains, until } from './exhibit.mjs'

/** Walks the guide of the open exhibit from its first step: performs each experiment, and opens the next step. */
async function walk({ at, page }) {
  await at('guide').click()
  const shown = () => number({ at }, 'guide-card', 'step')
  for (let step = 1; ; step++) {
    await until(async () => (await shown()) === step, `step ${step}`)
    assert.match(page.url(), new RegExp(`guide=${step}\\b`))
    const heading = at('guide-card').getByRole('heading')
    await until(() => heading.evaluate((h) => h === document.activeElement), 'the focus on the heading')
    const act = at('guide-act')
    await until(() => act.isEnabled(), 'the experiment')
    await act.click()
    if ((await at('guide-next').count()) === 0) break
    await at('guide-next').click()
  }
}

describe('a guide', () => {
  inWindow(
    'is walked to its end, survives a reload, and ends by Escape',
    '#/cartpole',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await at('pause').waitFor()
      await walk(visitor)
      await at('guide-back').click()
      const step = await number(visitor, 'guide-card', 'step')
      // The first step has an outcome that needs no training.
      await at('guide-card')
        .getByRole('link', { name: /^Step 1:/ })
        .click()
      await at('guide-act').click()
      await at('guide-result').waitFor()
      assert.match(await at('guide-result').textContent(), /fallen after \d+ steps on average/)
      await at('guide-card')
        .getByRole('link', { name: new RegExp(`^Step ${step}:`) })
        .click()
      await page.reload()
      await at('guide-card').waitFor()
      assert.equal(await number(visitor, 'guide-card', 'step'), step)
      await until(async () => (await page.locator('[data-guided]').count()) === 1, 'the highlighted element')
      await page.keyboard.press('Escape')
      await at('guide-card').waitFor({ state: 'detached' })
      assert.doesNotMatch(page.url(), /guide=/)
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-testid')), 'guide')
    },
  )

  inWindow(
    'that a link opens shows the untrained start, and results after the button was clicked',
    '#/cartpole?seed=7&guide=1',
    {},
    async (visitor) => {
      const { at, page } = visitor
      const act = at('guide-act')
      await until(() => act.isEnabled(), 'the experiment')
      await page.waitForTimeout(1000)
      assert.equal(await steps(visitor), 0)
      await at('play').waitFor()
      await at('guide-next').click()
      await act.click()
      await at('guide-result').waitFor()
      // Training continues, but the step that is opened again has no result before its button is clicked again.
      for (const step of [5, 2])
        await at('guide-card')
          .getByRole('link', { name: new RegExp(`^Step ${step}:`) })
          .click()
      // An update follows 8192 steps.
      await trains(visitor, (await steps(visitor)) + 2 * 8192)
      await page.waitForTimeout(1000)
      assert.equal(await at('guide-result').count(), 0)
      // The policy is not trained enough for the test with the long pole.
      await at('guide-card')
        .getByRole('link', { name: /^Step 6:/ })
        .click()
      await at('guide-requirement').waitFor()
      await act.click()
      await at('guide-requirement').waitFor({ state: 'detached' })
      assert.equal(await at('guide-result').count(), 0)
      await act.click()
      await at('guide-result').waitFor()
      assert.match(await at('guide-result').textContent(), /^(No|Yes): a pole of 3 m/)
    },
  )

  inWindow('of the untrained language model generates text', '#/language?guide=1', {}, async ({ at }) => {
    await until(() => at('guide-act').isEnabled(), 'the experiment')
    await at('guide-act').click()
    await at('guide-result').waitFor()
  })

  inWindow(
    'resets the temperature, and shows it with the text',
    '#/language?guide=5',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await page.setViewportSize({ width: 1280, height: 800 })
      const train = () => at('guide-act').getByText('Train')
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      await at('guide-act').click()
      await train().waitFor({ state: 'detached' })
      await at('guide-act').click()
      await at('guide-result').waitFor()
      assert.equal(Number(await at('temperature').inputValue()), 0.9)
      for (const id of ['playground', 'temperature'])
        await until(async () => {
          const { y } = await at(id).boundingBox()
          const card = await at('guide-card').boundingBox()
          return y >= 0 && y < card.y
        }, `${id} in view`)
      await page.keyboard.press('Escape')
      await until(
        async () => Number(await at('temperature').inputValue()) === 0.35,
        'the default temperature',
      )
    },
  )

  for (const { world } of guided.filter(({ world }) => world !== 'cartpole'))
    inWindow(`of ${world} is walked to its end`, `#/${world}`, {}, async (visitor) => {
      const { at } = visitor
      await at('pause').waitFor()
      await walk(visitor)
      await at('guide-done').click()
      await at('guide-card').waitFor({ state: 'detached' })
    })
})
