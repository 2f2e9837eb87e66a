// The language-model page in a browser: training, text generation, attention, token map, quiz, texts of the user.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  exported,
  inWindow,
  number,
  pause,
  sharedWindow,
  trainFast,
  trainSlowly,
  trains,
  until,
} from './exhibit.mjs'
import { visit } from './page.mjs'

// A small model and a short text, for fast tests.
const small = [
  'encyclopedia.bytes=60000',
  'learner.vocabulary=300',
  'learner.context=32',
  'learner.layers=2',
  'learner.heads=2',
  'learner.width=32',
  'learner.batch=4',
  // No test reaches the end of training.
  'learner.anneal_updates=1000000',
  'evaluation.every=20',
  'evaluation.windows=4',
  'evaluation.questions=8',
].join('&')
const desktop = { viewport: { width: 1280, height: 900 } }

/** Text of numbered lines. */
const rhyme = (lines) =>
  Array.from({ length: lines }, (_, i) => `${i % 7} green bottles hanging on the wall number ${i}.\n`).join(
    '',
  )
const textFile = (name, content) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })

const text = async ({ at }) => (await at('playground').textContent()).trim()
const tokens = (visitor) => number(visitor, 'playground', 'tokens')

/** Opens the page and waits for training to start. */
async function open() {
  const visitor = await visit(`#/language?${small}`, desktop)
  await visitor.at('playground').waitFor()
  await trains(visitor)
  await trainSlowly(visitor)
  return visitor
}

/** Generates text after a prompt and waits until it has started. */
async function write(visitor, prompt) {
  const { at } = visitor
  const before = await number(visitor, 'playground', 'writing')
  await at('prompt').fill(prompt)
  await at('write').click()
  await until(
    async () =>
      /^Your text/.test(await at('status').textContent()) &&
      (await number(visitor, 'playground', 'writing')) > before,
    'the text to start',
  )
}

/** Whether a run is stored with a file of this name that contains a text. */
const isStored = (page, name, part) =>
  page.evaluate(
    async ([name, part]) => {
      const root = await navigator.storage.getDirectory()
      /** @type {(folder: any) => AsyncIterable<[string, any]>} */
      const entries = (folder) => folder.entries()
      for await (const [, runs] of entries(root))
        for await (const [, run] of entries(runs))
          for await (const [file, handle] of entries(run))
            if (file === name && (await (await handle.getFile()).text()).includes(part)) return true
      return false
    },
    [name, part],
  )

