// Layout of every page at desktop and phone width, dark and light: no horizontal overflow. `VIVARIUM_SCREENSHOTS=1` stores
// screenshots in test-results/.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { root } from '../../scripts/run.mjs'
import { alike, experiments } from '../../scripts/worlds.mjs'
import {
  chooseMore,
  clipboard,
  inWindow,
  number,
  pause,
  sharedWindow,
  trainFast,
  trains,
  twoFrames,
  until,
} from './exhibit.mjs'
import { smallModel } from './language.mjs'
import { patience, visit } from './page.mjs'

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
// Mostly narrower and narrower, where an element that keeps its former width overflows; then wider.
const widths = [1600, 1440, 1100, 1024, 768, 600, 390, 320, 1440]
/** Widths of exhibits whose components are tested at all widths in another exhibit. */
const fewWidths = [1440, 768, 320]
/** Routes, with whether a learning curve appears within seconds; `null` if the page trains nothing. */
const pages = {
  '': true,
  ...Object.fromEntries(
    experiments.map(({ name, world }) => [name, !['games', 'cube'].includes(world.kind)]),
  ),
  bench: null,
  glossary: null,
}
const folder = join(root, 'test-results/screenshots')
const takesScreenshots = process.env.VIVARIUM_SCREENSHOTS === '1'

/** Returns whether a learning curve has the theme's accent color; runs in the page. */
function curveIsDrawn() {
  const probe = new OffscreenCanvas(1, 1).getContext('2d')
  const accentAt = (element) => {
    const span = element.appendChild(document.createElement('span'))
    span.style.color = 'var(--accent)'
    probe.fillStyle = getComputedStyle(span).color
    span.remove()
    probe.fillRect(0, 0, 1, 1)
    return probe.getImageData(0, 0, 1, 1).data
  }
  /** @type {NodeListOf<HTMLCanvasElement>} */
  const canvases = document.querySelectorAll('[data-testid^=chart-] canvas, .curve canvas')
  return [...canvases].some((canvas) => {
    const { width, height } = canvas
    if (width === 0 || height === 0) return false
    const [red, green, blue] = accentAt(canvas.parentElement)
    const { data } = canvas.getContext('2d').getImageData(0, 0, width, height)
    const near = (i, channel) => Math.abs(data[i] - channel) <= 8
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 128 && near(i, red) && near(i + 1, green) && near(i + 2, blue)) return true
    }
    return false
  })
}

if (takesScreenshots) before(() => mkdir(folder, { recursive: true }))

/** Types an invalid, very long word into each input; error messages repeat it. */
async function mistype({ at }, name) {
  const fields = {
    cube: ['notation', 'apply', 'notation-error', 'WGROYB'.repeat(9)],
    game: ['position-id', 'position-set', 'position-error', '123456789'.repeat(12)],
  }
  const fits = { cube2: 'cube', cube3: 'cube', backgammon: 'game', 'connect-four': 'game' }[name]
  if (!fits) return
  const [field, button, error, text] = fields[fits]
  await at(field).fill(text)
  await at(button).click()
  await at(error).waitFor()
}

/**
 * Sets the preference of the system for reduced motion, and waits until the page has received the change: browsers report it with the
 * next frame, and a page that is opened under reduced motion does not train.
 */
async function setMotion(page, reducedMotion) {
  const query = '(prefers-reduced-motion: reduce)'
  const isSet = await page.evaluate(
    ([query, isReduced]) => {
      const media = matchMedia(query)
      globalThis.motionChange = new Promise((resolve) =>
        media.addEventListener('change', resolve, { once: true }),
      )
      return media.matches === isReduced
    },
    [query, reducedMotion === 'reduce'],
  )
  if (isSet) return
  await page.emulateMedia({ reducedMotion })
  await page.evaluate(() => globalThis.motionChange.then(() => {}))
}

/** Stores screenshots of the whole page at both sizes in both themes. */
async function takeScreenshots(page, name) {
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of /** @type {const} */ (['dark', 'light'])) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(twoFrames)
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
    }
  }
}

/** Returns the horizontal overflow of the page, pixels; runs in the page. */
const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

/**
 * Returns faults of the training controls: pairs that overlap, and controls and texts that extend beyond the bar or that
 * wrap; runs in the page.
 */
