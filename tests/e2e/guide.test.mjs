// Guided paths, walked to their ends by their buttons.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { guided } from '../fixtures/guided.mjs'
import { inWindow, number, steps, trains, until } from './exhibit.mjs'

/**
 * Returns faults of the ring around the block that a step explains: texts that the ring cuts, and a ring that is covered by the
 * card or outside of the window; runs in the page. A block that is higher than the window shows its top only.
 */
function ringFaults() {
  const boxOf = (id) => document.querySelector(`[data-testid=${id}]`)?.getBoundingClientRect()
  const [ring, card] = [boxOf('guide-ring'), boxOf('guide-card')]
  // Some blocks appear with the results of the experiment.
  if (!document.querySelector('[data-guided]')) return []
  if (!ring || !card) return ['no ring']
  const faults = []
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

/** Waits until the block that the step explains has a visible ring that cuts no text. */
async function seesRing({ page }) {
  let faults = []
  const none = async () => (faults = await page.evaluate(ringFaults)).length === 0
  await until(none, 'the ring').catch(() => assert.deepEqual(faults, []))
}

/** Trains the run until the requirement of the step is met, and performs the experiment. */
async function trainAndPerform({ at }) {
  await until(() => at('guide-act').isEnabled(), 'the experiment')
  await at('guide-act').click()
  await at('guide-act').getByText('Train').waitFor({ state: 'detached' })
  await at('guide-act').click()
  await at('guide-result').waitFor()
}

/** Walks the guide of the open exhibit from its first step: performs each experiment, and opens the next step. */
async function walk(visitor) {
  const { at, page } = visitor
  await at('guide').click()
  const shown = () => number({ at }, 'guide-card', 'step')
  for (let step = 1; ; step++) {
    await until(async () => (await shown()) === step, `step ${step}`)
    assert.match(page.url(), new RegExp(`guide=${step}\\b`))
    const heading = at('guide-card').getByRole('heading')
    await until(() => heading.evaluate((h) => h === document.activeElement), 'the focus on the heading')
    const act = at('guide-act')
    await until(() => act.isEnabled(), 'the experiment')
    await seesRing(visitor)
    await act.click()
    if ((await at('guide-next').count()) === 0) break
    await at('guide-next').click()
  }
}

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

describe('a guide', () => {
  for (const [size, viewport] of Object.entries(sizes))
    inWindow(
      `marks the block with its label at ${size} size, and leaves the picture visible`,
      '#/cartpole?guide=2',
      { viewport },
      async (visitor) => {
        const { at, page } = visitor
        await until(() => at('guide-act').isEnabled(), 'the experiment')
        await at('guide-ring').waitFor()
        await seesRing(visitor)
        assert.equal(await at('timeline').count(), 0)
        const card = await at('guide-card').boundingBox()
        assert.ok(card.height < 0.4 * viewport.height, `${card.height} pixels`)
        const picture = await at('living-view').boundingBox()
        if (size === 'desktop') {
          assert.ok(picture.y >= 0 && picture.y + picture.height <= viewport.height, 'the whole picture')
          assert.ok(picture.x + picture.width <= card.x, 'beside the card')
        }
        await page.keyboard.press('Escape')
        await at('timeline').waitFor()
      },
    )

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
      assert.match(await at('guide-result').textContent(), /fallen after [\d.]+ s on average/)
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
    'that a link opens shows the untrained start, also of a trained run, and results after the button was clicked',
    '#/cartpole?seed=7',
    {},
    async (visitor) => {
      const { at, page } = visitor
      const act = at('guide-act')
      await at('ending').waitFor()
      await page.evaluate(() => (location.hash = '#/cartpole?seed=7&guide=1'))
      await at('guide-card').waitFor()
      await until(() => act.isEnabled(), 'the experiment')
      await page.waitForTimeout(1000)
      assert.equal(await steps(visitor), 0)
      await at('play').waitFor()
      await at('guide-next').click()
      await at('guide-guess-1').click()
      await act.click()
      await at('guide-result').waitFor()
      // Training pauses once the mean return has doubled.
      await at('play').waitFor()
      assert.match(await at('guide-verdict').textContent(), /^\s*(Right: “|Not quite\. You guessed “)/)
      await at('play').click()
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
      assert.match(await at('guide-result').textContent(), /Answer: “(Yes|For a while|No)”\.\s*A pole of 3 m/)
    },
  )

  inWindow('of the untrained language model generates text', '#/language?guide=1', {}, async ({ at }) => {
    await until(() => at('guide-act').isEnabled(), 'the experiment')
    await at('guide-act').click()
    await at('guide-result').waitFor()
  })

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
    `#/language?${quick}&guide=4`,
    {},
    async (visitor) => {
      const { at, page } = visitor
      const temperatures = () => at('text-temperature').allTextContents()
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        await page.evaluate((hash) => (location.hash = hash), `#/language?${quick}&guide=4`)
        await until(async () => (await number(visitor, 'guide-card', 'step')) === 4, 'step 4')
        const act = at('guide-act')
        const isReady = async () => (await act.isEnabled()) && /Generate/.test(await act.textContent())
        await until(isReady, 'the experiment')
        await act.click()
        await at('guide-result').waitFor()
        await at('guide-next').click()
        await until(async () => (await number(visitor, 'guide-card', 'step')) === 5, 'step 5')
        await until(() => at('guide-act').isEnabled(), 'the experiment')
        await at('guide-act').click()
        await at('guide-result').waitFor()
        assert.equal(Number(await at('temperature').inputValue()), 0.9)
        assert.deepEqual(await temperatures(), ['Temperature 0.1', 'Temperature 1.8'])
        const ids = ['kept-text', 'playground', ...(size === 'desktop' ? ['temperature'] : [])]
        for (const id of ids)
          await until(async () => {
            const box = await at(id).boundingBox()
            const card = await at('guide-card').boundingBox()
            // Docked below the exhibit, or beside it in a wide window.
            const end = box.x + box.width <= card.x ? viewport.height : card.y
            // Several lines of a text.
            return box.y >= 0 && box.y + Math.min(box.height, 60) <= end
          }, `${id} in view at ${size} size`)
        // A repetition replaces the newest text only.
        const before = await number(visitor, 'playground', 'writing')
        await at('guide-act').click()
        await until(async () => (await number(visitor, 'playground', 'writing')) > before, 'another text')
        assert.deepEqual(await temperatures(), ['Temperature 0.1', 'Temperature 1.8'])
        await page.keyboard.press('Escape')
        await until(
          async () => Number(await at('temperature').inputValue()) === 0.35,
          'the default temperature',
        )
        assert.equal(await at('kept-text').count(), 0)
      }
    },
  )

  for (const [size, viewport] of Object.entries(sizes))
    inWindow(
      `of the 2×2×2 cube shows the cube that the network solves at ${size} size`,
      '#/cube2?guide=5',
      { viewport },
      async (visitor) => {
        const { at } = visitor
        await trainAndPerform(visitor)
        await until(async () => {
          const [cube, card] = [await at('cube').boundingBox(), await at('guide-card').boundingBox()]
          const end = cube.x + cube.width <= card.x ? viewport.height : card.y
          return cube.y >= 0 && cube.y + cube.height <= end
        }, 'the whole cube')
      },
    )

  inWindow(
    'is beside or below the exhibit in projector mode, with its question and its outcome',
    '#/cartpole?guide=2&projector=1',
    { viewport: { width: 1280, height: 720 } },
    async ({ at, page }) => {
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      await at('guide-act').click()
      await at('guide-result').waitFor()
      const beside = await at('guide-card').boundingBox()
      assert.ok(beside.x > 800 && beside.height === 720, JSON.stringify(beside))
      await page.setViewportSize({ width: 1024, height: 768 })
      await until(async () => {
        const { x, y, height } = await at('guide-card').boundingBox()
        return x === 0 && y + height === 768 && height <= 0.42 * 768 + 1
      }, 'the card at the bottom')
      const hidden = await page
        .locator('[data-testid=guide-card] .part')
        .evaluateAll((parts) => Math.max(...parts.map((part) => part.scrollHeight - part.clientHeight)))
      assert.ok(hidden <= 1, `${hidden} pixels`)
    },
  )

  for (const { world } of guided.filter(({ world }) => world !== 'cartpole'))
    inWindow(`of ${world} is walked to its end`, `#/${world}`, {}, async (visitor) => {
      const { at } = visitor
      await at('pause').waitFor()
      await walk(visitor)
      await at('guide-done').click()
      // A guide with a summary ends after it.
      if (await at('guide-summary').count()) await at('guide-close').click()
      await at('guide-card').waitFor({ state: 'detached' })
    })
})
