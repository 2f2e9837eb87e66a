// Quiz about the errors of a match of backgammon in a real browser, by keyboard.
import assert from 'node:assert/strict'
import { inWindow, twoFrames, until } from './exhibit.mjs'
import { matchWindow, meetTrained, movable, openedRecord, says } from './games.mjs'

/** Test IDs of elements that reveal the answer to a question. */
const answers = [
  'candidates',
  'decision',
  'decision-verdict',
  'opened-turns',
  'error-by-size',
  'match-totals',
]

/** Returns the test ID of the element with the focus. */
const focused = ({ page }) => page.evaluate(() => document.activeElement.getAttribute('data-testid'))

/** Waits for a phase of the quiz, in which a control has the focus. */
async function phase(visitor, name, control) {
  await until(async () => (await visitor.at('match-quiz').getAttribute('data-phase')) === name, name)
  await until(async () => (await focused(visitor)) === control, `the focus on ${control}`)
}

/** Checks that the page shows nothing that answers the question. */
async function hidesAnswer({ at, page }) {
  for (const id of answers) assert.equal(await at(id).count(), 0, id)
  assert.equal(await page.locator('main .arrow').count(), 0)
  assert.equal(await at('win-0').textContent(), '–')
  assert.equal((await at('quiz-verdict').textContent()).trim(), '')
}

/** Makes a play on the board by clicks: each time the first checker to its first target. */
async function play(visitor) {
  const { at, page } = visitor
  while ((await at('quiz-confirm').count()) === 0) {
    // A checker that glides is not at its place yet.
    const isAtRest = () =>
      page
        .locator('.checker')
        .evaluateAll((all) => all.every((checker) => checker.getAnimations().length === 0))
    await until(isAtRest, 'a board at rest')
    const [from] = await movable(visitor)
    await page.mouse.click(from.x, from.y)
    const landing = page.locator('.landing, rect.aim').first()
    const box = await landing.boundingBox()
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    await landing.waitFor({ state: 'detached' })
  }
}

