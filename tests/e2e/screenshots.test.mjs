// Pictures to be looked at, in test-results/: every page at desktop and phone width, dark and light.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { root } from '../../scripts/run.mjs'
import { calm, patience, trains, trainSlowly, until } from './exhibit.mjs'
import { closeHosts, quit, visit } from './page.mjs'

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
/** What `#/…` leads to, and whether its learning curve begins within seconds. */
const pages = {
  entrance: ['', true],
  cartpole: ['#/cartpole', true],
  'mountain-car': ['#/mountain-car', true],
  pendulum: ['#/pendulum', true],
  'logic-ca': ['#/logic-ca', true],
  backgammon: ['#/backgammon', false],
  'connect-four': ['#/connect-four', false],
  cube2: ['#/cube2', false],
  cube3: ['#/cube3', false],
  language: ['#/language', true],
}
const folder = join(root, 'test-results/screenshots')

/** Whether a learning curve is drawn in the accent colour of the present theme; runs in the page. */
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
  return [...document.querySelectorAll('[data-testid^=chart-] canvas, .curve canvas')].some((canvas) => {
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

/** Resolves after two frames: the first one lays out what has changed and the second one shows it. */
const twoFrames = () =>
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))

before(() => mkdir(folder, { recursive: true }))
after(async () => {
  await quit()
  await closeHosts()
})

describe('pictures', () => {
  for (const [name, [where, hasCurve]] of Object.entries(pages)) {
    it(name, { timeout: 4 * patience }, async () => {
      const visitor = await visit(where, { viewport: sizes.desktop, deviceScaleFactor: 1 })
      const { page } = visitor
      page.setDefaultTimeout(patience)
      await trains(visitor)
      const curve = () =>
        hasCurve && until(() => page.evaluate(curveIsDrawn), 'a curve in the present colours')
      await curve()
      // The entrance trains slowly by itself.
      if (where) await trainSlowly(visitor)
      for (const [size, viewport] of Object.entries(sizes)) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['dark', 'light']) {
          await page.emulateMedia({ colorScheme })
          await curve()
          await page.evaluate(twoFrames)
          await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true })
        }
      }
      calm(visitor)
      await visitor.window.close()
    })
  }
})
