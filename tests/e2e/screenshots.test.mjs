// Pictures to be looked at, in test-results/: every page at desktop and phone width, dark and light.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { root } from '../../scripts/run.mjs'
import { calm, patience, trains } from './exhibit.mjs'
import { closeHosts, quit, visit } from './page.mjs'

const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }
const pages = {
  entrance: '',
  cartpole: '#/cartpole',
  'mountain-car': '#/mountain-car',
  pendulum: '#/pendulum',
  'logic-ca': '#/logic-ca',
  backgammon: '#/backgammon',
  'connect-four': '#/connect-four',
  cube2: '#/cube2',
  cube3: '#/cube3',
  language: '#/language',
}

after(async () => {
  await quit()
  await closeHosts()
})

describe('pictures', () => {
  for (const [name, where] of Object.entries(pages)) {
    it(name, { timeout: patience }, async () => {
      const visitor = await visit(where, { viewport: sizes.desktop })
      await trains(visitor)
      const folder = join(root, 'test-results/screenshots')
      await mkdir(folder, { recursive: true })
      for (const [size, viewport] of Object.entries(sizes)) {
        await visitor.page.setViewportSize(viewport)
        for (const colorScheme of ['dark', 'light']) {
          await visitor.page.emulateMedia({ colorScheme })
          // Some curve to see, and time to draw it anew.
          await new Promise((next) => setTimeout(next, 1000))
          const path = join(folder, `${name}-${size}-${colorScheme}.png`)
          await visitor.page.screenshot({ path, fullPage: true })
        }
      }
      calm(visitor)
      await visitor.window.close()
    })
  }
})
