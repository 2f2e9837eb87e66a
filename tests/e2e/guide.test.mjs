// Guided paths, walked to their ends by their buttons.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { guided } from '../fixtures/guided.mjs'
import { inWindow, number, settled, sharedWindow, steps, trains, until } from './exhibit.mjs'
import { smallModel } from './language.mjs'
import { visit } from './page.mjs'

/** Window sizes at which each step is checked: the card is beside the exhibit, and below it. */
const sizes = [
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
]

/** Returns whether the card of the guide covers nothing of an element in the window, or of its first lines; runs in the page. */
function isUncovered(id) {
  const boxOf = (id) => document.querySelector(`[data-testid=${id}]`).getBoundingClientRect()
  const [box, card] = [boxOf(id), boxOf('guide-card')]
  const lines = Math.min(box.height, id === 'cube' ? box.height : 60)
  const end = box.right <= card.left ? innerHeight : card.top
  return box.top >= 0 && box.top + lines <= end
}

/**
 * Returns faults of the layout of a step: a heading or buttons outside of the window; texts that the ring around the explained
 * block cuts; a ring that is covered by the card or outside of the window. Runs in the page. A block that is higher than the window
 * shows its top only.
 */
function layoutFaults() {
  const boxOf = (id) => document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect()
  const [ring, card] = [boxOf('guide-ring'), boxOf('guide-card')]
  if (!card) return ['no card']
  const faults = []
  for (const part of document.querySelectorAll('[data-testid=guide-card] :is(h2, .steps button)')) {
    const { top, bottom } = part.getBoundingClientRect()
    if (top < card.top || bottom > Math.min(card.bottom, innerHeight))
      faults.push(`“${part.textContent.trim()}” is outside of the card`)
  }
  // Some blocks appear with the results of the experiment.
  if (!document.querySelector('[data-guided]')) return faults
  if (!ring) return [...faults, 'no ring']
  /** Returns the left and right end of the part of a line that no scrolling parent hides. */
  const visibleEnds = (parent, { left, right }) => {
    for (let at = parent; at; at = at.parentElement) {
      if (getComputedStyle(at).overflowX === 'visible') continue
      const box = at.getBoundingClientRect()
      ;[left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
    }
    return [left, right]
  }
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    const { currentNode: node } = texts
    const { parentElement: parent } = node
    if (!parent.checkVisibility() || parent.closest('.unseen, [popover], option')) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    for (const line of range.getClientRects()) {
      // The boxes of lines are higher than their letters.
      const [top, bottom] = [line.top + 3, line.bottom - 3]
      const [left, right] = visibleEnds(parent, line)
      const apart =
        right - left < 2 ||
        right <= ring.left ||
        left >= ring.right ||
        bottom <= ring.top ||
        top >= ring.bottom
      const inside = left >= ring.left && right <= ring.right && top >= ring.top && bottom <= ring.bottom
      if (!apart && !inside) faults.push(`the ring cuts “${node.textContent.trim()}”`)
    }
  }
  const beside = ring.right <= card.left || ring.left >= card.right
  const end = beside ? innerHeight : card.top
  if (ring.left < 0 || ring.right > innerWidth || ring.top < 0)
    faults.push('the ring is outside of the window')
  if (ring.bottom > end && ring.top > 13) faults.push('the ring is covered')
  return faults
}

/** Waits until the block that the step explains has a visible ring that cuts no text, at each of the window sizes. */
async function checkLayout({ page }, tested = sizes) {
  for (const viewport of tested) {
    await page.setViewportSize(viewport)
    let faults = []
    const none = async () => (faults = await page.evaluate(layoutFaults)).length === 0
    await until(none, 'the layout').catch(() => assert.deepEqual(faults, [], `${viewport.width}`))
  }
}

/** Trains the run until the requirement of the step is met, and performs the experiment. */
async function trainAndPerform({ at }) {
  await until(() => at('guide-act').isEnabled(), 'the experiment')
  await at('guide-act').click()
  await at('guide-act').getByText('Train').waitFor({ state: 'detached' })
  await at('guide-act').click()
  await at('guide-result').waitFor()
}

