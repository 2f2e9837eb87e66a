// `npm run cold-load`: time from the first request of the built page to the first metrics of an exhibit, over a slow connection,
// without any cache, with gzip and with Brotli. Arguments: name of the exhibit (default: cartpole), number of visits (default: 7).
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { host } from '../tests/e2e/server.mjs'
import { browser } from './browser.mjs'
import { fail, root } from './run.mjs'
import { slowLink } from './slow-link.mjs'
import { experiments } from './worlds.mjs'

const link = { bitsPerSecond: 10e6, roundTrip: 40 }
const [name = 'cartpole', times = '7'] = process.argv.slice(2)
const visits = Number(times)
const names = experiments.map(({ name }) => name)
if (!names.includes(name)) fail(`There is no exhibit ${name}; the exhibits are ${names.join(', ')}.`)
if (!(visits >= 1)) fail(`${times} is not a number of visits; use 1 or more.`)
if (!existsSync(join(root, 'dist/index.html'))) fail('dist/ is missing; build it with `npm run build`.')
const found = browser()
if (!found) fail('Chromium and chromedriver are missing; `npm run setup` installs them.')

/** Resolves to the time in ms when the page shows more than 0 steps; runs in the page before its scripts. */
function watchSteps() {
  globalThis.firstMetrics = new Promise((resolve) => {
    new MutationObserver((_, observer) => {
      const shown = document.querySelector('[data-testid=steps]')?.getAttribute('data-value')
      if (!(Number(shown) > 0)) return
      observer.disconnect()
      resolve(performance.now())
    }).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['data-value'],
    })
  })
}

/** Opens the exhibit in a new browser with an empty profile. */
async function visit(encoding) {
  const server = await host({ encoding })
  const slow = await slowLink(Number(new URL(server.address).port), link)
  const window = await chromium.launch({
    executablePath: found.chrome,
    args: ['--no-sandbox', '--no-first-run'],
  })
  try {
    const page = await window.newPage()
    await page.addInitScript(watchSteps)
    await page.goto(`http://127.0.0.1:${slow.port}/#/${name}`, { waitUntil: 'commit' })
    const metrics = await page.evaluate(() => /** @type {any} */ (globalThis).firstMetrics)
    const bytes = slow.received()
    const paint = await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0].startTime,
    )
    // Wait until the service worker has cached the files that the page has loaded.
    await page.waitForTimeout(2000)
    const repeated = [...server.requests].filter(([file, count]) => count > 1 && file.startsWith('assets/'))
    return { bytes, paint, metrics, repeated }
  } finally {
    await window.close()
    await slow.close()
    await server.close()
  }
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`.padStart(13)
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`.padStart(13)
const row = (title, encoding, { bytes, paint, metrics }) =>
  console.log(
    title.padEnd(8) + titles[encoding].padEnd(8) + kilobytes(bytes) + seconds(paint) + seconds(metrics),
  )

const titles = { gzip: 'gzip', br: 'Brotli' }
/** @type {('gzip' | 'br')[]} */
const encodings = ['gzip', 'br']

console.log(
  `#/${name}, ${link.bitsPerSecond / 1e6} Mbit/s, round trip ${link.roundTrip} ms, empty profile; bytes until the first metrics`,
)
console.log(
  'visit   encoding' +
    ['transferred', 'first paint', 'first metrics'].map((title) => title.padStart(13)).join(''),
)
const results = { gzip: [], br: [] }
// The host compresses each file when it is first requested. One visit per encoding precedes the measurements, so that
// they do not include the compression.
for (const encoding of encodings) await visit(encoding)
for (let index = 1; index <= visits; index++) {
  for (const encoding of encodings) {
    const result = await visit(encoding)
    row(String(index), encoding, result)
    for (const [file, count] of result.repeated) console.log(`        ${file} was requested ${count} times`)
    results[encoding].push(result)
  }
}
for (const encoding of encodings) {
  const of = (figure) => median(results[encoding].map((result) => result[figure]))
  row('median', encoding, { bytes: of('bytes'), paint: of('paint'), metrics: of('metrics') })
}
