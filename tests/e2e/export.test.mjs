// The export menu of an exhibit: checkpoint, network, metrics, pictures, videos and charts; the link of the share menu.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'
import { target } from '../../scripts/run.mjs'
import {
  chooseMore,
  clipboard,
  exported,
  forget,
  inWindow,
  number,
  pause,
  sharedWindow,
  steps,
  trains,
  until,
} from './exhibit.mjs'
import { open as openGame, says } from './games.mjs'
import { visit } from './page.mjs'

const cartpole = '#/cartpole?preset=moon&seed=3&speed=max'

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

/** Returns the cells of a CSV file without quotes, row by row. */
const tableOf = (bytes) =>
  bytes
    .toString()
    .trimEnd()
    .split('\r\n')
    .map((row) => row.split(','))

const contents = async (download) => readFile(await download.path())

/** Exports the checkpoint of a paused run, and returns a function that converts it with the native program. */
async function withProgram(visitor) {
  const folder = await mkdtemp(join(tmpdir(), 'vivarium-'))
  const checkpoint = join(folder, 'run.safetensors')
  await (await exported(visitor)).saveAs(checkpoint)
  return async (format) => {
    const out = join(folder, format)
    await promisify(execFile)(join(target, 'debug', 'vivarium'), [
      ...['export', checkpoint, '--to', format, '--out', out],
    ])
    return out
  }
}

/** Pauses, and asserts that the page exports the same weights as the native program. */
async function writesWeights(visitor) {
  await pause(visitor)
  const convert = await withProgram(visitor)
  const weights = await contents(await exported(visitor, 'export-weights'))
  assert.ok(weights.equals(await readFile(await convert('weights'))))
}

/** Records a view for two seconds, and calls `during` before the end. `item`: what is recorded. Returns the download. */
async function recorded(visitor, during = async () => {}, item = 'record-video') {
  const { at, page } = visitor
  await chooseMore(visitor, 'export')
  await at(item).click()
  const recording = at('recording')
  await until(async () => /0:0[2-9]|0:[1-5]/.test(await recording.textContent()), 'two seconds')
  await during()
  const stop = recording.getByTestId('toast-action')
  const [download] = await Promise.all([page.waitForEvent('download'), stop.click()])
  return download
}

/**
 * Plays a video in an empty page, since the policy of the page allows no media. Returns its size, its length in seconds,
 * and the number of colors of a picture in its middle.
 */
async function played({ window }, bytes) {
  const page = await window.newPage()
  try {
    return await page.evaluate(async (base64) => {
      const video = document.createElement('video')
      const happens = (name) => new Promise((done) => video.addEventListener(name, done, { once: true }))
      const seek = async (time) => {
        const sought = happens('seeked')
        video.currentTime = time
        await sought
      }
      const loaded = happens('loadeddata')
      video.src = `data:video/webm;base64,${base64}`
      await loaded
      const seconds = video.duration
      await seek(seconds / 2)
      const { videoWidth: width, videoHeight: height } = video
      const pen = new OffscreenCanvas(width, height).getContext('2d')
      let colors = 0
      // The position is known before the frame is decoded.
      for (let i = 0; i < 100 && colors < 2; i++) {
        await new Promise((next) => setTimeout(next, 20))
        pen.drawImage(video, 0, 0)
        colors = new Set(new Uint32Array(pen.getImageData(0, 0, width, height).data.buffer)).size
      }
      return { width, height, seconds, colors }
    }, bytes.toString('base64'))
  } finally {
    await page.close()
  }
}

/** Opens an exhibit and trains until it has a curve and a timeline. */
async function open(where) {
  const visitor = await visit(where, clipboard)
  await trains(visitor)
  await until(async () => (await steps(visitor)) > 60_000, 'a curve')
  await until(async () => (await number(visitor, 'timeline', 'snapshots')) > 1, 'two snapshots')
  await pause(visitor)
  return visitor
}