function transportFaults() {
  const bar = document.querySelector('.transport')
  /** @type {NodeListOf<HTMLElement>} */
  const found = bar.querySelectorAll('button, fieldset, input[type=range], .stops .name')
  const shown = [...found].filter((element) => element.offsetWidth > 0)
  const items = shown.map((element) => {
    const name = element.getAttribute('aria-label') ?? element.dataset.testid ?? element.textContent.trim()
    return { element, name, box: element.getBoundingClientRect() }
  })
  const outer = bar.getBoundingClientRect()
  const covers = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1
  const overlaps = items.flatMap((a, i) =>
    items.slice(i + 1).flatMap((b) => (covers(a.box, b.box) ? [`${a.name} overlaps ${b.name}`] : [])),
  )
  const beyond = items.flatMap(({ name, box }) =>
    box.left < outer.left - 1 || box.right > outer.right + 1 ? [`${name} is beyond the bar`] : [],
  )
  const wrapped = items.flatMap(({ element, name }) => {
    const range = document.createRange()
    range.selectNodeContents(element)
    const tops = [...range.getClientRects()].map(({ top, bottom }) => (top + bottom) / 2)
    return element.matches('.link, .name') && Math.max(...tops) - Math.min(...tops) > 4
      ? [`${name} wraps`]
      : []
  })
  return [...overlaps, ...beyond, ...wrapped]
}

/** Returns the pixels by which labels at the right of a plot extend beyond it; runs in the page. */
function labelsBeyondPlot() {
  const right = (element) => element.getBoundingClientRect().right
  const plot = document.querySelector('[data-testid=ladder]')
  return [...plot.querySelectorAll('.label')].map((label) => right(label) - right(plot))
}

/** Returns the heights of the picture and of the learning curve, as shares of the window's height; runs in the page. */
function heightShares() {
  const share = (selector) => {
    const box = document.querySelector(selector)?.getBoundingClientRect()
    return box ? Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)) / innerHeight : 0
  }
  return {
    picture: share('.picture .box'),
    curve: share('.curve .box, [data-testid^=chart-], [data-testid=ladder]'),
  }
}

/** Returns the smallest font size of the guide's texts and buttons, the main metrics and the status; runs in the page. */
function smallestType() {
  const read =
    '[data-testid=guide-card] :is(p, h2, button), .readings .note, .outcome-probabilities :is(.name, .win), .status'
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(read)
  const shown = [...found].filter((element) => element.offsetWidth > 0)
  return Math.min(...shown.map((element) => parseFloat(getComputedStyle(element).fontSize)))
}

/** Returns the height by which the column with the training controls is longer than the window, if any; runs in the page. */
function columnOverflow() {
  const column = document.querySelector('main aside:has(> .transport)')
  return column ? column.scrollHeight - column.clientHeight : 0
}

/** Sizes of projectors. */
const projectors = [
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [1920, 1080],
]
/** Returns the sizes at which an exhibit is tested: the smallest ones, in which little has room, and for CartPole all. */
const projectorsOf = (name) => (name === 'cartpole' ? projectors : projectors.slice(0, 2))

/** Returns whether the current page's link in the header is fully visible, if it has one; runs in the page. */
function isNamedAtTheTop() {
  const link = document.querySelector('nav [aria-current]')
  if (!link) return true
  const [all, one] = [link.parentElement, link].map((element) => element.getBoundingClientRect())
  return one.left >= Math.max(0, all.left) - 1 && one.right <= Math.min(innerWidth, all.right) + 1
}

/**
 * Returns the buttons, fields and links whose area for a finger is less than `least` pixels wide or high; runs in the page. The
 * target size is 44 pixels, of which neighbors may cover a few. Links and words in sentences are exempt, as in WCAG 2.2, 2.5.5.
 */
function smallTargets({ least }) {
  const kinds = 'button, a[href], input, select, summary, textarea'
  /** @type {NodeListOf<HTMLElement>} */
  const found = document.querySelectorAll(kinds)
  const elements = [...found]
  return elements.flatMap((element) => {
    if (element.matches(':disabled') || element.closest('[popover]')) return []
    const isSwitch = element.matches('[type=radio], [type=checkbox]')
    const target = (isSwitch && element.closest('label')) || element
    const { parentElement: parent } = element.closest('.help') ?? element
    const texts = [...parent.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE)
    if (element.matches('a, .link, .help > *') && texts.some((node) => node.textContent.trim().length > 2))
      return []
    target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const { left, top, width, height } = target.getBoundingClientRect()
    const [x, y] = [left + width / 2, top + height / 2]
    const isHit = (x, y) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && target.contains(hit)
    }
    // Hidden, or covered by a floating element.
    if (width <= 2 || !isHit(x, y)) return []
    const reach = (dx, dy) => {
      let pixels = 0
      while (pixels < least && isHit(x + dx * (pixels + 1), y + dy * (pixels + 1))) pixels++
      return pixels
    }
    const [wide, high] = [1 + reach(-1, 0) + reach(1, 0), 1 + reach(0, -1) + reach(0, 1)]
    if (wide >= least && high >= least) return []
    const name = element.dataset.testid ?? ''
    return [
      `${element.tagName} ${name} ${element.getAttribute('aria-label') ?? element.textContent.trim()}: ${wide} × ${high}`,
    ]
  })
}