/**
 * Walks the guide of the open exhibit from its first step: performs each experiment, and opens the next step. `alternates`: checks
 * each step at one window size instead of both.
 */
async function walk(visitor, alternates = false) {
  const { at, page } = visitor
  await at('guide').click()
  const shown = () => number({ at }, 'guide-card', 'step')
  for (let step = 1; ; step++) {
    await until(async () => (await shown()) === step, `step ${step}`)
    assert.match(page.url(), new RegExp(`guide=${step}\\b`))
    const heading = at('guide-card').getByRole('heading')
    await until(() => heading.evaluate((h) => h === document.activeElement), 'the focus on the heading')
    // The text of the step before was scrolled.
    const text = page.locator('[data-testid=guide-card] > .text')
    assert.equal(await text.evaluate(({ scrollTop }) => scrollTop), 0)
    const act = at('guide-act')
    await until(() => act.isEnabled(), 'the experiment')
    await checkLayout(visitor, alternates ? [sizes[step % 2]] : sizes)
    await act.click()
    if ((await at('guide-next').count()) === 0) break
    await text.evaluate((text) => text.scrollTo(0, text.scrollHeight))
    await at('guide-next').click()
  }
}

describe('a guide', () => {
  const test = sharedWindow(() => visit('#/cartpole'))
  test('is walked to its end, survives a reload, ends by its button, and leads to the next guide', async (visitor) => {
    const { at, page } = visitor
    await at('pause').waitFor()
    await walk(visitor)
    await at('guide-back').click()
    const step = await number(visitor, 'guide-card', 'step')
    // The first step has an outcome that needs no training.
    await at('guide-card')
      .getByRole('link', { name: /^Step 1:/ })
      .click()
    await at('guide-guess-0').check({ force: true })
    await at('guide-act').click()
    await at('guide-result').waitFor()
    assert.match(
      await at('guide-result').textContent(),
      /poles in the picture fell after [\d.]+\ss on average/,
    )
    await at('guide-card')
      .getByRole('link', { name: new RegExp(`^Step ${step}:`) })
      .click()
    // The guess is kept, also after training. On a phone, this step has no controls of its own besides the card.
    await page.setViewportSize(sizes[0])
    await at('play').click()
    await trains(visitor)
    await at('guide-card')
      .getByRole('link', { name: /^Step 1:/ })
      .click()
    assert.ok(await at('guide-guess-0').isChecked())
    await at('guide-card')
      .getByRole('link', { name: new RegExp(`^Step ${step}:`) })
      .click()
    await page.reload()
    await at('guide-card').waitFor()
    assert.equal(await number(visitor, 'guide-card', 'step'), step)
    await until(async () => (await page.locator('[data-guided]').count()) === 1, 'the highlighted element')
    // Escape closes an explanation, not the guide.
    await page.keyboard.press('Escape')
    await at('guide-end').click()
    await at('guide-card').waitFor({ state: 'detached' })
    assert.doesNotMatch(page.url(), /guide=/)
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('data-testid')), 'guide')

    // The next exhibit does not get the settings of the last step.
    await page.evaluate(() => void (location.hash = '#/cartpole?guide=8'))
    await until(() => at('guide-act').isEnabled(), 'the experiment')
    await at('guide-act').click()
    await until(async () => (await at('preset').inputValue()) === 'short-sighted', 'the preset')
    await trains(visitor, 0)
    await at('guide-done').click()
    // The further experiment is a step of the card, from which the visitor returns to the summary.
    // The run of the last step stays until its button is clicked.
    await settled(visitor)
    const trained = await steps(visitor)
    await at('guide-experiment').click()
    await until(() => at('guide-act').isEnabled(), 'the further experiment')
    await settled(visitor)
    assert.deepEqual([await steps(visitor), await at('preset').inputValue()], [trained, 'short-sighted'])
    assert.match(await at('guide-card').textContent(), /one more experiment\s+Train on the moon/)
    await at('guide-guess-1').check({ force: true })
    await at('guide-act').click()
    await until(async () => (await at('preset').inputValue()) === 'moon', 'the preset of the moon')
    await at('guide-result').waitFor()
    assert.match(await at('guide-result').textContent(), /Solved on the moon after/)
    await at('guide-back').click()
    // The score outlives a reload and the links to steps.
    const score = await at('guide-score').textContent()
    assert.match(score, /Your guesses: \d of [1-9] right/)
    // The run of the experiment stays, too.
    assert.equal(await at('preset').inputValue(), 'moon')
    await page.reload()
    await at('guide-done').click()
    assert.equal(await at('guide-score').textContent(), score)
    await at('guide-following').click()
    await page.locator('nav a[href^="#/connect-four"][aria-current]').waitFor({ state: 'attached' })
    await until(() => at('guide-act').isEnabled(), 'the experiment of the next guide')
    assert.equal(await at('error').count(), 0)
  })

  inWindow(
    'that a link opens shows the untrained start, also of a trained run, and results after the button was clicked',
    '#/cartpole?seed=7&speed=max',
    {},
    async (visitor) => {
      const { at, page } = visitor
      const act = at('guide-act')
      await at('ending').waitFor()
      // Until the run of the link is open, the button cannot act on the run before it.
      const stepsWhenEnabled = await page.evaluate(async () => {
        const [button, counter] = ['guide-act', 'steps'].map((id) => `[data-testid=${id}]`)
        location.hash = '#/cartpole?seed=7&guide=1'
        while (!document.querySelector(button)?.matches(':enabled'))
          await new Promise((next) => setTimeout(next))
        return Number(document.querySelector(counter).getAttribute('data-value'))
      })
      assert.equal(stepsWhenEnabled, 0)
      await at('play').waitFor()
      await at('guide-next').click()
      // The experiment of the first step was not performed.
      assert.match(await at('guide-skipped').textContent(), /You skipped step 1\. Usually a pole falls/)
      assert.equal(await at('guide-result').count(), 0)
      await at('guide-guess-1').click()
      const place = await act.boundingBox()
      await act.click()
      await at('guide-result').waitFor()
      // The button stays under the pointer.
      assert.equal((await act.boundingBox()).y, place.y)
      // Training pauses once the mean return is one second, and the answer follows.
      await at('guide-verdict')
        .getByText(/^\s*(Right: “|Not quite\. Answer: “)/)
        .waitFor()
      await at('play').click()
      // Training continues, but the step that is opened again has no new result before its button is clicked again.
      for (const step of [5, 2])
        await at('guide-card')
          .getByRole('link', { name: new RegExp(`^Step ${step}:`) })
          .click()
      // An update follows 8192 steps.
      await trains(visitor, (await steps(visitor)) + 2 * 8192)
      // The page has received and shown the reports of these updates.
      await settled(visitor)
      assert.equal(await at('guide-result').count(), 0)
      assert.match(await at('guide-earlier').textContent(), /earlier result.*After [\d.]+\sk steps/s)
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
      assert.match(
        await at('guide-result').textContent(),
        /Answer: “(Under 1|1 to 5|Over 5)\ss”\.\s*With a pole of 3\sm/,
      )
      // The summary counts the guess, and keeps the run of the last step.
      await page.evaluate(() => void (location.hash = '#/cartpole?seed=7&guide=8'))
      await until(async () => (await number(visitor, 'guide-card', 'step')) === 8, 'step 8')
      await until(() => act.isEnabled(), 'the last experiment')
      await act.click()
      await until(async () => (await at('preset').inputValue()) === 'short-sighted', 'the preset')
      await trains(visitor, 0)
      await at('guide-done').click()
      // Steps 2 and 6 have results; the sentences of the skipped steps are not what the visitor has seen.
      assert.match(await at('guide-unseen').textContent(), /policy map/)
      assert.equal(await at('guide-seen').count(), 0)
      assert.match(await at('guide-score').textContent(), /of 1 right/)
      await at('guide-close').click()
      await at('guide-card').waitFor({ state: 'detached' })
      await settled(visitor)
      assert.equal(await at('preset').inputValue(), 'short-sighted')
      assert.ok((await steps(visitor)) > 0)
    },
  )

  inWindow(
    'that the home page continues after a reload has its run, paused, and its guess and result',
    '#/cartpole?guide=2',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      // A link to a later step does not train.
      await settled(visitor)
      assert.equal(await steps(visitor), 0)
      await at('guide-guess-1').check({ force: true })
      await at('guide-act').click()
      const verdict = at('guide-verdict').getByText(/^\s*(Right|Not quite)/)
      await verdict.waitFor()
      const [trained, result] = [await steps(visitor), await at('guide-result').textContent()]
      await page.evaluate(() => void (location.hash = '#/'))
      await at('continue-guide').waitFor()
      await page.reload()
      // The demonstration of the home page trains.
      await trains(visitor, 0)
      await at('continue-guide').click()
      await until(() => at('guide-act').isEnabled(), 'the step')
      await at('play').waitFor()
      await settled(visitor)
      // The run is stored at the end of an update, which follows 8192 steps, and does not train.
      const restored = await steps(visitor)
      assert.ok(restored > 0 && trained - restored <= 8192, `${restored} of ${trained} steps`)
      await settled(visitor)
      assert.equal(await steps(visitor), restored)
      assert.equal(await at('hold-speed').count(), 0)
      assert.ok(await at('guide-guess-1').isChecked())
      const sentence = /After [\d.]+\sk steps the mean return was [\d.]+/.exec(result)[0]
      assert.ok((await at('guide-earlier').textContent()).includes(sentence))
    },
  )

  inWindow(
    'of the language model generates text with an untrained model, also after training',
    `#/language?${smallModel}&speed=max`,
    {},
    async (visitor) => {
      const { at } = visitor
      await trains(visitor, 40_000)
      await at('guide').click()
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      await at('guide-act').click()
      await at('guide-result').waitFor()
      assert.ok((await number(visitor, 'status', 'tokens')) < 20_000)
      assert.match(await at('guide-result').textContent(), /untrained model are nearly equal\./)
    },
  )

  // Within seconds, this model predicts better than counting pairs of tokens, which the step requires.
  const quick = [
    'learner.vocabulary=300',
    'learner.context=32',
    'learner.layers=1',
    'learner.heads=2',
    'learner.width=64',
    'learner.learning_rate=0.006',
    'learner.warm_up=20',
    'evaluation.every=50',
    'evaluation.questions=8',
    'speed=max',
  ].join('&')
  inWindow(
    'shows texts at two temperatures beside each other, and resets the temperature',
    `#/language?${quick}&guide=1`,
    // The link has the speed.
    { opening: true },
    async (visitor) => {
      const { at, page } = visitor
      const temperatures = () => at('text-temperature').allTextContents()
      // A step shows the learning curve, which the first step has hidden before it was drawn.
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      await at('guide-next').click()
      await at('curve').waitFor()
      for (const viewport of sizes) {
        await page.setViewportSize(viewport)
        await page.evaluate((hash) => (location.hash = hash), `#/language?${quick}&guide=6`)
        await until(async () => (await number(visitor, 'guide-card', 'step')) === 6, 'step 6')
        const act = at('guide-act')
        const isReady = async () => {
          if (!(await act.isEnabled())) return false
          const label = await act.textContent()
          // A model at the limit of the requirement can write few words again.
          if (/^\s*Load/.test(label)) await act.click()
          return /Generate/.test(label)
        }
        await until(isReady, 'the experiment')
        await act.click()
        await at('guide-result').waitFor()
        assert.equal(Number(await at('temperature').inputValue()), 0.9)
        assert.deepEqual(await temperatures(), ['Temperature 0.1', 'Temperature 1.8'])
        for (const id of ['kept-text', 'playground'])
          await until(() => page.evaluate(isUncovered, id), `${id} in view at ${viewport.width}`)
        // A repetition replaces the newest text only.
        const before = await number(visitor, 'playground', 'writing')
        await act.click()
        await until(async () => (await number(visitor, 'playground', 'writing')) > before, 'another text')
        assert.deepEqual(await temperatures(), ['Temperature 0.1', 'Temperature 1.8'])
        await at('guide-end').click()
        await until(
          async () => Number(await at('temperature').inputValue()) === 0.35,
          'the default temperature',
        )
        assert.equal(await at('kept-text').count(), 0)
      }
    },
  )

  inWindow(
    'on a phone shows the picture and the explained number before and while the experiment runs',
    '#/cartpole?guide=2',
    { viewport: sizes[1] },
    async ({ at, page }) => {
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      const areUncovered = () =>
        page.evaluate(() => {
          const boxOf = (selector) => document.querySelector(selector)?.getBoundingClientRect()
          const [picture, block, card] = ['.world .stage > .box', '[data-guided]', '.guide'].map(boxOf)
          return Math.min(picture.top, block.top) >= 0 && Math.max(picture.bottom, block.bottom) <= card.top
        })
      await until(areUncovered, 'the whole picture and the number above the card')
      await at('guide-act').click()
      await at('guide-running').waitFor()
      const areInView = () =>
        page.evaluate(() => {
          const boxOf = (selector) => document.querySelector(selector)?.getBoundingClientRect()
          const [picture, block, card] = ['.world .stage', '[data-guided]', '.guide'].map(boxOf)
          return picture.top >= 0 && block.bottom <= card.top
        })
      await until(areInView, 'the picture and the number above the card')
    },
  )

  inWindow(
    'on a phone names touch and shows the whole picture once the visitor is asked to push the pole',
    '#/cartpole?guide=4&speed=max',
    { viewport: sizes[1] },
    async ({ at, page }) => {
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      await at('guide-act').click()
      await at('guide-result').waitFor()
      assert.match(await at('guide-result').textContent(), /push the large pole with a finger\./)
      const isInView = () =>
        page.evaluate(() => {
          const boxOf = (selector) => document.querySelector(selector).getBoundingClientRect()
          const [picture, card] = ['[data-testid=living-view]', '.guide'].map(boxOf)
          return picture.top >= 0 && picture.bottom <= card.top
        })
      await until(isInView, 'the picture above the card')
    },
  )

  inWindow(
    'of the 2×2×2 cube counts only the turns of the visitor',
    '#/cube2?guide=3',
    {},
    async ({ at }) => {
      const [act, distance] = [at('guide-act'), at('distance')]
      const made = async () => (await at('turns-made').textContent()).trim()
      const isReady = async () => {
        const isShown = await distance.isVisible()
        const label = await act.textContent()
        // The pretrained network was not loaded yet when the step was opened.
        if (isShown && /Set up/.test(label) && (await act.isEnabled())) await act.click()
        return isShown && /Make the turn/.test(label) && (await distance.textContent()) === '4'
      }
      await until(isReady, 'the cube of the step')
      assert.equal(await made(), '0')
      await act.click()
      await at('guide-result').waitFor()
      assert.equal(await made(), '1')
    },
  )

  inWindow(
    'of the 2×2×2 cube shows the cube that the network solves',
    '#/cube2?guide=6',
    {},
    async (visitor) => {
      await trainAndPerform(visitor)
      for (const viewport of sizes) {
        await visitor.page.setViewportSize(viewport)
        await until(() => visitor.page.evaluate(isUncovered, 'cube'), `the whole cube at ${viewport.width}`)
      }
    },
  )

  // The guides of classic control have the same parts, so that each step is checked at one size.
  for (const { family, world } of guided.filter(({ world }) => world !== 'cartpole'))
    test(`of ${world} is walked to its end`, async (visitor) => {
      const { at, page } = visitor
      await page.setViewportSize(sizes[0])
      await page.evaluate((hash) => void (location.hash = hash), `#/${world}?seed=2`)
      await page.locator(`nav a[href^="#/${world}"][aria-current]`).waitFor()
      await at('pause').waitFor()
      await trains(visitor, 0)
      await walk(visitor, family === 'control')
      await at('guide-done').click()
      // A guide with a summary ends after it.
      if (await at('guide-summary').count()) await at('guide-close').click()
      await at('guide-card').waitFor({ state: 'detached' })
      if (world !== 'pendulum') return
      await at('chart-entropy').waitFor({ state: 'detached' })
      await at('show-curves').click()
      await at('chart-entropy').waitFor()
    })
})