describe('the export menu', () => {
  const test = sharedWindow(() => open(cartpole))

  test('exports the metrics as CSV, one row per step', async (visitor) => {
    const download = await exported(visitor, 'export-csv')
    assert.match(download.suggestedFilename(), /^cartpole-moon-seed3-\d+\.csv$/)
    const [header, ...table] = tableOf(await contents(download))
    assert.deepEqual(header.slice(0, 2), ['step', 'elapsed'])
    assert.ok(header.includes('return_mean') && header.includes('entropy'), header.join())
    for (const row of table) assert.equal(row.length, header.length)
    const stepsOf = table.map(([step]) => Number(step))
    assert.ok(stepsOf.length > 2 && stepsOf.every((step, i) => i === 0 || step > stepsOf[i - 1]))
    const last = Number(table.at(-1)[header.indexOf('return_mean')])
    const shown = Number((await visitor.at('return').textContent()).trim())
    assert.ok(Math.abs(last - shown) <= 0.051, `${last} in the table, ${shown} in the page`)
  })

  test('exports a chart as PDF, SVG and PNG', async (visitor) => {
    const svg = await contents(await exported(visitor, 'export-svg-return_mean'))
    const texts = await visitor.page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
      if (parsed.querySelector('parsererror')) throw new Error(parsed.documentElement.textContent)
      return [...parsed.querySelectorAll('text')].map((element) => element.textContent)
    }, svg.toString())
    for (const text of [
      'CartPole, Moon gravity, seed 3',
      'Environment steps',
      'Mean return (reward per episode)',
    ])
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
    // The menu stays open while the width is chosen: one column of a paper.
    const choose = async (width) => {
      await chooseMore(visitor, 'export')
      const item = visitor.at(`export-width-${width}`)
      await item.click()
      await until(async () => (await item.getAttribute('aria-checked')) === 'true', 'the width')
      await visitor.page.keyboard.press('Escape')
    }
    await choose('column')
    const column = (await contents(await exported(visitor, 'export-svg-return_mean'))).toString()
    assert.match(column, /width="237.6pt"/)
    const pdf = (await contents(await exported(visitor, 'export-pdf-return_mean'))).toString('latin1')
    const [, width] = /\/MediaBox \[0 0 ([\d.]+) /.exec(pdf) ?? []
    assert.equal(Number(width).toFixed(2), '237.60')
    // Vector graphics with an embedded font.
    assert.ok(pdf.includes('/FontFile2') && !pdf.includes('/Subtype /Image'))
    await choose('screen')
  })

  test('exports a heat map as a figure with its axes and color scale', async (visitor) => {
    const svg = await contents(await exported(visitor, 'export-svg-policy-map'))
    for (const text of [
      'Pole angle (°)',
      'Pole angular velocity (°/s)',
      '100\u00a0% left',
      '100\u00a0% right',
    ])
      assert.ok(svg.toString().includes(`>${text}</text>`), text)
    // The values at which the other dimensions of the state are held.
    assert.match(
      svg.toString(),
      />Same for the whole map: Cart position −?\d\.\d\d\sm, Cart velocity −?\d\.\d\d\sm\/s\.</,
    )
    // The cells are an embedded image.
    const drawn = await decoded(visitor, svg, 'image/svg+xml')
    assert.ok(drawn.colors > 40, JSON.stringify(drawn))
  })

  test('exports the numbers of a heat map as CSV, one row per cell', async (visitor) => {
    const download = await exported(visitor, 'export-csv-policy-map')
    assert.match(download.suggestedFilename(), /^cartpole-moon-seed3-\d+-policy-map\.csv$/)
    const [header, ...cells] = tableOf(await contents(download))
    assert.match(header.join(), /^Pole angle .*,Pole angular velocity .*-1: left, *1: right/)
    assert.equal(Math.sqrt(cells.length) % 1, 0, `${cells.length} cells of a square`)
    for (const cell of cells) {
      const values = cell.map(Number)
      // The coordinates of all dimensions of the state, and the value.
      assert.ok(values.length === 5 && values.every(Number.isFinite) && Math.abs(values[4]) <= 1, cell.join())
    }
  })

  test('exports the live view as PNG with at least two pixels per CSS pixel', async (visitor) => {
    const picture = await decoded(
      visitor,
      await contents(await exported(visitor, 'export-picture')),
      'image/png',
    )
    const view = await visitor.page.locator('main .picture .inside').boundingBox()
    assert.ok(picture.width >= Math.floor(2 * view.width), `${picture.width} of ${view.width}`)
    assert.ok(picture.colors > 20, JSON.stringify(picture))
  })

  test('exports the network as the ONNX file that the program writes', async (visitor) => {
    const convert = await withProgram(visitor)
    const download = await exported(visitor, 'export-onnx')
    assert.match(download.suggestedFilename(), /^cartpole-moon-seed3-\d+\.onnx$/)
    const bytes = await contents(download)
    assert.ok(bytes.includes('log_probabilities'))
    assert.ok(bytes.equals(await readFile(await convert('onnx'))), 'the file of the program')
  })

  test('records the live view as a video, until it is stopped', async (visitor) => {
    const { at, page } = visitor
    const download = await recorded(visitor, async () => {
      // There is one recording at a time.
      await chooseMore(visitor, 'export')
      await at('export-picture').waitFor()
      assert.equal(await at('record-video').count(), 0)
      await page.keyboard.press('Escape')
    })
    assert.match(download.suggestedFilename(), /^cartpole-moon-seed3-\d+-video\.webm$/)
    const file = await contents(download)
    // The index of the key frames.
    assert.ok(file.includes(Buffer.from('1c53bb6b', 'hex')))
    const video = await played(visitor, file)
    assert.ok(video.seconds > 1 && video.width > 200 && video.colors > 20, JSON.stringify(video))
    await at('recording').waitFor({ state: 'detached' })
  })

  test('records the timeline of the run as a video', async (visitor) => {
    const { at, page } = visitor
    await chooseMore(visitor, 'export')
    const [download] = await Promise.all([page.waitForEvent('download'), at('record-run').click()])
    const video = await played(visitor, await contents(download))
    const snapshots = await number(visitor, 'timeline', 'snapshots')
    // Each snapshot is shown for almost a second.
    assert.ok(video.seconds > snapshots / 2 && video.colors > 20, JSON.stringify({ ...video, snapshots }))
    assert.equal(await at('timeline').getAttribute('data-value'), '')
  })

  test('shares a short link, and the code of a frame with the chosen parts and theme', async (visitor) => {
    const { at, page } = visitor
    await chooseMore(visitor, 'share-menu')
    await at('share').click()
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await until(async () => (await copied()).endsWith('#/cartpole?preset=moon&seed=3'), 'the link')
    await chooseMore(visitor, 'share-menu')
    await at('cite-bibtex').click()
    await until(async () => (await copied()).startsWith('@misc{vivarium-cartpole-seed3-'), 'a citation')
    const trained = number(visitor, 'steps')
    assert.match(await copied(), /Version [\d.]+ .*world\.gravity = 1\.62\. [\d,]+ steps on the CPU/)
    assert.ok((await copied()).includes(`${(await trained).toLocaleString('en')} steps`), await copied())
    await chooseMore(visitor, 'share-menu')
    await at('embed').click()
    await until(async () => (await number(visitor, 'embed-preview', 'height')) > 0, 'the preview')
    const preview = page.frameLocator('[data-testid="embed-preview"]')
    await preview.getByTestId('play').waitFor()
    const dialog = at('embed-dialog')
    // The height is measured at the chosen width, also if the dialog is narrower or wider.
    const width = () => preview.locator('html').evaluate(() => innerWidth)
    for (const chosen of [1000, 400]) {
      await at(`embed-width-${chosen}`).check()
      await until(async () => (await width()) === chosen, `a preview of ${chosen} pixels`)
    }
    // The choices stay in place while the preview grows and shrinks.
    const top = async () => (await at('embed-theme-light').boundingBox()).y
    const before = await top()
    await dialog.getByTestId('embed-controls').uncheck()
    await dialog.getByTestId('embed-export').uncheck()
    await preview.getByTestId('living-view').waitFor()
    assert.equal(await top(), before)
    await at('embed-theme-light').check()
    await until(
      async () => (await preview.locator('html').getAttribute('data-theme')) === 'light',
      'the theme',
    )
    await preview.getByTestId('living-view').waitFor()
    assert.equal(await preview.getByTestId('play').isVisible(), false)
    await at('embed-code').click()
    await until(async () => (await copied()).startsWith('<iframe'), 'the code')
    const src = (await copied()).match(/src="([^"]*)"/)[1].replaceAll('&amp;', '&')
    assert.equal(
      src,
      new URL('embed/#/cartpole?preset=moon&seed=3&show=picture,curve&theme=light', page.url()).href,
    )
    assert.match(await copied(), /min-height: max\(\d+px, /)
    // The curves of the run, in a frame that has not trained.
    await chooseMore(visitor, 'share-menu')
    await at('embed').click()
    await at('embed-curves').check()
    await preview.getByTestId('compared-runs').filter({ hasText: 'Recorded: Moon gravity, seed 3' }).waitFor()
    assert.equal(await preview.getByTestId('return').textContent(), '–')
    assert.match(await at('embed-html').inputValue(), /&amp;curves=[\w-]+&amp;paused=1" title/)
    // A step of the guide, with a caption.
    await at('embed-guide').selectOption('2')
    await at('embed-caption').fill('Learning from rewards')
    await preview.getByTestId('guide-act').waitFor()
    await at('embed-code').click()
    await until(async () => (await copied()).startsWith('<figure style='), 'the code with a caption')
    assert.match(
      await copied(),
      /&amp;guide=2&amp;theme=light&amp;paused=1".*<figcaption>Learning from rewards<\/figcaption>/,
    )
  })

  test('is operable by keyboard', async ({ at, page }) => {
    const focused = () => page.evaluate(() => document.activeElement.getAttribute('data-testid'))
    await at('more-actions').press('Enter')
    await until(async () => (await focused()) === 'share-menu', 'the first action')
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'export')
    await page.keyboard.press('Enter')
    await until(async () => (await focused()) === 'save', 'the first item')
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'export-onnx')
    await page.keyboard.press('End')
    assert.match(await focused(), /^export-pdf-/)
    for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowRight')
    assert.match(await focused(), /^export-png-/)
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), 'save')
    await page.keyboard.press('Escape')
    assert.equal(await focused(), 'more-actions')
    assert.equal(await at('save').isVisible(), false)
  })
})

