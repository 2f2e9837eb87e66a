// The end of a run, projector mode, and the page for teachers.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { chooseMore, inWindow, number, until } from './exhibit.mjs'

describe('a solved run', () => {
  inWindow(
    'says what was learned and what to try next, in projector mode as well',
    '#/cartpole?speed=max',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await at('ending').waitFor()
      assert.match(
        await at('ending-text').textContent(),
        /^Solved after [\d,]+ environment steps, .* of 500\.$/,
      )

      // On a phone the panel is below the picture and its controls, and content at the end of the page can be reached.
      const viewport = page.viewportSize()
      await page.setViewportSize({ width: 390, height: 844 })
      const [panel, play] = [at('ending'), at('pause').or(at('play')).first()]
      await until(async () => {
        const [below, above] = [await panel.boundingBox(), await play.boundingBox()]
        return below !== null && below.y >= above.y + above.height && below.width > 300
      }, 'the panel below the picture')
      assert.equal(await at('ending').count(), 1)
      await at('ending-open').click()
      await until(async () => (await panel.boundingBox()).y < 700, 'the panel in the window')
      const settings = page.locator('details:has([data-testid=config])')
      for (const open of [true, false]) {
        await at('config').click()
        await until(async () => ((await settings.getAttribute('open')) !== null) === open, 'the settings')
      }
      await page.setViewportSize(viewport)
      assert.equal(await at('ending').count(), 1)

      // The panel is closed, survives a change of the layout as closed, and is opened from the timeline.
      await at('ending-close').click()
      await at('ending').waitFor({ state: 'detached' })
      const wide = await at('living-view').evaluate((canvas) => canvas.clientWidth)
      await page.keyboard.press('Alt+p')
      await until(async () => (await page.getByRole('banner').count()) === 0, 'the page without its header')
      assert.match(page.url(), /projector=1/)
      assert.equal(await at('ending').count(), 0)
      await until(
        async () => (await at('living-view').evaluate((canvas) => canvas.clientWidth)) !== wide,
        'the picture in its new size',
      )
      assert.equal(await at('chart-return_mean').isVisible(), true)
      assert.equal(await at('pause').isVisible(), true)
      assert.equal(await at('config').isVisible(), false)
      await page.keyboard.press('Escape')
      await page.getByRole('banner').waitFor()
      assert.doesNotMatch(page.url(), /projector/)
      await chooseMore(visitor, 'projector')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'))
      await at('projector').getByText('Leave projector mode').waitFor()
      await until(async () => (await focused()) === 'projector', 'the focus on the button')
      await page.keyboard.press('Enter')
      await until(async () => (await focused()) === 'more-actions', 'the focus on the menu')

      await at('ending-open').click()
      await at('ending').getByRole('button', { name: 'Moon gravity' }).click()
      await until(async () => (await at('preset').inputValue()) === 'moon', 'the preset')
      await until(async () => (await number(visitor, 'steps')) > 0, 'training')
      assert.equal(await at('ending').count(), 0)

      // A link opens projector mode.
      await page.keyboard.press('Alt+p')
      await until(() => /projector=1/.test(page.url()), 'the address of projector mode')
      await page.reload()
      await at('living-view').waitFor()
      assert.equal(await page.getByRole('banner').count(), 0)
    },
  )
})

describe('projector mode', () => {
  inWindow(
    'stays during all steps of a guide, also during a step that needs other parts of the exhibit',
    '#/cartpole?guide=4&projector=1',
    {},
    async ({ at, page }) => {
      // Training starts with the experiment, and the timeline appears with its first results.
      await at('guide-act').click()
      await at('guide-result').waitFor()
      await at('guide-next').click()
      await at('map-value').waitFor()
      assert.match(page.url(), /guide=5&projector=1/)
      assert.equal(await page.getByRole('banner').count(), 0)
      // The panel that the step explains, without the rest of the page, and the timeline.
      const { width } = await at('map-value').boundingBox()
      assert.ok(width > 300, `${width} pixels`)
      for (const id of ['living-view', 'config', 'more-actions', 'return'])
        assert.equal(await at(id).isVisible(), false, id)
      assert.equal(await at('timeline').isVisible(), true)
      await at('guide-back').click()
      await at('map-value').waitFor({ state: 'detached' })
      assert.match(page.url(), /guide=4&projector=1/)
    },
  )
})

