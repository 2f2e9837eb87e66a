// `npm run pictures`: the animated pictures, the poster and the charts of README and docs, from the built page and the native
// program. `npm run pictures -- cartpole charts` creates only the named ones.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { host } from '../../tests/e2e/server.mjs'
import { browser } from '../browser.mjs'
import { fail, root } from '../run.mjs'
import { writeCharts } from './charts.mjs'
import { animate, capture, poster } from './record.mjs'
import { scenes } from './scenes.mjs'

const folder = join(root, 'docs/pictures')
/** Region of the page that is recorded, CSS pixels, and the width of the picture. */
const viewport = { width: 1280, height: 860 }
const clip = { x: 0, y: 60, width: 1280, height: 800 }
const width = 880
/** Width of a thumbnail, which shows the exhibit's main panel alone. The README displays it at half this width. */
const thumbnailWidth = 440
/** Exhibits that are recorded in the light theme as well. */
const inBothThemes = ['cartpole']

function save(name, data) {
  const file = join(folder, name)
  writeFileSync(file, data)
  console.log(`docs/pictures/${name}  ${Math.round(data.length / 1000)} KB`)
}

async function record(chrome, address, scene, colorScheme) {
  const context = await chrome.newContext({ viewport, colorScheme, deviceScaleFactor: 1 })
  const page = await context.newPage()
  page.setDefaultTimeout(120_000)
  const visit = { page, at: (id) => page.getByTestId(id) }
  await page.goto(`${address}#/${scene.name}?seed=1`)
  await page.getByTestId('preset').waitFor()
  await scene.prepare(visit)
  const frames = await capture(page, clip, scene)
  await context.close()
  const suffix = colorScheme === 'light' ? '-light' : ''
  const { name, delay, panel } = scene
  save(`${name}${suffix}.webp`, await animate(frames, { width, delay }))
  if (colorScheme === 'dark')
    save(`${name}-thumbnail.webp`, await animate(frames, { width: thumbnailWidth, delay, region: panel }))
  return frames.at(-1)
}

const names = [...scenes.map(({ name }) => name), 'charts']
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length) fail(`unknown picture ${unknown.join(', ')}; the pictures are ${names.join(', ')}`)
const isWanted = (name) => !wanted.length || wanted.includes(name)

mkdirSync(folder, { recursive: true })
if (isWanted('charts')) await writeCharts(save)
const chosen = scenes.filter(({ name }) => isWanted(name))
if (chosen.length) {
  if (!existsSync(join(root, 'dist/index.html'))) fail('the page is not built; run `npm run build` first')
  const program = browser()
  if (!program) fail('Chromium is missing; run `npm run setup`, or name it in the variable CHROME')
  const { address, close } = await host()
  const chrome = await chromium.launch({
    executablePath: program.chrome,
    args: ['--no-sandbox', '--no-first-run'],
  })
  for (const scene of chosen) {
    const last = await record(chrome, address, scene, 'dark')
    if (scene.name === 'cartpole') save('poster.jpg', await poster(last, 1200, 630))
    if (inBothThemes.includes(scene.name)) await record(chrome, address, scene, 'light')
  }
  await chrome.close()
  await close()
}