describe('the exporters of networks', () => {
  inWindow('are loaded again after a failure', cartpole, { serviceWorkers: 'block' }, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await page.route('**/*', (route) => route.abort())
    await chooseMore(visitor, 'export')
    await at('export-onnx').click()
    assert.match(await at('error').textContent(), /could not be loaded/)
    forget(visitor, /ERR_FAILED|could not be loaded|dynamically imported/)
    await page.unroute('**/*')
    const [download] = await Promise.all([page.waitForEvent('download'), at('toast-action').click()])
    assert.match(download.suggestedFilename(), /\.onnx$/)
    assert.equal((await at('error').count()) + (await at('busy').count()), 0)
  })

  const small =
    'learner.layers=1&learner.width=32&learner.heads=2&learner.context=32&encyclopedia.bytes=100000'
  inWindow('write the files of a language model', `#/language?${small}`, {}, async (visitor) => {
    await trains(visitor, 0)
    await pause(visitor)
    const convert = await withProgram(visitor)
    const download = await exported(visitor, 'export-huggingface')
    const files = Object.entries(unzipSync(await contents(download)))
    const folder = download.suggestedFilename().replace('-huggingface.zip', '')
    const written = await convert('huggingface')
    assert.equal(files.length, 5)
    for (const [name, bytes] of files) {
      assert.ok(name.startsWith(`${folder}/`), name)
      assert.ok((await readFile(join(written, name.slice(folder.length + 1)))).equals(bytes), name)
    }
    for (const [item, format] of [
      ['export-onnx', 'onnx'],
      ['export-weights', 'weights'],
    ])
      assert.ok(
        (await contents(await exported(visitor, item))).equals(await readFile(await convert(format))),
        format,
      )

    // The exported folder is opened as a run that continues the training of its model.
    const { at, page } = visitor
    await at('folder-input').setInputFiles(written)
    await until(async () => (await steps(visitor)) === 0, 'the opened model')
    assert.match(page.url(), /learner\.width=/)
    await at('play').click()
    await trains(visitor, 0)
    // Damaged weights are refused.
    await writeFile(join(written, 'model.safetensors'), 'no weights')
    await at('folder-input').setInputFiles(written)
    await at('text-error').waitFor()
    assert.match(await at('text-error').textContent(), /cannot be opened.*model\.safetensors/)
  })

  const game = '#/connect-four?network.width=32&network.blocks=1'
  inWindow('write the weights of a game as the program does', game, {}, async (visitor) => {
    await trains(visitor, 0)
    await writesWeights(visitor)
  })
})

