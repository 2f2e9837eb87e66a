// Explanations and the glossary in Chromium.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { inWindow, pause, steps, trains, until } from './exhibit.mjs'

describe('an explanation', () => {
  inWindow(
    'opens by keyboard, touch and hover, and leads to the glossary and back',
    '#/cartpole',
    { hasTouch: true },
    async (visitor) => {
      const { at, page } = visitor
      await trains(visitor)
      await pause(visitor)
      const mark = (label) => page.getByRole('button', { name: `Explain ${label}`, exact: true })
      const shown = page.locator(':popover-open')
      const closed = () => until(async () => (await shown.count()) === 0, 'the explanation to close')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'))

      // Keyboard: Enter opens, Tab reaches the links, Escape closes and returns.
      await mark('Entropy').focus()
      await page.keyboard.press('Enter')
      await shown.getByText('as the policy becomes deterministic').waitFor()
      await shown.getByText('p(x): probability').waitFor()
      await page.keyboard.press('Tab')
      assert.equal(await focused(), 'help-term')
      await page.keyboard.press('Escape')
      await closed()
      assert.equal(await focused(), 'help')

      // Touch: a tap opens, a tap elsewhere closes.
      await mark('Gravity').first().tap()
      await shown.getByText('1.6 on the Moon').waitFor()
      assert.match(
        await shown.textContent(),
        /Allowed: a number from 0 to 30\sm\/s²\. Default: 9\.8\sm\/s²\./,
      )
      await page.getByRole('heading', { level: 1 }).tap()
      await closed()

      // Hover: opens after a delay, closes when the mouse leaves, stays after a click.
      await mark('Steps/s').hover()
      await shown.getByText('steps per second').waitFor()
      await page.mouse.move(0, 0)
      await closed()
      await mark('Steps/s').hover()
      await shown.waitFor()
      await mark('Steps/s').click()
      await page.mouse.move(0, 0)
      await page.getByRole('heading', { level: 1 }).hover()
      assert.equal(await shown.count(), 1)
      await page.keyboard.press('Escape')
      await closed()

      // The glossary opens at the term; the way back continues the run.
      const before = await steps(visitor)
      await mark('Approximate KL').click()
      await at('help-term').click()
      await until(async () => (await focused()) === 'term-kl-divergence', 'the term')
      assert.match(await at('term-kl-divergence').textContent(), /D\(p ‖ q\) = Σ/)
      await at('glossary-search').fill('borne off')
      await at('term-kl-divergence').waitFor({ state: 'detached' })
      await at('term-gammon').waitFor()
      await at('glossary-back').click()
      await at('play').waitFor()
      assert.equal(await steps(visitor), before)
    },
  )
})

/** Returns the names of the explanations whose marks are visible in the window; runs in the page. */
const visibleMarks = () =>
  [...document.querySelectorAll('main .mark')]
    .filter((mark) => {
      const { top, bottom } = mark.getBoundingClientRect()
      return getComputedStyle(mark).opacity !== '0' && top < innerHeight && bottom > 0
    })
    .map((mark) => mark.parentElement.getAttribute('aria-label'))

describe('the marks of explanations', () => {
  inWindow(
    'of headings are always visible, others appear with the mouse or the focus',
    '#/cartpole',
    { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
    async ({ at, page }) => {
      await at('steps').waitFor()
      await page.mouse.move(0, 0)
      const ofHeadings = ['Explain Environment parameters']
      const shows = async (expected) => {
        const label = 'Explain Gravity'
        await until(async () => (await page.evaluate(visibleMarks)).includes(label) === expected, label)
      }
      assert.deepEqual(await page.evaluate(visibleMarks), ofHeadings)
      await page.getByRole('slider', { name: 'Gravity' }).hover()
      await shows(true)
      await page.mouse.move(0, 0)
      await shows(false)
      assert.deepEqual(await page.evaluate(visibleMarks), ofHeadings)
      await page.getByRole('button', { name: 'Explain Gravity', exact: true }).focus()
      await shows(true)
    },
  )

  inWindow(
    'are visible on a touch screen',
    '#/cartpole',
    { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: 'reduce' },
    async ({ at, page }) => {
      await at('steps').waitFor()
      await page.getByRole('slider', { name: 'Gravity' }).scrollIntoViewIfNeeded()
      assert.ok((await page.evaluate(visibleMarks)).length > 1)
    },
  )
})