describe('a language model', () => {
  const test = sharedWindow(open)

  inWindow(
    'waits for a text of which only the name is known',
    `#/language?data=book.txt&${small}`,
    desktop,
    async (visitor) => {
      const { at } = visitor
      await until(async () => (await at('text').getAttribute('data-stage')) === 'missing', 'the missing text')
      assert.match(await at('text').textContent(), /This run trains on\s+“book\.txt”/)
      await at('text-input').setInputFiles({
        name: 'copy.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from('A line of the book.\n'.repeat(4000)),
      })
      await at('playground').waitFor()
      await trains(visitor, 0)
    },
  )

  inWindow(
    'opens the included model by a button of the guide in projector mode, which hides the button of the exhibit',
    '#/language?guide=3&projector=1',
    desktop,
    async ({ at }) => {
      await until(() => at('guide-act').isEnabled(), 'the button')
      await at('guide-act').click()
      await at('guide-result').getByText('Counting pairs has a perplexity of').waitFor()
    },
  )

  inWindow(
    'opens the included model with its evaluation in the guide, and restores it after a reload',
    `#/language?guide=9&${small}`,
    desktop,
    async (visitor) => {
      const { at, page } = visitor
      await until(async () => (await number(visitor, 'status', 'earlier')) > 100_000, 'the included model')
      await until(() => at('guide-act').isEnabled(), 'the experiment')
      assert.equal(await number(visitor, 'guide-card', 'step'), 9)
      assert.match(await at('learning').textContent(), /trained before/)
      // Its text is built in, so that it can be trained further.
      await until(async () => /encyclopedia/.test(await at('text').textContent()), 'its text')
      // The answers are shown by the button.
      assert.ok((await number(visitor, 'questions')) > 0)
      assert.equal(await at('quiz-share').count(), 0)
      await at('guide-act').click()
      await at('guide-result').waitFor()
      assert.match(await at('guide-result').textContent(), /42\s%/)
      assert.equal(await number(visitor, 'steps'), 0)

      await until(() => isStored(page, 'page.json', '"earlierSteps":41'), 'the model to be stored')
      await page.reload()
      await until(async () => (await number(visitor, 'status', 'earlier')) > 100_000, 'the restored model')
      // The step shows other parts of the exhibit.
      await at('opened-result').waitFor({ state: 'attached' })
    },
  )

  inWindow(
    'resumes from a checkpoint when its text is opened again',
    `#/language?${small}`,
    desktop,
    async (visitor) => {
      const { at, page } = visitor
      await at('playground').waitFor()
      await trainSlowly(visitor)
      await at('text-input').setInputFiles(textFile('bottles.txt', rhyme(400)))
      await until(async () => /Training text: bottles\.txt/.test(await at('text').textContent()), 'the text')
      await trains(visitor, 0)
      await pause(visitor)
      const learned = await number(visitor, 'steps')
      const download = await exported(visitor)
      const file = join(await mkdtemp(join(tmpdir(), 'vivarium-')), download.suggestedFilename())
      await download.saveAs(file)

      // The browser stores the text with the run.
      assert.match(await at('text-kept').textContent(), /stored with the run/)
      await until(() => isStored(page, 'attachment.json', 'bottles.txt'), 'the text to be stored')
      await page.reload()
      await until(
        async () => /Training text: bottles\.txt/.test(await at('text').textContent()),
        'the text to be restored',
      )
      assert.ok((await number(visitor, 'steps')) > 0)

      // Open the checkpoint without the text.
      await at('open-input').setInputFiles(file)
      await until(
        async () => /This model can write\..*“bottles\.txt”/s.test(await at('text').textContent()),
        'the missing text',
      )
      await at('playground').waitFor()
      await write(visitor, 'green')
      await until(
        async () => /^green./.test(await text(visitor)),
        'text generation without the training text',
      )
      await at('text-input').setInputFiles(textFile('others.txt', rhyme(500)))
      await at('text-error').waitFor()
      assert.match(await at('text-error').textContent(), /not the original training text/)
      await at('text-input').setInputFiles(textFile('copy.txt', rhyme(400)))
      await trains(visitor, learned)
      await until(async () => /Training text: bottles\.txt/.test(await at('text').textContent()), 'the text')
      assert.equal(await at('text-error').count(), 0)
    },
  )

  inWindow(
    'fits on a phone',
    `#/language?${small}`,
    {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      reducedMotion: 'reduce',
    },
    async (visitor) => {
      const { at, page } = visitor
      // With reduced motion, training starts with a click on a button in the middle of its box.
      await page.setViewportSize(desktop.viewport)
      const [button, box] = [
        await at('begin').boundingBox(),
        await at('begin').locator('xpath=../..').boundingBox(),
      ]
      const middle = ({ x, width }) => x + width / 2
      assert.ok(Math.abs(middle(button) - middle(box)) < 2)
      assert.ok(button.y > box.y + 0.3 * box.height)
      await page.setViewportSize({ width: 390, height: 844 })
      await at('begin').tap()
      await at('playground').waitFor()
      await trains(visitor, 0)
      await trainSlowly(visitor)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= 390, `the page is ${wide} pixels wide`)
      // Without a minimum length, the text may end before it is longer than its box.
      await at('minimum-length').fill('200')
      await at('length').fill('0.75')
      await write(visitor, 'The river')
      await until(async () => (await at('stop-writing').count()) === 0, 'the end of the text')
      // The prompt of a long text stays in view.
      const place = await at('playground').evaluate((text) => {
        const { clientHeight, scrollHeight, scrollTop } = text.closest('.box')
        return { long: scrollHeight > clientHeight, scrollTop }
      })
      assert.deepEqual(place, { long: true, scrollTop: 0 })
      await page.locator('[data-at="1"]').tap()
      await at('alternatives').waitFor()
    },
  )

  test('is set up, trains, and its loss falls', async (visitor) => {
    const { at } = visitor
    await trainFast(visitor)
    await until(async () => (await number(visitor, 'curve', 'evaluations')) >= 2, 'two evaluations')
    const first = await number(visitor, 'perplexity')
    await until(async () => (await number(visitor, 'perplexity')) < 0.75 * first, 'the loss to fall')
    assert.match(await at('parameters').textContent(), /\d/)
    assert.match(await at('text').textContent(), /encyclopedia.*300\s+different\s+tokens/s)
    // Samples are stored and can be selected.
    await until(async () => (await number(visitor, 'moment', 'samples')) >= 2, 'samples')
    await at('scrubber').fill('0')
    assert.equal(await number(visitor, 'moment'), 0)
    // Quiz questions are part of the evaluations.
    await until(async () => (await number(visitor, 'questions')) > 0, 'questions')
    assert.equal(await at('quiz-share').count(), 0, 'the visitor answers first')
    await at('answer').click()
    assert.match(await at('question').textContent(), /[✓✗] you/)
    await at('show-answers').click()
    assert.match(await at('quiz-compared').textContent(), /You have [01] of 1 right/)
    await until(async () => (await number(visitor, 'quizzes')) >= 2, 'two scores')
    const share = await number(visitor, 'quiz-share')
    assert.ok(share >= 0 && share <= 1)
    await trainSlowly(visitor)
  })

  test('continues a prompt, and another token at a position', async (visitor) => {
    const { at, page } = visitor
    await at('length').fill('0.4')
    await write(visitor, 'The capital of')
    await until(async () => (await at('stop-writing').count()) === 0, 'the end of the text')
    assert.match(await text(visitor), /^The capital of/)
    const length = await tokens(visitor)
    assert.ok(length > 4)
    assert.match(await at('status').textContent(), /^Your text/)

    // Generation works while training is paused.
    await pause(visitor)
    await write(visitor, 'Iron is')
    await until(async () => (await at('stop-writing').count()) === 0, 'the end of the other text')
    assert.match(await text(visitor), /^Iron is/)

    // Replace the last token.
    const last = page.locator('[data-at]').last()
    await last.scrollIntoViewIfNeeded()
    await last.focus()
    await page.keyboard.press('Enter')
    await at('alternatives').waitFor()
    const instead = await at('alternative-1').locator('.text').textContent()
    const place = Number(await last.getAttribute('data-at'))
    const before = await number(visitor, 'playground', 'writing')
    await at('alternative-1').click()
    await until(
      async () => (await number(visitor, 'playground', 'writing')) > before,
      'the text to continue from there',
    )
    const chosen = page.locator(`[data-at="${place}"]`)
    assert.equal(
      (await chosen.textContent()).replaceAll(' ', '␣').replaceAll('\n', '¶').replaceAll('\t', '⇥'),
      instead,
    )

    // Errors appear at the prompt, and the text stays.
    await at('prompt').fill('word '.repeat(400))
    await at('write').click()
    await at('prompt-error').waitFor()
    assert.match(await at('prompt-error').textContent(), /prompt/)
    await at('prompt').fill('')
    await at('prompt-error').waitFor({ state: 'detached' })
    await at('play').click()
  })

  test('shows attention weights and the token map', async (visitor) => {
    const { at, page } = visitor
    await at('attention').scrollIntoViewIfNeeded()
    await until(async () => (await number(visitor, 'attention', 'size')) > 4, 'attention')
    assert.equal(await page.getByTestId(/^head-\d/).count(), 2)
    /** Whether a canvas has more than two colors. */
    const drawn = (selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((canvas) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
          return new Set(new Uint32Array(data.buffer)).size > 2
        })
    await until(() => drawn('label:has([data-testid=head-0]) canvas'), 'an attention matrix')
    await at('layer-0').press('ArrowRight')
    await at('head-1').click()
    assert.equal(await at('head-1').isChecked(), true)
    await at('attention').focus()
    await page.keyboard.press('ArrowLeft')
    await until(async () => (await number(visitor, 'attention', 'row')) >= 0, 'a query token')
    // Its row has a label, also if the text is too long for labels of all rows.
    const label = at('attention-matrix').locator('.queries .on')
    await until(async () => (await label.count()) === 1, 'the label of the row')

    await at('token-map').scrollIntoViewIfNeeded()
    await until(async () => (await number(visitor, 'token-map', 'tokens')) > 100, 'the map')
    await until(() => drawn('[data-testid=token-map] canvas'), 'tokens on the map')
  })

  test('is saved, and resumes from the checkpoint', async (visitor) => {
    const { at } = visitor
    await until(async () => (await number(visitor, 'curve', 'evaluations')) >= 1, 'an evaluation')
    await pause(visitor)
    const learned = await number(visitor, 'steps')
    const download = await exported(visitor)
    const file = join(await mkdtemp(join(tmpdir(), 'vivarium-')), download.suggestedFilename())
    await download.saveAs(file)
    assert.match((await readFile(file)).subarray(8, 4096).toString(), /language/)
    await at('preset').selectOption('tiny')
    await until(async () => (await number(visitor, 'steps')) < learned, 'another run')
    await at('open-input').setInputFiles(file)
    await until(async () => (await number(visitor, 'steps')) >= learned, 'the run of the checkpoint')
    await at('playground').waitFor()
    await write(visitor, 'The')
    assert.match(await text(visitor), /^The/)
    // Selecting a preset has started training.
    await trains(visitor, learned)
  })

  test('trains on an opened text, and reports invalid files', async (visitor) => {
    const { at } = visitor
    const bring = (...files) =>
      at('text-input').setInputFiles(files.map(([name, content]) => textFile(name, content)))
    const running = await number(visitor, 'steps')
    for (const { file, wrong } of [
      { file: ['picture.png', 'x'], wrong: /picture\.png is not a text file/ },
      { file: ['empty.txt', ''], wrong: /empty\.txt is empty/ },
      { file: ['latin.txt', Uint8Array.of(75, 0xf6, 108, 110)], wrong: /latin\.txt is not UTF-8/ },
    ]) {
      await bring(file)
      await until(async () => wrong.test((await at('text-error').allTextContents()).join('')), String(wrong))
    }
    // The run has not been interrupted.
    await trains(visitor, running)

    await bring(['bottles.txt', rhyme(800)], ['more.md', rhyme(90)])
    await until(async () => /bottles\.txt and 1 more/.test(await at('text').textContent()), 'the text')
    assert.equal(await at('text-error').count(), 0)
    await at('playground').waitFor()
    await trains(visitor, 0)
    assert.match(await at('text').textContent(), /different\s+characters/)
    await write(visitor, 'green')
    // Character by character.
    await until(async () => /^green/.test(await text(visitor)), 'the prompt')
    await at('prompt').fill('Ω')
    await at('write').click()
    await at('prompt-error').waitFor()
    // Back to the built-in text.
    await at('built-in-text').click()
    await until(async () => /encyclopedia/.test(await at('text').textContent()), 'the encyclopedia')
  })

  test('trains on a pasted text, and opens the trained model without training it', async (visitor) => {
    const { at } = visitor
    assert.match(await at('text-topics').textContent(), /only articles about countries/)
    await at('own-text').click()
    await at('pasted-text').fill('hello')
    assert.match(await at('pasted-length').textContent(), /5\s+bytes, at least \d+ are needed/)
    assert.equal(await at('train-on-pasted').isEnabled(), false)
    await at('pasted-text').fill(rhyme(400))
    await at('train-on-pasted').click()
    await until(
      async () => /pasted text, [\d,]+ bytes, [0-9a-f]{4}/.test(await at('text').textContent()),
      'the text',
    )
    assert.equal(await at('pasted-text').count(), 0)
    await until(async () => /only your text/.test(await at('text-topics').textContent()), 'its name')
    await trains(visitor, 0)

    await at('trained-model').click()
    await until(async () => (await number(visitor, 'status', 'included')) === 1, 'the trained model')
    assert.equal(await number(visitor, 'steps'), 0)
    assert.equal(await at('preset').evaluate((select) => select.selectedOptions[0].label), 'Opened model')
    await at('play').waitFor()
    await at('train-further').click()
    await trains(visitor, 0)
  })

  test('trains on a folder, and on dropped files and folders', async (visitor) => {
    const { at, page } = visitor
    const folder = join(await mkdtemp(join(tmpdir(), 'vivarium-')), 'shelf')
    await mkdir(join(folder, 'inner'), { recursive: true })
    const [one, two] = [join(folder, 'one.txt'), join(folder, 'inner', 'two.md')]
    const other = 'Nobody hangs anything on this one, says the wall.\n'.repeat(300)
    await writeFile(one, rhyme(400))
    await writeFile(two, other)
    await writeFile(join(folder, 'inner', 'picture.png'), 'no text')
    const reads = (name, content) =>
      until(
        async () =>
          (await at('text').textContent()).includes(`${name}, ${Math.round(content.length / 1000)}\u00a0KB,`),
        `${name} to be tokenized`,
      )
    await at('folder-input').setInputFiles(folder)
    await reads('shelf', rhyme(400) + other)
    await trains(visitor, 0)

    const browser = await page.context().newCDPSession(page)
    const drop = async (file) => {
      const data = { items: [], files: [file], dragOperationsMask: 1 }
      const send = (type) => browser.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
      await send('dragEnter')
      await send('dragOver')
      // Chromium drops only after the page has accepted the drag, so an early drop has no effect and is repeated.
      await page.locator('.drop').waitFor()
      const before = await page.evaluate(() => globalThis.drops)
      await until(async () => {
        await send('dragOver')
        await send('drop')
        return (await page.evaluate(() => globalThis.drops)) > before
      }, 'the drop')
    }
    await page.evaluate(() => {
      globalThis.drops = 0
      addEventListener('drop', () => globalThis.drops++, { capture: true })
    })
    await drop(two)
    await reads('two.md', other)
    await drop(folder)
    await reads('shelf', rhyme(400) + other)
    await drop(join(folder, 'inner', 'picture.png'))
    await at('text-error').waitFor()
    assert.match(await at('text-error').textContent(), /picture\.png is not a text file/)
    await trains(visitor)
  })

  test('rejects an unusable text, and accepts another one', async (visitor) => {
    const { at } = visitor
    const refused = async (name, content, wrong) => {
      await at('text-input').setInputFiles(textFile(name, content))
      await until(async () => wrong.test((await at('text-error').allTextContents()).join('')), String(wrong))
    }
    // A text shorter than a window is rejected immediately, and the run continues.
    const running = await number(visitor, 'steps')
    await refused('note.txt', 'Buy bottles.\n', /note\.txt has 13 bytes; at least \d+/)
    await trains(visitor, running)
    // Long enough for a model, but the held-out split is empty, which is found while tokenizing.
    const oneLetter = 'one-letter.txt'
    await refused(oneLetter, 'a'.repeat(300), /one-letter\.txt.*too short: the validation split has 0 tokens/)
    // The error is reported before the next view.
    const cannot = `“${oneLetter}” cannot be used for training`
    await until(async () => (await at('text').textContent()).includes(cannot), cannot)
    await at('text-input').setInputFiles(textFile('bottles.txt', rhyme(400)))
    await until(async () => /Training text: bottles\.txt/.test(await at('text').textContent()), 'the text')
    assert.equal(await at('text-error').count(), 0)
    await trains(visitor, 0)
    await until(async () => (await tokens(visitor)) > 4, 'a sample')
  })
})