describe('the exporters of the cube', () => {
  inWindow(
    'write pictures and videos that are not empty, and its weights',
    '#/cube2',
    {},
    async (visitor) => {
      await visitor.at('play').or(visitor.at('pause')).first().waitFor()
      await until(async () => (await visitor.page.locator('.picture canvas').count()) > 0, 'the cube')
      await trains(visitor, 0)
      const file = await contents(await exported(visitor, 'export-picture'))
      const { colors } = await decoded(visitor, file, 'image/png')
      assert.ok(colors > 200, `${colors} colors`)
      const video = await played(visitor, await contents(await recorded(visitor)))
      assert.ok(video.seconds > 1 && video.colors > 200, JSON.stringify(video))
      await writesWeights(visitor)
    },
  )
})

/** Shows a position by its ID, and the plays of the search. */
async function analyzed({ at }, id, plays) {
  await at('position-id').fill(id)
  await at('position-set').click()
  await until(async () => (await at('position-id').inputValue()) === '', `the position ${id}`)
  if ((await at('hint').getAttribute('aria-pressed')) === 'false') await at('hint').click()
  await plays.first().waitFor()
}

/** Chooses whether pictures of the board have plays. */
async function choosePlays(visitor, choice) {
  const { at, page } = visitor
  await chooseMore(visitor, 'export')
  await at(`export-plays-${choice}`).click()
  await page.keyboard.press('Escape')
}

