// Accessibility of every page by axe-core: WCAG 2.2 A and AA and best practices, dark at desktop width and light at phone width. With
// VIVARIUM_AXE=all, each page and popover is tested in both themes at both widths, which takes twice as long.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe } from 'node:test'
import { alike, experiments } from '../../scripts/worlds.mjs'
import { chooseMore, pause, sharedWindow, trains, until } from './exhibit.mjs'
import { smallModel } from './language.mjs'
import { visit } from './page.mjs'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice']
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
/**
 * A pass of axe-core over the page. `onlyColor`: only the rules about color, the others do not depend on the theme.
 * @typedef {{ size: typeof desktop, colorScheme: 'dark' | 'light', onlyColor?: boolean }} Pass
 */
/** Each size in one theme. @type {Pass[]} */
const passes = [
  { size: desktop, colorScheme: 'dark' },
  { size: phone, colorScheme: 'light' },
]
/** The passes, and the colors of the light theme at desktop width. @type {Pass[]} */
const withLightDesktop = [...passes, { size: desktop, colorScheme: 'light', onlyColor: true }]
/** Both themes at both widths. @type {Pass[]} */
const allPasses = [desktop, phone].flatMap((size) =>
  /** @type {const} */ (['dark', 'light']).map((colorScheme) => ({ size, colorScheme })),
)
/** Both themes of elements that only a phone has. @type {Pass[]} */
const ofPhone = [
  { size: phone, colorScheme: 'light' },
  { size: phone, colorScheme: 'dark', onlyColor: true },
]

/** A sentence of the rules of each exhibit that has rules. */
const sentences = {
  backgammon: 'You roll 3 and 1',
  'connect-four': 'four stones in a row',
  cube2: 'three faces are enough',
  cube3: 'It is at most 26',
  'frozen-lake': 'after 100 steps',
  'frozen-lake-8x8': 'after 200 steps',
}
/** The exhibits whose rules are tested by axe-core: one per component. */
const testedRules = ['backgammon', 'connect-four', 'cube2', 'frozen-lake']

const families = [...new Set(experiments.map(({ world }) => world.kind.replaceAll('_', '-')))]
const documents = [
  'learn',
  ...families.map((family) => `learn/${family}`),
  'glossary',
  'teach',
  'teach/control/sheet',
  'bench',
]

/**
 * Returns the violations of the page; runs in the page. `within` selects the elements that are tested; `null`: the whole page.
 */
async function violations({ tags, onlyColor, within }) {
  const { axe } = /** @type {any} */ (globalThis)
  // At the end of the page, elements that stick to the bottom of the window cover nothing.
  scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
  // One frame for layout, one for the start of transitions of colors.
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  const frames = [...document.querySelectorAll('iframe')].flatMap(
    ({ contentDocument }) => contentDocument ?? [],
  )
  const finite = [document, ...frames]
    .flatMap((one) => one.getAnimations())
    .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
  const late = new Promise((done) => setTimeout(done, 3000))
  await Promise.race([Promise.allSettled(finite.map(({ finished }) => finished)), late])
  const colorRules = axe.getRules(['cat.color']).filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
  const runOnly = onlyColor
    ? { type: 'rule', values: colorRules.map(({ ruleId }) => ruleId) }
    : { type: 'tag', values: tags }
  // `preload` requests all stylesheets again, for a rule that is not among these.
  const options = { runOnly, resultTypes: ['violations'], preload: false }
  const include = [...document.querySelectorAll(within ?? ':root')]
  if (include.length === 0) throw new Error(`nothing matches ${within}`)
  const results = await axe.run({ include }, options)
  // axe-core has no rule about canvases.
  const named =
    '[aria-label], [aria-labelledby], [aria-hidden="true"], [aria-hidden="true"] *, [role="img"] *'
  const canvases = [...document.querySelectorAll(`canvas:not(${named})`)].map(
    ({ outerHTML, parentElement }) => ({
      ...{ id: 'canvas', help: 'A canvas has a name or is hidden from screen readers' },
      ...{ target: parentElement.className, html: outerHTML, remedy: 'aria-hidden="true"' },
    }),
  )
  const found = results.violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, failureSummary }) => ({
      id,
      help,
      target: target.join(' '),
      html,
      remedy: failureSummary,
    })),
  )
  return [...canvases, ...found]
}

/** Menus and explanations, which float over a page. */
const popover = ':popover-open'

