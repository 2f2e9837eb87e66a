// The export menu of an exhibit: checkpoint, metrics, pictures and charts; the link of the share menu.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe } from 'node:test'
import { clipboard, exported, inWindow, pause, sharedWindow, steps, trains, until } from './exhibit.mjs'
import { visit } from './page.mjs'

const cartpole = '#/cartpole?preset=moon&seed=3'

/** Decodes a file in the page as an image. Returns its size and the number of different colors. */
const decoded = ({ page }, bytes, type) =>
  page.evaluate(
    async ({ base64, type }) => {
      const image = new Image()
      image.src = `data:${type};base64,${base64}`
      await image.decode()
      const { naturalWidth: width, naturalHeight: height } = image
      const pen = new OffscreenCanvas(width, height).getContext('2d')
      pen.drawImage(image, 0, 0)
      const colors = new Set(new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer))
      return { width, height, colors: colors.size }
    },
    { base64: bytes.toString('base64'), type },
  )

const contents = async (download) => readFile(await download.path())

/** Opens an exhibit and trains until it has a curve. */
async function open(where) {
  const visitor = await visit(where, clipboard)
  await trains(visitor)
  await until(async () => (await steps(visitor)) > 60_000, 'a curve')
  await pause(visitor)
  return visitor
}

describe('the export menu', () => {
  const test = sharedWindow(() => open(cartpole))

  test('exports the metrics as CSV, one row per step', async (visitor) => {
    const download = await exported(visitor, 'export-csv')
    assert.match(download.suggestedFilename(), /^cartpole-moon-seed3-\d+\.csv$/)
    const rows = (await contents(download)).toString().trimEnd().split('\r\n')
    const [header, ...table] = rows.map((row) => row.split(','))
    assert.equal(header[0], 'step')
    assert.ok(header.includes('return_mean') && header.includes('entropy'), header.join())
    for (const row of table) assert.equal(row.length, header.length)
    const stepsOf = table.map(([step]) => Number(step))
    assert.ok(stepsOf.length > 2 && stepsOf.every((step, i) => i === 0 || step > stepsOf[i - 1]))
    const last = Number(table.at(-1)[header.indexOf('return_mean')])
    const shown = Number((await visitor.at('return').textContent()).trim())
    assert.ok(Math.abs(last - shown) <= 0.051, `${last} in the table, ${shown} in the page`)
  })

  test('exports a chart as SVG and PNG', async (visitor) => {
    const svg = await contents(await exported(visitor, 'export-svg-return_mean'))
    const texts = await visitor.page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
      if (parsed.querySelector('parsererror')) throw new Error(parsed.documentElement.textContent)
      return [...parsed.querySelectorAll('text')].map((element) => element.textContent)
    }, svg.toString())
    for (const text of ['CartPole, Moon gravity, seed 3', 'steps', 'Mean return (reward per episode)'])
      assert.ok(texts.includes(text), texts.join(' | '))
    const drawn = await decoded(visitor, svg, 'image/svg+xml')
    assert.deepEqual([drawn.width, drawn.height], [640, 380])
    const png = await decoded(
      visitor,
      await contents(await exported(visitor, 'export-png-return_mean')),
      'image/png',
    )
    assert.deepEqual([png.width, png.height], [1280, 760])
    assert.ok(drawn.colors > 20 && png.colors > 20)
  })

  test('exports the live view as PNG', async (visitor) => {
    const picture = await decoded(
      visitor,
      await contents(await exported(visitor, 'export-picture')),
      'image/png',
    )
    assert.ok(picture.width > 200 && picture.colors > 20, JSON.stringify(picture))
  })

  test('shares a short link and the code of a frame', async ({ at, page }) => {
    await at('share-menu').click()
    await at('share').click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await until(async () => (await copied()).endsWith('#/cartpole?preset=moon&seed=3'), 'the link')
    await at('share-menu').click()
    await at('embed-code').click()
    await until(async () => (await copied()).startsWith('<iframe'), 'the code')
    const src = (await copied()).match(/src="([^"]*)"/)[1].replaceAll('&amp;', '&')
    assert.equal(src, new URL('embed/#/cartpole?preset=moon&seed=3', page.url()).href)
  })

  test('is operable by keyboard', async ({ at, page }) => {
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('data-testid'))
    await at('export').press('Enter')
    await until(async () => (await focused()) === 'save', 'the first item')
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'export-csv')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowRight')
    assert.match(await focused(), /^export-png-/)
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'save')
    await page.keyboard.press('Escape')
    assert.equal(await focused(), 'export')
    assert.equal(await at('save').isVisible(), false)
  })
})

describe('the pictures of other exhibits', () => {
  inWindow('the cube is not empty', '#/cube2', {}, async (visitor) => {
    await visitor.at('play').or(visitor.at('pause')).first().waitFor()
    await until(async () => (await visitor.page.locator('.picture canvas').count()) > 0, 'the cube')
    await trains(visitor, 0)
    const file = await contents(await exported(visitor, 'export-picture'))
    const { colors } = await decoded(visitor, file, 'image/png')
    assert.ok(colors > 200, `${colors} colors`)
  })
})
