// `npm run pictures`: the animated pictures, the poster and the charts of README and docs, from the built page and the native
// program, and the icons of the page. `npm run pictures -- cartpole charts` creates only the named ones. Run it on an idle machine: a game or a solution has few
// frames if a screenshot takes longer than a turn.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { host } from '../../tests/e2e/server.mjs'
import { browser } from '../browser.mjs'
import { fail, root } from '../run.mjs'
import { writeCharts } from './charts.mjs'
import { composeHero } from './hero.mjs'
import { writeIcons } from './icons.mjs'
import { encode, film, fromMiddle, record } from './record.mjs'
import { home, scenes } from './scenes.mjs'

const folder = join(root, 'docs/pictures')
/**
 * Width of a picture, which shows the first section of an exhibit, and of a thumbnail, which shows its glass box
 * (framed live view).
 */
const width = 880
const thumbnailWidth = 440

/** Writes a file; the path is relative to the root. */
function write(path, data) {
  writeFileSync(join(root, path), data)
  console.log(`${path}  ${Math.round(data.length / 1000)} KB`)
}

const save = (name, data) => write(`docs/pictures/${name}`, data)

async function drawScene(chrome, address, scene) {
  const { frames, box } = await record(chrome, address, scene, ['dark'])
  const { name, delay } = scene
  save(`${name}.webp`, await encode(await film(frames.dark, { width, delay })))
  const thumbnail = await film(frames.dark, { width: thumbnailWidth, delay, region: box })
  save(`${name}-thumbnail.webp`, await encode(fromMiddle(thumbnail)))
}

/** Draws the preview picture that other sites show with a link: the home page, when CartPole is solved. */
async function drawPoster(chrome, address) {
  const scene = { ...home, size: { width: 1500, height: 788 }, region: 'html' }
  const { frames } = await record(chrome, address, scene, ['dark'])
  save('poster.jpg', await sharp(frames.dark.at(-1)).resize({ width: 1200 }).jpeg({ quality: 82 }).toBuffer())
}

async function drawHero(chrome, address) {
  const { dark, light } = await composeHero(chrome, address)
  save('hero.webp', await encode(await film(dark, { width, delay: 140 })))
  save('hero-light.webp', await encode(await film(light, { width, delay: 140 })))
}

/** Functions that draw the pictures, by name. */
const drawings = {
  ...Object.fromEntries(scenes.map((scene) => [scene.name, (...page) => drawScene(...page, scene)])),
  hero: drawHero,
  poster: drawPoster,
}
const names = [...Object.keys(drawings), 'charts', 'icons']
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !names.includes(name))
if (unknown.length) fail(`unknown picture ${unknown.join(', ')}; the pictures are ${names.join(', ')}`)
const chosen = wanted.length ? wanted : names

mkdirSync(folder, { recursive: true })
if (chosen.includes('charts')) await writeCharts(save)
if (chosen.includes('icons')) await writeIcons(write)
const fromPage = chosen.filter((name) => name in drawings)
if (fromPage.length) {
  if (!existsSync(join(root, 'dist/index.html'))) fail('the page is not built; run `npm run build` first')
  const program = browser()
  if (!program) fail('Chromium is missing; run `npm run setup`, or name it in the variable CHROME')
  const { address, close } = await host()
  const chrome = await chromium.launch({
    executablePath: program.chrome,
    args: ['--no-sandbox', '--no-first-run'],
  })
  for (const name of fromPage) await drawings[name](chrome, address)
  await chrome.close()
  await close()
}
