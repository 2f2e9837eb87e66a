// The articles “How it learns”: figures react to their controls, and the learner of a figure takes an update.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { inWindow, number, twoFrames, until } from './exhibit.mjs'

const phone = { width: 390, height: 844 }
const desktop = { width: 1440, height: 900 }

/** Returns the slider with a label. */
const slider = ({ page }, name) => page.getByRole('slider', { name, exact: true })

/** Asserts that the page is not wider than a phone. */
async function fits({ page }) {
  await page.setViewportSize(phone)
  await until(
    () => page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth),
    'the article to fit',
  )
}

/** Starts the learner of a figure and takes a single step of training. */
async function takesOneStep(visitor, figure) {
  const within = visitor.at(`learn-figure-${figure}`)
  await within.getByTestId('start-learner').click()
  await until(() => within.getByTestId('step').isEnabled(), 'the learner')
  await within.getByTestId('step').click()
  await within
    .getByTestId('step-change')
    .filter({ hasText: /^One .*: \+/ })
    .waitFor()
  assert.ok((await number({ at: (id) => within.getByTestId(id) }, 'steps')) > 0)
}

/** Runs in the page before its scripts: sums up layout shifts of the article. */
function sumShifts() {
  globalThis.shifts = 0
  new PerformanceObserver((list) => {
    for (const { value, sources } of /** @type {any[]} */ (list.getEntries()))
      if (sources.some(({ node }) => node?.parentElement?.closest('main'))) globalThis.shifts += value
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Asserts that the picture is above the text in the first screen, and that the article did not shift while it was loaded. */
async function startsWithPicture({ at, page }) {
  const picture = await at('article-picture').boundingBox()
  const text = await at('article').locator('section p').first().boundingBox()
  assert.ok(picture.height > 120 && picture.y + picture.height <= page.viewportSize().height)
  assert.ok(picture.y + picture.height <= text.y)
  const drawing = at('article-picture').locator('svg')
  assert.ok((await drawing.locator('> *').count()) > 5)
  // A font that is loaded late may break a line differently; 0.1 is the limit of a good page (Web Vitals).
  await page.evaluate(() => document.fonts.ready.then(() => {}))
  await page.evaluate(twoFrames)
  assert.ok((await page.evaluate(() => globalThis.shifts)) < 0.02)
}

/** Tests the first screen of the open article on a phone, and after a reload on a desktop. */
async function hasFirstScreens(visitor) {
  await startsWithPicture(visitor)
  await visitor.page.setViewportSize(desktop)
  await visitor.page.reload()
  await startsWithPicture(visitor)
}

describe('an article', () => {
  const options = { viewport: phone, before: sumShifts }

  inWindow(
    'on control opens from its exhibit, and its figures can be played with',
    '#/learn/control',
    options,
    async (visitor) => {
      const { at, page } = visitor
      await hasFirstScreens(visitor)
      await page.evaluate(() => void (location.hash = '#/cartpole'))
      await at('pause').click()
      await at('learn').click()
      await page.getByRole('heading', { level: 1 }).waitFor()
      await at('ratio-step').click()
      const first = await number(visitor, 'ratio')
      assert.ok(first > 1)
      while ((await number(visitor, 'ratio-gradient')) !== 0) await at('ratio-step').click()
      await slider(visitor, 'Advantage A').fill('0')
      assert.ok((await number(visitor, 'ratio-gradient')) < 0)
      const blame = await number(visitor, 'gae-plot')
      await slider(visitor, 'GAE λ').fill('0')
      assert.ok((await number(visitor, 'gae-plot')) > blame)
      await slider(visitor, 'Entropy bonus').fill('0')
      assert.equal(await number(visitor, 'explore-ppo'), 0)
      await takesOneStep(visitor, 'cartpole')
      await fits(visitor)
    },
  )

  inWindow('on games shows a search, and its learner plays', '#/learn/games', options, async (visitor) => {
    const { at, page } = visitor
    await hasFirstScreens(visitor)
    await at('puct-step').click()
    await at('puct-ten').click()
    assert.equal(await number(visitor, 'puct-simulations'), 11)
    await slider(visitor, 'Visits of the node').fill('0.5')
    assert.ok((await number(visitor, 'chance-sequence')) < (await number(visitor, 'chance-random')))
    await slider(visitor, 'Trace λ').fill('0')
    assert.equal(await number(visitor, 'trace-plot'), 0.5)
    await takesOneStep(visitor, 'connect-four')
    // A link to a section, and the list of the articles.
    await page.getByRole('link', { name: 'References', exact: true }).click()
    await until(() => page.evaluate(() => document.activeElement?.id === 'references'), 'the section')
    await fits(visitor)
    await page.getByRole('main').getByRole('link', { name: 'How it learns' }).click()
    await at('article-control').waitFor()
  })

  inWindow(
    'on language computes predictions, tokens, attention and samples',
    '#/learn/language',
    options,
    async (visitor) => {
      const { at } = visitor
      await hasFirstScreens(visitor)
      await at('prediction-step').click()
      const loss = await number(visitor, 'prediction-loss')
      await at('prediction-step').click()
      assert.ok((await number(visitor, 'prediction-loss')) < loss)
      const tokens = await number(visitor, 'tokens-own')
      await slider(visitor, 'Merges').fill('0')
      assert.ok((await number(visitor, 'tokens-own')) > tokens)
      await at('head-query-0').click()
      assert.equal(await number(visitor, 'head-output'), 1)
      const paris = await number(visitor, 'residual-token-2')
      await at('residual-4').uncheck()
      assert.ok((await number(visitor, 'residual-token-2')) < paris)
      await slider(visitor, 'Temperature').fill('0')
      await at('sampling-draw').click()
      assert.equal(await number(visitor, 'sampling-drawn'), 1)
      await takesOneStep(visitor, 'live-language')
      await at('live-generate').click()
      await until(async () => (await number(visitor, 'attention', 'size')) > 8, 'attention weights')
      await fits(visitor)
    },
  )

  inWindow(
    'on logic automata mixes, trains and chains gates',
    '#/learn/logic-ca',
    options,
    async (visitor) => {
      const { at, page } = visitor
      await hasFirstScreens(visitor)
      // The part for laymen.
      const [idea] = (await page.locator('main').innerText()).split('The idea is complete here')
      assert.doesNotMatch(idea.slice(idea.indexOf('In a stadium')), /logit|softmax|gradient/i)
      // XOR of 0.8 and 0.4.
      await at('gate-preset-2').click()
      assert.ok(Math.abs((await number(visitor, 'gate-output')) - 0.56) < 0.01)
      for (let i = 0; i < 4; i++) await at('trained-gate-steps').click()
      assert.ok((await number(visitor, 'trained-gate-share')) > 0.9)
      assert.ok((await number(visitor, 'series-signal')) < 0.6)
      await at('series-hardened').click()
      assert.equal(await number(visitor, 'series-signal'), 1)
      // NOR grows the checkerboard.
      await at('automaton-gate').selectOption('8')
      for (let i = 0; i < 31; i++) await at('automaton-step').click()
      assert.equal(await number(visitor, 'automaton-wrong'), 0)
      await takesOneStep(visitor, 'live-automaton')
      assert.match(await at('learn-figure-live-automaton').innerText(), /of 472 gates/)
      await fits(visitor)
    },
  )

  inWindow(
    'on cubes counts scrambles, spreads values and searches',
    '#/learn/cube',
    options,
    async (visitor) => {
      const { at } = visitor
      await hasFirstScreens(visitor)
      await at('learn-figure-last-turn').scrollIntoViewIfNeeded()
      await at('last-turn-0').waitFor()
      const distance = await number(visitor, 'last-turn-distance')
      await at('last-turn-0').click()
      assert.equal(Math.abs((await number(visitor, 'last-turn-distance')) - distance), 1)
      await at('wave-n-3').check()
      for (let i = 0; i < 2; i++) await at('wave-sweep').click()
      assert.equal(await number(visitor, 'wave-front'), 6)
      const error = await number(visitor, 'max-single')
      await slider(visitor, 'Error of the networks').fill('1')
      assert.ok((await number(visitor, 'max-single')) > error)
      await slider(visitor, 'Priority α').fill('0')
      assert.equal(await number(visitor, 'priorities-7'), 1 / 8)
      await slider(visitor, 'Error of the values').fill('0')
      await until(async () => (await number(visitor, 'beam-0')) === 1, 'greedy moves to solve all states')
      await takesOneStep(visitor, 'live-cube')
      await fits(visitor)
    },
  )
})