/** Asserts that the page, or only the elements that `within` selects, has no violations in each pass. */
async function isAccessible({ page }, what, within = null, tested = passes) {
  for (const frame of page.frames())
    if (!(await frame.evaluate(() => 'axe' in globalThis))) await frame.evaluate(axe)
  /** Where each violation was found. */
  const found = new Map()
  const isComplete = process.env.VIVARIUM_AXE === 'all' && tested !== ofPhone
  for (const { size, colorScheme, onlyColor = false } of isComplete ? allPasses : tested) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme })
    const options = { tags, onlyColor, within }
    for (const { id, help, target, html, remedy } of await page.evaluate(violations, options)) {
      const about = [`${id}: ${help}`, target, html, remedy].join('\n').replaceAll('\n', '\n    ')
      found.set(about, [...(found.get(about) ?? []), `${colorScheme}, ${size.width} px`])
    }
  }
  const list = [...found].map(([about, where]) => `  ${what} (${where.join('; ')})\n    ${about}`)
  assert.ok(list.length === 0, `axe-core found ${list.length} violations:\n${list.join('\n')}`)
}

describe('accessibility', () => {
  // Reduced motion: runs start by a click and the pictures stand still while paused, which leaves the processor to the test.
  const test = sharedWindow(() => visit('#/bench', { reducedMotion: 'reduce' }))
  const open = async ({ page }, hash) => {
    await page.setViewportSize(desktop)
    await page.evaluate((hash) => void (location.hash = hash), hash)
    await page.locator('main:not(.coming)').getByRole('heading', { level: 1 }).waitFor()
  }

  const newcomer = sharedWindow(() => visit('#/bench', { reducedMotion: 'reduce', newcomer: true }))
  for (const name of ['cartpole', 'connect-four', 'cube2', 'language', 'logic-ca'])
    newcomer(`of the simple view of ${name}`, async (visitor) => {
      await open(visitor, name === 'language' ? `#/language?preset=tiny` : `#/${name}`)
      await visitor.at('play').first().waitFor()
      await isAccessible(visitor, `simple view of ${name}`)
    })

  /** Trains the run of the page until it has metrics and more than `least` steps, and pauses. */
  async function train(visitor, least = 0) {
    const { at, page } = visitor
    const start = at('play').and(page.locator(':enabled'))
    await start.or(at('pause')).waitFor()
    // The setup of a guide trains, and training continues in the next exhibit.
    if (await start.count()) await start.click()
    await trains(visitor, least)
    await pause(visitor)
  }

  /** Opens and closes the rules of an exhibit by keyboard. */
  async function opensRules(visitor, name) {
    const { at, page } = visitor
    await at('rules-open').focus()
    await page.keyboard.press('Enter')
    await at('rules').getByText(sentences[name]).waitFor()
    assert.equal(await at('rules').evaluate((panel) => panel.scrollWidth - panel.clientWidth), 0)
    if (testedRules.includes(name)) await isAccessible(visitor, `${name} with its rules`, popover)
    await page.keyboard.press('Escape')
    await until(async () => !(await at('rules').isVisible()), 'the rules to close')
    const focused = await page.evaluate(() => document.activeElement?.getAttribute('data-testid'))
    assert.equal(focused, 'rules-open')
    await page.setViewportSize(desktop)
  }

  test('of the home page', async (visitor) => {
    await open(visitor, '#/')
    await train(visitor)
    await isAccessible(visitor, 'home page')
  })

  for (const { name } of experiments) {
    const isAlike = alike.includes(name)
    const parts = isAlike ? 'its settings' : 'its settings, an explanation and its guide'
    test(`of ${name}, ${parts}`, async (visitor) => {
      const { at, page } = visitor
      // Another seed, since the exhibit would otherwise show the run of the home page.
      await open(visitor, `#/${name}?seed=2&speed=max${name === 'language' ? `&${smallModel}` : ''}`)
      await page.locator(`nav a[href^="#/${name}"][aria-current]`).waitFor()
      await train(visitor)
      await at('config').click()
      await isAccessible(visitor, `${name} with its settings`, null, isAlike ? passes : withLightDesktop)
      await page.setViewportSize(desktop)
      await at('config').click()
      if (name in sentences) await opensRules(visitor, name)
      if (isAlike) return
      const guide = (await at('guide').count()) > 0
      if (guide) {
        await at('guide').click()
        await at('guide-card').waitFor()
        await at('guide-all').press(' ')
      }
      const floating = guide ? `${popover}, [data-testid=guide-card]` : popover
      // By keyboard, since the guide covers a part of the page on a phone. The explanation of a loss has a link in every exhibit.
      const help = page.getByRole('main').getByTestId('help')
      await help.filter({ visible: true, hasText: /loss/i }).first().press('Enter')
      await page.locator(':popover-open').getByRole('link').first().waitFor()
      await isAccessible(visitor, `${name} with an explanation${guide ? ' and its guide' : ''}`, floating)
      await page.keyboard.press('Escape')
    })
  }

  test('of an exhibit with forced colors, whose data and focus stay visible', async (visitor) => {
    const { at, page } = visitor
    await open(visitor, '#/cartpole?seed=12&speed=max')
    await train(visitor)
    await page.emulateMedia({ forcedColors: 'active' })
    try {
      await isAccessible(visitor, 'cartpole with forced colors', null, passes.slice(0, 1))
      // index.html has colors of the light theme until the stylesheets are loaded; system colors have to replace them.
      await page.emulateMedia({ colorScheme: 'light' })
      await page.mouse.move(0, 0)
      await at('play').focus()
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('Tab')
      /** Colors of system colors and of parts of the page; runs in the page. */
      const colors = await page.evaluate(() => {
        const probe = document.body.appendChild(document.createElement('i'))
        const system = (name) => {
          probe.style.color = name
          return getComputedStyle(probe).color
        }
        const style = (id) => getComputedStyle(document.querySelector(`[data-testid="${id}"]`))
        const found = {
          expected: [system('Highlight'), system('Canvas')],
          button: style('play').backgroundColor,
          focus: style('play').outlineColor,
          page: getComputedStyle(document.documentElement).backgroundColor,
        }
        probe.remove()
        return found
      })
      const [highlight, canvas] = colors.expected
      assert.deepEqual(
        [colors.button, colors.focus, colors.page],
        [highlight, highlight, canvas],
        JSON.stringify(colors),
      )
    } finally {
      await page.emulateMedia({ forcedColors: 'none' })
    }
  })

  test('of the speedcubing panel with a scramble and a result', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/cube2?seed=3&speed=max')
    await train(visitor)
    await at('speedcubing').locator('summary').click()
    await at('own-scramble').fill('R')
    await at('own-scramble').press('Enter')
    await at('scramble-text').filter({ hasText: /^R$/ }).waitFor()
    await at('timer').waitFor()
    await at('cube').press('Shift+R')
    await at('clear-solves').waitFor()
    await at('new-scramble').click()
    await at('scramble-text').filter({ hasText: / / }).waitFor()
    await isAccessible(visitor, 'speedcubing', '[data-testid=speedcubing], [data-testid=history]')
  })

  const matchPanel = 'section:has(> [data-testid=match-state])'
  const analysis = '[data-testid=analysis], [data-testid=outcome-probabilities]'
  const moves = 'section:has(> [data-testid=match-moves])'
  test('of a doubling decision in a match', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/backgammon?seed=3&speed=max')
    await train(visitor)
    await at('match-rules').selectOption('5')
    // The human player has doubled, and the trained network takes.
    await at('position-id').fill('XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:5:10')
    await at('position-id').press('Enter')
    await at('move-now').click()
    await at('move-now').waitFor({ state: 'detached' })
    await at('doubling-equities').locator('summary').click()
    await at('cube').waitFor()
    await isAccessible(visitor, 'doubling decision', `${matchPanel}, [data-testid=board]`)
  })

  test('of a match and its analysis', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/backgammon?seed=4&speed=max')
    await train(visitor)
    await at('match-rules').selectOption('3')
    await at('match-state').waitFor()
    await at('hint').click()
    // The first play of either side begins the list of moves.
    await until(async () => {
      for (const id of ['take', 'roll', 'confirm'])
        if ((await at(id).count()) > 0)
          await at(id)
            .press('Enter', { timeout: 2000 })
            .catch(() => {})
      if ((await at('make-play').count()) > 0)
        await at('candidate')
          .first()
          .press('Enter', { timeout: 2000 })
          .catch(() => {})
      return (await at('turn-1').count()) > 0
    }, 'two turns')
    await isAccessible(visitor, 'match', [matchPanel, analysis, moves].join())
    await at('analyze-at-table').click()
    await at('analyze-match').waitFor({ state: 'detached' })
    await isAccessible(
      visitor,
      'analysis of the match',
      ['[data-testid=opened-match]', analysis, moves].join(),
    )
  })

  test('of the comparison with a stored run, and its menu', async (visitor) => {
    const { at, page } = visitor
    await open(visitor, '#/cartpole?seed=7&speed=max')
    // A run is stored as of its last complete update, which follows 8192 steps.
    await train(visitor, 8192)
    // A pinned run stays stored although it has trained for a moment only.
    await chooseMore(visitor, 'open')
    await page.locator('#runs[aria-busy=false]').waitFor()
    await at('run-pin').first().click()
    await page.locator('[data-testid=run-pin][aria-pressed=true]').first().waitFor()
    await page.keyboard.press('Escape')
    await open(visitor, '#/cartpole?seed=8&speed=max')
    // Both runs need the metrics of an update.
    await train(visitor, 8192)
    await chooseMore(visitor, 'compare')
    await at('compare-run').first().click()
    await at('baseline').selectOption({ index: 1 })
    await at('baseline-comparison').waitFor()
    await isAccessible(visitor, 'compare menu', popover)
    await page.keyboard.press('Escape')
    await isAccessible(
      visitor,
      'comparison',
      '[data-testid=compared-runs], [data-testid=baseline-comparison]',
    )
  })

  test('of the menus of a phone', async (visitor) => {
    const { at, page } = visitor
    await open(visitor, '#/pendulum?seed=5&speed=max')
    await train(visitor)
    await page.setViewportSize(phone)
    await at('more-actions').click()
    await at('share-menu').waitFor()
    await isAccessible(visitor, 'menu of further actions', popover, ofPhone)
    await page.keyboard.press('Escape')
    for (const id of ['share-menu', 'export', 'compare', 'open', 'offline']) {
      await chooseMore(visitor, id)
      await isAccessible(visitor, `menu of ${id}`, popover, ofPhone)
      await page.keyboard.press('Escape')
    }
  })

  test('of the panels for offline use', async (visitor) => {
    const { at, page } = visitor
    await open(visitor, '#/cartpole?seed=6&speed=max')
    for (const id of ['offline', 'offline-all']) {
      await (id === 'offline' ? chooseMore(visitor, id) : at(id).click())
      await at('offline-keep').first().waitFor()
      await isAccessible(visitor, `panel of ${id}`, popover)
      await page.setViewportSize(desktop)
      await page.keyboard.press('Escape')
    }
  })

  test('of two runs beside each other', async (visitor) => {
    const { at, page } = visitor
    await open(visitor, '#/cartpole?seed=9&beside=seed:8;speed:max')
    await train(visitor)
    const second = page.frameLocator('iframe[data-beside]')
    await second.getByTestId('play').click()
    await second.getByTestId('compared-runs').waitFor()
    await trains({ at: (id) => second.getByTestId(id) }, 0)
    await second.getByTestId('pause').click()
    await second.getByTestId('config').click()
    await isAccessible(visitor, 'two runs')
    await page.setViewportSize(desktop)
    await at('beside-close').click()
    await chooseMore(visitor, 'compare')
    await at('beside-open').waitFor()
    await isAccessible(visitor, 'settings of a second run', popover)
    await page.keyboard.press('Escape')
  })

  test('of a correct answer of the quiz', async (visitor) => {
    const { at } = visitor
    await open(visitor, `#/language?${smallModel}&speed=max`)
    // Each evaluation follows 20 gradient steps on 128 tokens.
    await train(visitor, 3 * 20 * 128)
    const questions = at('questions')
    const quiz = 'section:has(> [data-testid=questions])'
    await questions.waitFor()
    await isAccessible(visitor, 'questions', quiz)
    await at('show-answers').click()
    const next = questions.getByRole('button', { name: 'Next questions' })
    while ((await questions.getByText('✓ the model').count()) === 0) await next.click()
    await isAccessible(visitor, 'quiz', quiz)
  })

  test('of a game whose analysis is hidden', async (visitor) => {
    const { at } = visitor
    await open(visitor, '#/connect-four?seed=3&network.width=32&network.blocks=1&speed=max')
    await train(visitor)
    await at('seat-0').selectOption({ label: 'You' })
    await at('show-hints').waitFor()
    await isAccessible(visitor, 'hidden analysis', analysis)
  })

  for (const name of documents)
    test(`of ${name}`, async (visitor) => {
      await open(visitor, `#/${name}`)
      await isAccessible(visitor, name)
    })

  test('of the notices', async (visitor) => {
    const { page } = visitor
    await page.goto(new URL('notices.html', page.url()).href)
    await isAccessible(visitor, 'notices')
  })

  test('of an embedded page and its export menu', async (visitor) => {
    const { at, page } = visitor
    await page.goto(new URL('embed/#/cartpole?seed=2', page.url()).href)
    await at('play').and(page.locator(':enabled')).waitFor()
    await isAccessible(visitor, 'embedded page')
    await page.setViewportSize(desktop)
    await at('export').click()
    await at('save').waitFor()
    await isAccessible(visitor, 'export menu of the embedded page', popover)
  })
})
