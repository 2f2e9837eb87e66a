// The logic automaton in a real browser. Each visit covers several features, to save page loads.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import {
  chooseMore,
  exported,
  inWindow,
  loadAnew,
  number,
  screenshotInterval,
  settled,
  steps,
  stillPicture,
  trains,
  until,
} from './exhibit.mjs'

/** Screenshot of an element, for comparison. */
const picture = (visitor, id) => visitor.at(id).screenshot()

/** Waits until an element has the pixels of a screenshot. */
const equals = (visitor, id, other, what) =>
  until(async () => other.equals(await picture(visitor, id)), what, screenshotInterval)

/** Waits until an element has other pixels than a screenshot. */
const differs = (visitor, id, other, what) =>
  until(async () => !other.equals(await picture(visitor, id)), what, screenshotInterval)

/** Drags on the sandbox; coordinates are fractions of its sides. */
async function stroke({ page, at }, from, to) {
  const box = await at('sandbox').boundingBox()
  const point = ([x, y]) => [box.x + x * box.width, box.y + y * box.height]
  await page.mouse.move(...point(from))
  await page.mouse.down()
  await page.mouse.move(...point(to), { steps: 6 })
  await page.mouse.up()
  await page.mouse.move(box.x - 5, box.y - 5)
}

/** Clicks a button and returns the downloaded file. */
async function saved({ page, at }, button) {
  const downloading = page.waitForEvent('download')
  await at(button).click()
  const download = await downloading
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

describe('the logic automaton', () => {
  inWindow('trains, and its sandbox can be edited', '#/logic-ca?seed=1&speed=max', {}, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    const first = await picture(visitor, 'living-view')
    await differs(visitor, 'living-view', first, 'the pattern to change')
    const untrained = await number(visitor, 'accuracy')
    await until(async () => (await number(visitor, 'accuracy')) !== untrained, 'a change of accuracy')

    // Training pauses, the sandbox keeps running.
    await at('pause').click()
    await at('play').waitFor()
    const before = await number(visitor, 'sandbox-step')
    await until(async () => (await number(visitor, 'sandbox-step')) > before, 'the sandbox to advance')

    // An empty, paused sandbox shows the effect of a brush.
    await at('sandbox-pause').click()
    await at('start-zeros').click()
    await until(async () => (await number(visitor, 'sandbox-step')) === 0, 'the reset')
    const empty = await stillPicture(visitor, 'sandbox')
    await at('tool-draw').click({ force: true })
    // Two fingers zoom without painting.
    await at('sandbox')
      .locator('canvas')
      .evaluate((canvas) => {
        const { left, top, width, height } = canvas.getBoundingClientRect()
        canvas.setPointerCapture = () => {}
        const finger = (kind, pointerId, x) =>
          canvas.dispatchEvent(
            new PointerEvent(kind, {
              pointerId,
              pointerType: 'touch',
              bubbles: true,
              clientX: left + x * width,
              clientY: top + height / 2,
            }),
          )
        finger('pointerdown', 7, 0.45)
        finger('pointerdown', 8, 0.55)
        finger('pointermove', 7, 0.4)
        finger('pointermove', 8, 0.6)
        finger('pointerup', 7, 0.4)
        finger('pointerup', 8, 0.6)
        finger('pointerleave', 8, 0.6)
      })
    await at('reset-view').click()
    await settled(visitor)
    await equals(visitor, 'sandbox', empty, 'the whole empty sandbox')
    await stroke(visitor, [0.45, 0.5], [0.55, 0.5])
    await differs(visitor, 'sandbox', empty, 'the stroke')
    await at('tool-erase').click({ force: true })
    await stroke(visitor, [0.4, 0.5], [0.6, 0.5])
    await equals(visitor, 'sandbox', empty, 'the stroke to disappear')

    for (const wrong of ['0', '2000', 'wide']) {
      await at('size-input').fill(wrong)
      await at('size-set').click()
      assert.match(await at('size-error').textContent(), /1024/)
    }
    await at('size-1024').click({ force: true })
    await until(async () => (await at('sandbox-size').textContent()) === '1024×1024', 'the large sandbox')
    await at('sandbox-pause').click()
    await until(async () => (await number(visitor, 'sandbox-step')) > 2, 'steps of the large sandbox')
    // A picture of the large sandbox would take long.
    await at('size-input').fill('32')
    await at('size-set').click()
    await until(async () => (await at('sandbox-size').textContent()) === '32×32', 'the small sandbox')

    const circuit = await saved(visitor, 'export-json')
    const { format, gates } = JSON.parse(circuit.bytes.toString())
    assert.equal(format, 'vivarium logic circuit')
    assert.ok(Array.isArray(gates))
    assert.match((await saved(visitor, 'export-verilog')).bytes.toString(), /module[\s\S]*endmodule/)
    assert.equal((await saved(visitor, 'export-gif')).bytes.subarray(0, 6).toString(), 'GIF89a')
    // No exporter of networks is offered.
    await chooseMore(visitor, 'export')
    await at('save').waitFor()
    assert.equal(await at('export-onnx').count(), 0)
    await page.keyboard.press('Escape')
    const verilog = await exported(visitor, 'export-circuit-verilog')
    assert.match((await readFile(await verilog.path())).toString(), /module[\s\S]*endmodule/)

    // Invalid files are rejected with their name, and the run continues.
    const folder = await mkdtemp(join(tmpdir(), 'vivarium-'))
    const broken = { ...JSON.parse(circuit.bytes.toString()), outputs: ['g99999'] }
    for (const [name, text] of [
      ['empty', ''],
      ['no text at all', Buffer.from([0, 159, 146, 150])],
      ['a missing wire', JSON.stringify(broken)],
    ]) {
      const file = join(folder, `${name}.json`)
      await writeFile(file, text)
      await at('circuit-input').setInputFiles(file)
      if (typeof text !== 'string') assert.match(await at('error').textContent(), /not text/)
      await at('error').getByRole('button').click()
      await at('error').waitFor({ state: 'detached' })
    }
    const good = join(folder, circuit.name)
    await writeFile(good, circuit.bytes)
    await at('circuit-input').setInputFiles(good)
    await at('opened').waitFor()
    await at('use-trained').click()
    const paused = await steps(visitor)
    await at('play').click()
    await trains(visitor, paused)
  })

  inWindow(
    'learns a small board first, and then offers the large one',
    '',
    { opening: true },
    async (visitor) => {
      const { at, page } = visitor
      await at('enter-logic-ca').click()
      await until(async () => (await number(visitor, 'accuracy')) > 0.98, 'the pattern')
      assert.ok((await steps(visitor)) < 1000)
      await at('large-board').click()
      await page.getByTestId('small-board').waitFor()
      assert.equal(await at('preset').inputValue(), 'checkerboard')
      assert.match(page.url(), /#\/logic-ca\?preset=checkerboard$/)
    },
  )

  inWindow('trains on a drawn pattern', '#/logic-ca?seed=1', {}, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await at('template-blank').click({ force: true })
    assert.ok(await at('train-drawing').isDisabled())
    await at('color-cyan').click()
    await at('editor').click({ position: { x: 60, y: 60 } })
    // A stroke paints its cells also over a selection of the page's text.
    const first = await stillPicture(visitor, 'editor')
    await page.evaluate(() => getSelection().selectAllChildren(document.querySelector('main')))
    const box = await at('editor').boundingBox()
    const move = (x, y) => page.mouse.move(box.x + x * box.width, box.y + y * box.height, { steps: 4 })
    await move(0.5, 0.5)
    await page.mouse.down()
    await move(0.55, 0.5)
    const begun = await stillPicture(visitor, 'editor')
    await move(0.9, 0.5)
    await page.mouse.up()
    assert.ok(
      !first.equals(begun) && !begun.equals(await stillPicture(visitor, 'editor')),
      'the whole stroke',
    )
    await page.evaluate(() => getSelection().removeAllRanges())
    await at('train-drawing').click()
    await page.waitForURL(/drawn/)
    await trains(visitor, 0)
    // The link contains the pattern.
    const { hash } = new URL(page.url())
    await loadAnew(visitor)
    assert.equal(new URL(page.url()).hash, hash)
    assert.equal(await at('preset').inputValue(), '')
  })

  inWindow('runs the Game of Life with a trained circuit', '#/logic-ca?preset=life', {}, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await until(async () => /\d+ of 512/.test(await at('life-right').textContent()), 'the neighborhoods')
    await at('sandbox-pause').click()
    await at('start-zeros').click()
    const empty = await stillPicture(visitor, 'sandbox')
    await at('pattern-glider').click()
    await at('sandbox').click()
    await page.mouse.move(0, 0)
    await differs(visitor, 'sandbox', empty, 'the glider')
    await at('evaluate').click()
    await at('evaluation-result').waitFor()
  })

  const drawn = 'task.target=drawn&task.drawing=8x8x1:8000000000000000&task.width=8&task.height=8'
  const easy = 'task.batch=1&task.start=zeros&task.steps=2&circuit.channels=4&circuit.kernels=2'
  const short = `#/logic-ca?${drawn}&${easy}&circuit.update=16,8,4&learning.epochs=1000&speed=max`
  inWindow(
    'resets the solved state when training continues with another pattern',
    short,
    {},
    async (visitor) => {
      const { at, page } = visitor
      await at('solved').waitFor()
      await at('evaluate').click()
      await at('evaluation-result').waitFor()
      await at('editor').focus()
      for (const key of ['ArrowRight', 'ArrowDown', 'Enter', 'ArrowRight', 'ArrowDown', 'Enter'])
        await page.keyboard.press(key)
      await at('continue-training').click()
      await at('solved').waitFor({ state: 'detached' })
      assert.equal(await at('evaluation-result').count(), 0)
    },
  )
})