/** Exports the board as SVG and PNG, and asserts that the picture has the texts and only shapes. Returns the SVG text. */
async function boardPicture(visitor, name, size, texts) {
  const download = await exported(visitor, 'export-svg-board')
  assert.equal(download.suggestedFilename(), `${name}.svg`)
  const svg = await contents(download)
  const parts = await visitor.page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    if (parsed.querySelector('parsererror')) throw new Error(parsed.documentElement.textContent)
    const all = [...parsed.querySelectorAll('*')]
    return {
      kinds: [...new Set(all.map(({ tagName }) => tagName))],
      colors: [...new Set(all.map((one) => one.getAttribute('fill')))].filter(Boolean),
      texts: [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent),
    }
  }, svg.toString())
  const shapes = ['svg', 'title', 'desc', 'rect', 'path', 'text', 'circle', 'line', 'g']
  for (const kind of parts.kinds) assert.ok(shapes.includes(kind), kind)
  for (const color of parts.colors) assert.match(color, /^(#[\da-f]{6}|none)$/)
  for (const text of texts) assert.ok(parts.texts.includes(text), `${text} in ${parts.texts.join(' | ')}`)
  const drawn = await decoded(visitor, svg, 'image/svg+xml')
  assert.deepEqual([drawn.width, drawn.height], size)
  const png = await decoded(visitor, await contents(await exported(visitor, 'export-png-board')), 'image/png')
  assert.deepEqual([png.width, png.height], [2 * size[0], 2 * size[1]])
  assert.ok(drawn.colors > 50 && png.colors > 50, JSON.stringify([drawn, png]))
  return svg.toString()
}

describe('the pictures of the boards', () => {
  const backgammon = sharedWindow(() => openGame('backgammon'))
  const size = [720, 726]
  const xgid = 'XGID=aABBBBC-----------Bbbcbbb-:2:1:1:31:5:3:0:7:10'

  backgammon('show a backgammon position with its roll, cube, score and plays', async (visitor) => {
    const { at, page } = visitor
    const arrows = page.locator('main .arrow')
    await analyzed(visitor, xgid, arrows)
    const texts = ['You', '83 pips', '71 pips', '4', 'You to play 3-1']
    const withPlays = await boardPicture(visitor, 'backgammon-224DAKC27QAwAA', size, texts)
    assert.ok(withPlays.includes('>Position ID 224DAKC27QAwAA:'))
    await choosePlays(visitor, 'without')
    const without = await boardPicture(visitor, 'backgammon-224DAKC27QAwAA', size, texts)
    const curves = (svg) => svg.match(/<path d="M[\d. ]+Q/g)?.length ?? 0
    assert.ok(curves(withPlays) > 0 && curves(without) === 0)
    await choosePlays(visitor, 'with')
    // A position has no ID during its setup.
    await at('position-edit').click()
    const download = await exported(visitor, 'export-svg-board')
    assert.equal(download.suggestedFilename(), 'backgammon-board.svg')
    assert.ok(!(await contents(download)).toString().includes('Position ID'))
    await at('edit-cancel').click()
  })

  backgammon('are recorded as a video', async (visitor) => {
    const download = await recorded(visitor, undefined, 'record-board')
    assert.match(download.suggestedFilename(), /^backgammon-board-video\.webm$/)
    const video = await played(visitor, await contents(download))
    assert.ok(video.seconds > 1 && video.width >= 1000 && video.colors > 20, JSON.stringify(video))
  })

  const connectFour = sharedWindow(() => openGame('connect-four'))

  connectFour('show a Connect Four position with its moves and marks', async (visitor) => {
    await analyzed(visitor, '4433', visitor.at('worth-legend'))
    await says(visitor, /Your move/)
    await boardPicture(
      visitor,
      'connect-four-4433',
      [560, 632],
      ['You', 'You to move', 'Columns of the moves: 4433'],
    )
    await choosePlays(visitor, 'without')
    const svg = await boardPicture(visitor, 'connect-four-4433', [560, 610], ['7'])
    assert.ok(!svg.includes('stroke-dasharray'))
  })
})
