// The simple view of the exhibits, which hides expert controls until the visitor presses “All controls”.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { sharedWindow, until } from './exhibit.mjs'
import { visit } from './page.mjs'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

const head = ['learn', 'guide', 'all-controls', 'more-actions']
const training = ['play', 'pause', 'start-over', 'speed']
/** Controls of the end of a run, and the note on a rising speed limit, which need not be there. */
const passing = ['hold-speed', 'ending-close', 'watch-again', 'next-step', 'next-exhibit', 'learning-toggle']
const game = [
  'rules-open',
  ...['take-back', 'hint', 'pace', 'new-game', 'simulations-1'],
  ...['play-opened', 'play-newest', 'play-earlier'],
]
const cube = [
  'rules-open',
  ...['scramble', 'scramble-length', 'solve', 'stop-solving', 'step-back', 'step-on', 'reset-cube', 'pace'],
  ...['trained-network', 'speedcubing'],
]

/**
 * The simple view of one exhibit of each family and of each kind of picture: controls with a test id, main curve, reading, and a
 * part that only “All controls” shows.
 */
const exhibits = {
  cartpole: {
    controls: ['act', 'live-world.gravity', 'live-world.force', 'live-world.pole_half_length'],
    ...{ curve: 'chart-return_mean', reading: 'return', hidden: 'evaluate' },
  },
  'connect-four': { controls: game, curve: 'ladder', reading: 'strength', hidden: 'analysis' },
  backgammon: {
    controls: [...game, 'undo', 'dice-mode', 'roll'],
    ...{ curve: 'ladder', reading: 'strength', hidden: 'analysis' },
  },
  cube2: { controls: cube, curve: 'evaluation', reading: 'solved-share', hidden: 'moves' },
  cube3: { controls: cube, curve: 'test-accuracy', reading: 'solved-share', hidden: 'moves' },
  language: {
    controls: ['prompt', 'write', 'stop-writing', 'trained-model', 'begin', 'temperature'],
    ...{ curve: 'curve', reading: 'perplexity', hidden: 'top-k' },
  },
  'logic-ca': {
    controls: ['preset', 'large-board', 'small-board', 'show-sandbox'],
    ...{ curve: 'chart-hard_accuracy', reading: 'accuracy', hidden: 'chart-decidedness' },
  },
}

/** Runs in the page: test ids of the visible controls of the exhibit. */
function visibleControls() {
  const controls = document.querySelectorAll('main :is(button, a[href], input, select, textarea, summary)')
  const ids = [...controls]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }))
    .map((control) => /** @type {HTMLElement} */ (control.closest('[data-testid]'))?.dataset.testid ?? '')
  return [...new Set(ids)]
}

/** Runs in the page: number of the visible charts. */
const visibleCharts = () =>
  [
    ...document.querySelectorAll(
      'main :is([data-testid^=chart-], [data-testid=ladder], [data-testid=curve], [data-testid=evaluation], [data-testid=evaluations], [data-testid=test-accuracy], [data-testid=tests])',
    ),
  ].filter((chart) => chart.checkVisibility()).length