describe('the page for teachers', () => {
  inWindow('opens its lessons, answers and exhibits', '#/', {}, async ({ at, page }) => {
    // The exhibit shows the solved run of the home page as it is.
    await at('solved').waitFor()
    await at('enter').click()
    await at('ending').waitFor()
    await at('play').waitFor()
    await page.goBack()
    await at('teach').first().click()
    await page.locator('h1:focus', { hasText: 'For teachers' }).waitFor()
    assert.equal(await page.locator('table').count(), 0)
    await at('plan-open-control').click()
    await at('plan-control').locator('h2:focus').waitFor()
    const question = at('plan-control').getByTestId('plan-question').first()
    await question.press('Enter')
    await at('plan-control').getByText('reward of 1 for each step').waitFor()
    await at('plan-control').getByRole('link', { name: 'Short pole' }).click()
    await until(async () => (await at('preset').inputValue()) === 'short-pole', 'the preset')
    // The students write down their expectation before training.
    await at('play').waitFor()
    assert.equal(await number({ at }, 'steps'), 0)
    await page.goBack()
    assert.match(await at('plan-results').innerText(), /123 k to 139 k steps/)
    await at('plan-open-automaton').click()
    await at('plan-control').waitFor({ state: 'detached' })
    await at('plan-automaton').getByRole('link', { name: 'Guide 3' }).click()
    await at('guide-card').waitFor()
    assert.equal(await number({ at }, 'guide-card', 'step'), 3)
    await at('guide-end').click()
    await at('guide-card').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('banner').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('banner').waitFor()
  })
})

describe('a student sheet', () => {
  inWindow(
    'is printed with the questions, without answers and navigation',
    '#/teach',
    // A service worker would request its script from the host that the test replaces.
    { serviceWorkers: 'block' },
    async ({ at, page }) => {
      await at('plan-open-control').click()
      await at('plan-control').getByTestId('plan-sheet').click()
      // Other computers cannot open the links of this host.
      await at('sheet-local').waitFor()
      assert.equal(await at('student-sheet').locator('th svg').count(), 0)
      const { href, origin } = new URL(page.url())
      const school = 'https://school.example'
      await page.route(`${school}/**`, async (route) => {
        const url = route.request().url().replace(school, origin)
        await route.fulfill({ response: await route.fetch({ url }) })
      })
      await page.goto(href.replace(origin, school))
      await at('student-sheet').waitFor()
      assert.equal(await at('sheet-local').count(), 0)
      assert.ok((await at('sheet-question').count()) >= 4)
      const text = await at('student-sheet').innerText()
      assert.match(text, /#\/cartpole\?preset=moon/)
      for (const question of await at('sheet-experiment').allTextContents()) assert.match(question, /\?$/)
      const codes = at('student-sheet').getByRole('img', { name: 'QR code' })
      assert.equal(await codes.count(), await at('student-sheet').locator('th a').count())
      assert.ok((await codes.count()) > 0)
      assert.doesNotMatch(text, /reward of 1 for each step/)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      for (const hidden of [page.getByRole('banner'), at('print-sheet'), page.getByRole('contentinfo')])
        assert.equal(await hidden.isVisible(), false)
      const ink = await at('sheet-question')
        .first()
        .evaluate((element) => getComputedStyle(element).color)
      assert.equal(ink, 'rgb(0, 0, 0)')
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
      assert.match(paper, /rgba\(0, 0, 0, 0\)|rgb\(255, 255, 255\)/)
      for (const format of ['A4', 'Letter']) {
        const pages = (await page.pdf({ format })).toString('latin1').match(/\/Type\s*\/Page\b/g)
        assert.equal(pages?.length, 2, `pages of ${format}`)
      }
    },
  )
})