inWindow('the errors of a match are asked in a quiz', '#/backgammon', matchWindow, async (visitor) => {
  const { at, page } = visitor
  await meetTrained(visitor)
  await at('match-input').setInputFiles(openedRecord)
  await at('opened-match').waitFor()
  await at('analyze-match').click()
  await at('analyze-match').waitFor({ state: 'detached' })

  // Doubles of one player: the key begins the quiz, which asks for them only.
  await at('errors-player').selectOption({ label: 'root' })
  await at('errors-kind').selectOption({ label: 'Doubling' })
  const count = await at('error-by-size').count()
  assert.ok(count > 0)
  await at('opened-game').selectOption('2')
  const view = async () => [await at('status').textContent(), await at('opened-game').inputValue()]
  const former = await view()
  await page.locator('h1').click()
  await page.keyboard.press('q')
  await phase(visitor, 'question', 'quiz-answer-0')
  for (let number = 1; number <= count; number++) {
    await says(
      visitor,
      new RegExp(
        `^Question ${number} of ${count} \\(.*match to 5\\): .*(double or no double|take or pass)\\?$`,
      ),
    )
    await hidesAnswer(visitor)
    // Neither keys of the match nor keys of the hints reveal the analysis.
    for (const key of ['h', 'e', 'ArrowRight']) await page.keyboard.press(key)
    assert.equal(
      await at('quiz-score')
        .textContent()
        .then((text) => text.split(':')[0]),
      `${number - 1} of ${count}`,
    )
    await hidesAnswer(visitor)
    assert.equal(await page.getByRole('button', { name: /^(Double|Take)$/ }).count(), 1)
    // Every other double is answered by its key, the other ones by typing.
    const isDouble = (await page.getByRole('button', { name: 'No double' }).count()) > 0
    if (isDouble && number % 2 === 1) await page.keyboard.press('n')
    else {
      await page.keyboard.press('m')
      await until(async () => (await focused(visitor)) === 'typed-play', 'the field')
      await page.keyboard.type(isDouble ? 'd' : 't')
      await page.keyboard.press('Enter')
    }
    await phase(visitor, 'verdict', 'quiz-next')
    if (await at('play-form').count()) {
      await at('play-form').getByRole('button', { name: /Close/ }).click()
      await at('quiz-next').focus()
    }
    const verdict = await at('quiz-verdict').textContent()
    assert.match(
      verdict,
      /^(Right: (no )?(double|take|pass) is the best action\.|(No double|Double|Take) loses [\d.]+)/,
    )
    await page.keyboard.press('Enter')
  }
  await until(async () => (await at('match-quiz').getAttribute('data-phase')) === 'summary', 'the summary')
  const summary = (await at('quiz-summary').textContent()).trim()
  const losses = await at('quiz-loss').evaluateAll((all) => all.map(({ dataset }) => Number(dataset.value)))
  const right = losses.filter((lost) => lost < 0.03).length
  const mean = losses.reduce((sum, lost) => sum + lost, 0) / count
  assert.equal(losses.length, count)
  assert.equal(summary, `${right} of ${count} right, mean loss ${mean.toFixed(3)}.`)
  await until(
    async () => (await focused(visitor)) === (right < count ? 'quiz-again' : 'quiz-end'),
    'the focus in the summary',
  )
  await at('quiz-end').press('Enter')
  await until(async () => (await focused(visitor)) === 'quiz-start', 'the focus on the start')
  assert.deepEqual(await view(), former)
  await at('candidates').waitFor()

  // Plays are made on the board; one that the analysis does not list is evaluated.
  await at('errors-kind').selectOption({ label: 'Plays' })
  const plays = await at('error-by-size').count()
  await at('quiz-start').press('Enter')
  await phase(visitor, 'question', 'board')
  await says(
    visitor,
    new RegExp(`^Question 1 of ${plays} \\(gnubg \\d, root \\d, match to 5\\): root to play \\d-\\d\\.$`),
  )
  await play(visitor)
  await at('quiz-confirm').focus()
  await page.keyboard.press('u')
  await at('quiz-confirm').waitFor({ state: 'detached' })
  await phase(visitor, 'question', 'board')
  await play(visitor)
  await hidesAnswer(visitor)
  await page.keyboard.press('Enter')
  await phase(visitor, 'verdict', 'quiz-next')
  assert.match(await at('quiz-verdict').textContent(), /(is the best play|loses (only )?[\d.]+)/)
  await at('candidates').locator('[data-played="1"]').waitFor()
  assert.ok((await page.locator('main .arrow').count()) > 0)
  await at('quiz-next').press('Enter')
  await says(visitor, /^Question 2 /)
  for (let number = 2; number <= plays; number++) await at('quiz-skip').press('Enter')
  await phase(visitor, 'summary', (await at('quiz-again').count()) > 0 ? 'quiz-again' : 'quiz-end')
  assert.match(
    await at('quiz-summary').textContent(),
    new RegExp(`^[01] of 1 right.*, ${plays - 1} skipped\\.`),
  )
  // The skipped questions are asked again, and answered by typing. Another width of the window changes neither focus nor scroll position.
  await at('quiz-again').press('Enter')
  await phase(visitor, 'question', 'board')
  await page.keyboard.press('m')
  await until(async () => (await focused(visitor)) === 'typed-play', 'the field')
  await at('typed-play').fill('1/24')
  await at('typed-play').press('Enter')
  assert.match(await at('typed-play-feedback').textContent(), /moves backward/)
  await at('typed-play').fill('double')
  assert.match(await at('typed-play-feedback').textContent(), /no move/)
  await page.setViewportSize({ width: 800, height: 900 })
  await page.evaluate(twoFrames)
  assert.equal(await focused(visitor), 'typed-play')
  await page.setViewportSize(matchWindow.viewport)
  await at('typed-play').press('Escape')
  await until(async () => (await focused(visitor)) === 'board', 'the board')
  await at('quiz-end').press('Enter')
  await until(async () => (await focused(visitor)) === 'quiz-start', 'the focus on the start')
  assert.deepEqual(await view(), former)
})