describe('the simple view', () => {
  const test = sharedWindow(() => visit('#/glossary', { newcomer: true, viewport: desktop }))
  const open = async ({ page, at }, hash) => {
    await page.setViewportSize(desktop)
    await page.evaluate((hash) => (location.hash = hash), hash)
    await at('all-controls').waitFor()
  }
  const isPressed = ({ at }) => at('all-controls').getAttribute('aria-pressed')

  for (const [name, { controls, curve, reading, hidden }] of Object.entries(exhibits))
    test(`of ${name} has few controls, one reading and one curve in the first screen`, async (visitor) => {
      const { page, at } = visitor
      await open(visitor, `#/${name}`)
      await at(reading).waitFor()
      await at(curve).waitFor()
      await at('all-controls').waitFor()
      const known = new Set([...head, ...training, ...passing, ...controls])
      const shown = await page.evaluate(visibleControls)
      // Explanations of terms and cells of a board have no test id, or one with a number.
      const extra = shown.filter(
        (id) => id !== '' && !known.has(id) && !/^(help$|example-|column-|point-)/.test(id),
      )
      assert.deepEqual(extra, [])
      assert.equal(await page.evaluate(visibleCharts), 1)
      assert.equal(await page.locator('main .big:visible').count(), 1)
      const { y, height } = await at(curve).boundingBox()
      assert.ok(y + height <= desktop.height, `the curve ends at ${y + height} px`)
      assert.equal(await at(hidden).isVisible(), false)
      assert.equal(await at('config').isVisible(), false)
      for (const size of [desktop, phone]) {
        await page.setViewportSize(size)
        const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
        await until(async () => (await wide()) <= size.width, `${name} to fit into ${size.width} px`)
      }
      await page.setViewportSize(desktop)
      // The part may need some training.
      await at('all-controls').click()
      await at(hidden).waitFor()
      await at('config').waitFor()
      await at('all-controls').click()
      await at(hidden).waitFor({ state: 'hidden' })
    })

  test('ends by “All controls” in all exhibits, also after a reload', async (visitor) => {
    const { page, at } = visitor
    await open(visitor, '#/pendulum')
    assert.equal(await isPressed(visitor), 'false')
    await at('all-controls').press('Enter')
    assert.equal(await isPressed(visitor), 'true')
    await at('map-policy').waitFor()
    await page.reload()
    await at('map-policy').waitFor()
    await open(visitor, '#/acrobot')
    await at('map-policy').waitFor()
    await at('all-controls').press('Enter')
    await at('map-policy').waitFor({ state: 'hidden' })
    await page.reload()
    await at('all-controls').waitFor()
    assert.equal(await isPressed(visitor), 'false')
  })

  test('ends in a step of a guide about a hidden part, and in a link with a hidden setting', async (visitor) => {
    const { page, at } = visitor
    await open(visitor, '#/pendulum')
    assert.equal(await at('map-policy').isVisible(), false)
    await page.evaluate(() => (location.hash = '#/cartpole?guide=6'))
    await at('guide-card').waitFor()
    await page.locator('[data-guided]').waitFor()
    assert.equal(await at('all-controls').count(), 0)
    await at('guide-end').click()
    await at('all-controls').waitFor()
    assert.equal(await isPressed(visitor), 'false')
    await open(visitor, '#/cartpole?ppo.num_envs=64')
    await until(async () => (await isPressed(visitor)) === 'true', 'all controls')
    await at('config').waitFor()
    await page.reload()
    await at('config').waitFor()
    assert.equal(await isPressed(visitor), 'true')
    // The link is no choice for other exhibits.
    await open(visitor, '#/pendulum?world.gravity=9')
    await until(async () => (await isPressed(visitor)) === 'false', 'the simple view')
    // A preset that sets what the simple view shows, and one that does not.
    await open(visitor, '#/cartpole?preset=moon')
    await at('live-world.gravity').waitFor()
    assert.equal(await isPressed(visitor), 'false')
    await open(visitor, '#/language?preset=tiny')
    await until(async () => (await isPressed(visitor)) === 'true', 'all controls')
  })

  test('shows that the cube uses the pretrained network, and offers the other one', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/cube2')
    await at('trained-network').waitFor()
    assert.equal(await at('player').isVisible(), false)
    await at('trained-network').click()
    await at('player').waitFor()
    assert.equal(await at('export-network').isVisible(), false)
  })

  test('shows a past turn and the setup of a position until they end', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/backgammon')
    await at('all-controls').click()
    await at('position-edit').click()
    await at('all-controls').click()
    assert.equal(await isPressed(visitor), 'false')
    await at('edit-cancel').click()
    await at('edit-cancel').waitFor({ state: 'detached' })
    assert.equal(await at('position-edit').isVisible(), false)
  })
})