describe('the small charts of classic control', () => {
  inWindow(
    'are folded until the visitor shows them, which the browser remembers',
    '#/cartpole',
    { newcomer: true },
    async (visitor) => {
      const { at, page } = visitor
      await at('all-controls').click()
      await at('show-curves').waitFor()
      assert.equal(await at('chart-entropy').count(), 0)
      await at('chart-return_mean').waitFor()
      // A step of a guide shows its charts.
      await at('guide').click()
      await at('guide-card').waitFor()
      await at('show-curves').waitFor({ state: 'detached' })
      await at('guide-end').click()
      await at('show-curves').press('Enter')
      await at('chart-entropy').waitFor()
      await page.reload()
      await at('chart-entropy').waitFor()
      await at('fold-curves').press('Enter')
      await at('chart-entropy').waitFor({ state: 'detached' })
      assert.ok(await at('show-curves').evaluate((button) => button === document.activeElement))
      await page.reload()
      await at('show-curves').waitFor()
    },
  )
})

describe('the layout', () => {
  const open = (hash) => visit(hash, { viewport: sizes.desktop, deviceScaleFactor: 1 })
  // CartPole would continue the run of a home page in the same window, and opens it paused once it is solved.
  const [home, test] = [sharedWindow(() => open('')), sharedWindow(() => open('#/glossary'))]

  for (const [name, hasCurve] of Object.entries(pages)) {
    const testPage = name === '' ? home : test
    testPage(`of ${name || 'the home page'} has no horizontal overflow`, async (visitor) => {
      const { page, at } = visitor
      await page.setViewportSize(sizes.desktop)
      await page.emulateMedia({ colorScheme: 'dark' })
      await setMotion(page, 'no-preference')
      await page.evaluate(
        (hash) => (location.hash = hash),
        name === 'language' ? `#/language?${smallModel}` : `#/${name}`,
      )
      await page.getByRole('heading', { level: 1 }).waitFor()
      // The home page trains slowly by default.
      const isExhibit = name !== '' && hasCurve !== null
      if (isExhibit) await trainFast(visitor)
      if (hasCurve !== null) await trains(visitor)
      const drawsCurve = () =>
        hasCurve && until(() => page.evaluate(curveIsDrawn), 'a curve in the present colors')
      await drawsCurve()
      // Training and moving pictures would take the processor from the layouts at all widths.
      if (hasCurve !== null) await pause(visitor)
      await page.emulateMedia({ colorScheme: 'light' })
      await setMotion(page, 'reduce')
      await drawsCurve()
      if (takesScreenshots) await takeScreenshots(page, name || 'home')
      if (isExhibit) await at('config').click()
      await mistype(visitor, name)
      for (const width of alike.includes(name) ? fewWidths : widths) {
        await page.setViewportSize({ width, height: 800 })
        // The next frames redraw the page at the new size.
        await until(async () => (await page.evaluate(tooWide)) <= 0, `it to fit into ${width} pixels`)
        await until(() => page.evaluate(isNamedAtTheTop), `its name among the links at ${width} pixels`)
        if (isExhibit) assert.deepEqual(await page.evaluate(transportFaults), [], `${width} pixels`)
      }
    })
  }

  const phone = sharedWindow(() =>
    visit('', {
      ...{ viewport: sizes.phone, hasTouch: true, isMobile: true },
      ...{ reducedMotion: 'reduce', deviceScaleFactor: 1 },
    }),
  )
  for (const { name } of experiments)
    phone(
      `of ${name} on a phone has its picture in the first screen, and targets for a finger`,
      async (visitor) => {
        const { page, at } = visitor
        await page.evaluate((hash) => (location.hash = hash), `#/${name}`)
        await page.locator(`nav a[href^="#/${name}"][aria-current]`).waitFor({ state: 'attached' })
        await at('config').waitFor()
        await at('learning').waitFor()
        assert.ok(await at('lead').innerText(), 'the exhibit says in plain words what is learned')
        await page.evaluate(() => scrollTo(0, 0))
        await page.evaluate(twoFrames)
        // The timeline, which appears with training, covers the last pixels.
        const bottom = sizes.phone.height - 44
        for (const id of ['lead', 'learning', 'learning-toggle']) {
          const { y, height } = await at(id).boundingBox()
          assert.ok(y + height < bottom, `${id} ends at ${y + height}`)
        }
        const { y } = await page.locator('.picture .box').first().boundingBox()
        assert.ok(y + 300 < bottom, `the picture begins at ${y}`)
        assert.deepEqual(await page.evaluate(smallTargets, { least: 40 }), [])
      },
    )

  it('of a phone names all actions of an exhibit', { timeout: 4 * patience }, async () => {
    const { page, at, window } = await visit('#/mountain-car', {
      viewport: sizes.phone,
      hasTouch: true,
      isMobile: true,
      reducedMotion: 'reduce',
      ...clipboard,
      deviceScaleFactor: 1,
    })
    await at('config').waitFor()
    const named = async (root) => {
      const buttons = await root.locator('button:not(.link):visible').all()
      for (const button of buttons) {
        const text = (await button.innerText()).trim()
        const { width, height } = await button.boundingBox()
        if (text === '?') continue
        assert.match(text, /\w{4}/)
        const fits = await button.evaluate((one) => one.scrollWidth <= one.clientWidth)
        assert.ok(fits && height >= 40 && width >= 40, `${text}: ${width} × ${height}`)
      }
      return buttons.length
    }
    assert.ok((await named(page.locator('.head'))) >= 2)
    await at('more-actions').click()
    const more = page.locator('#more-actions')
    await more.waitFor()
    assert.ok((await named(more)) >= 6)
    await page.keyboard.press('Escape')
    const open = page.locator(':popover-open')
    // A panel opens in place of the menu, and Escape returns to the button of the menu.
    const panels = {
      'share-menu': 'share',
      export: 'export',
      compare: 'compare',
      open: 'runs',
      offline: 'offline',
    }
    for (const [id, panel] of Object.entries(panels)) {
      await chooseMore({ at }, id)
      await page.locator(`#${panel}:popover-open`).waitFor()
      assert.equal(await open.count(), 1)
      assert.ok((await page.evaluate(tooWide)) <= 0)
      await page.keyboard.press('Escape')
      await until(async () => (await open.count()) === 0, 'no panel')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-testid'))
      await until(async () => (await focused()) === 'more-actions', `the focus after ${id}`)
    }
    await chooseMore({ at }, 'export')
    await Promise.all([page.waitForEvent('download'), at('save').click()])
    await until(async () => (await open.count()) === 0, 'no menu')
    await chooseMore({ at }, 'copy-command')
    await until(async () => (await open.count()) === 0, 'no menu')
    await window.close()
  })

  it(
    'of a notification covers neither title nor picture nor controls',
    { timeout: 4 * patience },
    async () => {
      const visitor = await visit('#/cartpole', { deviceScaleFactor: 1 })
      const { at, page, window } = visitor
      await pause(visitor)
      // An error stays until it is closed.
      const damaged = { name: 'damaged.safetensors', mimeType: '', buffer: Buffer.from('no checkpoint') }
      await at('open-input').setInputFiles(damaged)
      await at('error').waitFor()
      const isApart = async (id) => {
        const [a, b] = [await at('error').boundingBox(), await page.locator(id).first().boundingBox()]
        return [
          [a.x, a.width, b.x, b.width],
          [a.y, a.height, b.y, b.height],
        ].some(([from, size, other, otherSize]) => from >= other + otherSize || from + size <= other)
      }
      const apart = async (where) => {
        for (const id of ['h1', '[data-testid=living-view]', '[data-testid=play]', '[data-testid=speed]'])
          await until(() => isApart(id), `the notification apart from ${id} ${where}`)
      }
      await apart('on a desktop')
      await page.setViewportSize(sizes.phone)
      await apart('on a phone')
      await page.setViewportSize({ width: 1280, height: 720 })
      await page.keyboard.press('Alt+p')
      await page.getByRole('banner').waitFor({ state: 'detached' })
      await apart('in projector mode')
      await page.keyboard.press('Alt+p')
      await page.getByRole('banner').waitFor()
      await at('guide').click()
      for (const [width, height] of [
        [390, 844],
        [900, 700],
        [1280, 800],
      ]) {
        await page.setViewportSize({ width, height })
        await until(
          () => isApart('[data-testid=guide-card]'),
          `the notification apart from the card of the guide in a window of ${width} × ${height}`,
        )
      }
      await window.close()
    },
  )

  it('of the training controls has no overlaps', { timeout: 4 * patience }, async () => {
    const visitor = await visit('#/cartpole', { opening: true, deviceScaleFactor: 1 })
    const { page, at, window } = visitor
    // The hint is visible until the speed has increased, which it does not while training is paused.
    await at('hold-speed').waitFor()
    await pause(visitor)
    for (const width of [320, 390, 768, 1100]) {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate(twoFrames)
      assert.deepEqual(await page.evaluate(transportFaults), [], `${width} pixels`)
    }
    await window.close()
  })

  for (const { name } of experiments)
    test(`of ${name} in projector mode has a picture and a learning curve that fill the window`, async (visitor) => {
      const { page } = visitor
      await page.evaluate((hash) => (location.hash = hash), `#/${name}?projector=1`)
      await visitor.at('pause').or(visitor.at('play')).first().waitFor()
      for (const [width, height] of projectorsOf(name)) {
        await page.setViewportSize({ width, height })
        const fills = async () => {
          const { picture, curve } = await page.evaluate(heightShares)
          return picture > 1 / 3 && curve > 1 / 6
        }
        await until(fills, `parts that fill ${width} × ${height} pixels`)
        // Training would take the processor from the layouts.
        if ((await visitor.at('pause').count()) > 0) await pause(visitor)
        assert.deepEqual(await page.evaluate(transportFaults), [], `${width} pixels`)
        await until(
          async () => (await page.evaluate(columnOverflow)) <= 1,
          `a whole column at ${width} pixels`,
        )
      }
    })

  for (const name of ['cartpole', 'connect-four'])
    test(`of the guide of ${name} in projector mode has large type and a picture`, async (visitor) => {
      const { page, at } = visitor
      await page.evaluate((hash) => (location.hash = hash), `#/${name}?guide=1&projector=1`)
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      for (const [width, height] of projectorsOf(name)) {
        await page.setViewportSize({ width, height })
        const least = Math.min(0.0277 * height, 0.0182 * width)
        await until(async () => (await page.evaluate(smallestType)) >= least, `type of ${least} pixels`)
        const picture = async () => (await page.evaluate(heightShares)).picture
        await until(async () => (await picture()) > 1 / 4, `a picture at ${width} × ${height} pixels`)
        assert.ok((await page.evaluate(tooWide)) <= 0)
      }
    })

  test('of the card of a guide in projector mode is beside or below the exhibit, with its outcome', async (visitor) => {
    const { page, at } = visitor
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.evaluate(() => void (location.hash = '#/cartpole?guide=2&projector=1&speed=max'))
    await until(async () => (await number(visitor, 'guide-card', 'step')) === 2, 'the step')
    await until(() => at('guide-act').isEnabled(), 'the experiment')
    await at('guide-act').click()
    await at('guide-result').waitFor()
    const beside = await at('guide-card').boundingBox()
    assert.ok(beside.x > 800 && beside.height === 720, JSON.stringify(beside))
    await page.setViewportSize({ width: 1024, height: 768 })
    await until(async () => {
      const { x, y, height } = await at('guide-card').boundingBox()
      return x === 0 && Math.round(y + height) === 768 && height <= 0.42 * 768 + 1
    }, 'the card at the bottom')
    const hidden = await page
      .locator('[data-testid=guide-card] > .text')
      .evaluate((text) => text.scrollHeight - text.clientHeight)
    assert.ok(hidden <= 1, `${hidden} pixels`)
  })

  test('of the results against reference players has room for their labels', async (visitor) => {
    const { page } = visitor
    const labels = () => page.evaluate(labelsBeyondPlot)
    await page.setViewportSize(sizes.desktop)
    for (const projector of ['', '&projector=1']) {
      const hash = `#/connect-four?network.width=32&network.blocks=1&speed=max${projector}`
      await page.evaluate((hash) => (location.hash = hash), hash)
      await page.getByTestId('ladder').waitFor()
      await until(async () => (await labels()).length >= 2, 'the first results')
      if ((await visitor.at('pause').count()) > 0) await pause(visitor)
      for (const width of [390, 1100, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        await until(async () => Math.max(...(await labels())) <= 0, `labels that fit at ${width} pixels`)
      }
    }
  })
})
