// Matches of backgammon in a real browser: played, recorded, opened from a file, analyzed.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { exported, inWindow, sharedWindow, trainFast, trainSlowly, trains, until } from './exhibit.mjs'
import {
  matchWindow,
  meetTrained,
  myTurn,
  open,
  openedRecord,
  playTurn,
  sameDice,
  says,
  setPosition,
  sit,
  there,
  turns,
} from './games.mjs'
import { visit } from './page.mjs'

describe('backgammon', () => {
  const test = sharedWindow(() => open('backgammon'))

  test('exports a match and opens it again with the same turns', async (visitor) => {
    const { at, page } = visitor
    await sit(visitor, 1, /^Pip count/)
    await at('pace').fill('5')
    await playTurn(visitor)
    await playTurn(visitor)
    // The next turn of the person ends the moves of the computer.
    await myTurn(visitor)
    const played = await page.getByTestId('record').locator('.one-line').allTextContents()
    assert.ok(played.length >= 3)
    const download = await exported(visitor, 'export-match-mat')
    assert.match(download.suggestedFilename(), /^backgammon-.*-match\.mat$/)
    const folder = await mkdtemp(join(tmpdir(), 'vivarium-match-'))
    const file = join(folder, 'match.mat')
    await download.saveAs(file)
    assert.match(await readFile(file, 'utf8'), /^ 0 point match\n\n Game 1\n/)

    await at('match-input').setInputFiles(file)
    await at('opened-match').waitFor()
    assert.deepEqual(await at('opened-turns').locator('.one-line').allTextContents(), played)
    // The worker rates all actions.
    await at('analyze-match').click()
    await at('analyze-match').waitFor({ state: 'detached' })
    const row = at('match-totals').locator('tr:has(th:text-is("Plays")) td')
    const totals = await row.allTextContents()
    assert.equal(totals.length, 2)
    const rated = totals.reduce((sum, count) => sum + Number(count), 0)
    assert.ok(rated > 0 && rated <= played.length, `${totals}`)
    // The plays of the selected turn, with the one that was made.
    await at('candidates').locator('[data-played="1"]').waitFor()
    // A mark of the luck can follow the dice.
    const roll = async (turn) => (await at(`opened-turn-${turn}`).locator('.dice').textContent()).slice(0, 3)
    await until(
      async () => (await at('status').textContent()).includes(await roll(0)),
      'the position before the first turn',
    )
    // The opened match has the focus.
    await page.keyboard.press('ArrowRight')
    await until(
      async () => (await at('status').textContent()).includes(await roll(1)),
      'the position before the second turn',
    )
    await at('candidates').waitFor()
    const report = await (await exported(visitor, 'export-analysis-txt')).path()
    assert.match(await readFile(report, 'utf8'), /^Money session: .*\n\nGame 1: [^]*\(played\)[^]*error rate/)
    const analyzed = await (await exported(visitor, 'export-analysis-json')).path()
    const analysis = JSON.parse(await readFile(analyzed, 'utf8'))
    assert.equal(analysis.games.length, 1)
    await at('opened-close').click()
    await at('opened-match').waitFor({ state: 'detached' })
    assert.deepEqual(await at('record').locator('.one-line').allTextContents(), played)

    // An invalid record is refused with its line.
    const bad = join(folder, 'bad.mat')
    await writeFile(bad, ' 0 point match\n\n Game 1\n A : 0   B : 0\n 1) 31: 8/1\n')
    await at('match-input').setInputFiles(bad)
    await at('error').waitFor()
    assert.match(await at('error').textContent(), /bad\.mat: line 5.*3-1/)
  })

  test('plays matches with several numbers of simulations, and exports a network', async (visitor) => {
    const { at, page } = visitor
    // Matches alternate with training.
    await trainFast(visitor)
    await at('match-against').selectOption({ label: 'Random' })
    // More games than can be finished before the match is stopped.
    await at('match-pairs').selectOption('1000')
    await at('match-start').click()
    await until(
      async () => /[\d]/.test((await at('match-points').first().textContent()) ?? ''),
      'the first result',
    )
    await at('match-stop').click()
    await at('match-start').waitFor()
    const downloading = page.waitForEvent('download')
    await at('export-network').click()
    const bytes = await readFile(await (await downloading).path())
    const folder = await mkdtemp(join(tmpdir(), 'vivarium-'))
    const [good, broken] = ['good', 'broken'].map((name) => join(folder, `${name}.safetensors`))
    await writeFile(good, bytes)
    await writeFile(broken, bytes.subarray(0, bytes.length / 2))
    await at('network-input').setInputFiles(broken)
    await at('error').getByRole('button').click()
    await at('network-input').setInputFiles(good)
    await sit(visitor, 1, /^Opened/)
    await trains(visitor)
  })
})

/** Returns the errors that the page lists: text, mark, loss in points, and whether the board shows the decision. */
const listedErrors = ({ at }) =>
  at('error-by-size').evaluateAll((rows) =>
    rows.map((row) => {
      const [loss, action] = [...row.querySelectorAll('[data-testid=analyzed-loss], .one-line')]
      return {
        text: `${action.textContent} ${row.querySelector('.game').textContent}`,
        mark: loss.textContent.split(' ')[0],
        lost: Number(loss.dataset.value),
        isShown: row.getAttribute('aria-pressed') === 'true',
      }
    }),
  )

/** Checks the order of the listed errors and the counts of the marks, and returns the errors. */
async function consistentErrors(visitor) {
  const errors = await listedErrors(visitor)
  for (const [i, { lost, text }] of errors.entries())
    assert.ok(lost > 0 && lost <= (errors[i - 1]?.lost ?? Infinity), `${text}: ${lost}`)
  const counts = (await visitor.at('error-mark').allTextContents()).map((text) => text.split(/\s+/))
  assert.deepEqual(
    counts.map(([mark]) => mark),
    ['?!', '?', '??'],
  )
  const isListed = await visitor
    .at('error-mark')
    .evaluateAll((marks) => marks.map((mark) => mark.getAttribute('aria-pressed') === 'true'))
  for (const [i, [mark, count]] of counts.entries()) {
    const ofMark = errors.filter((error) => error.mark === mark).length
    assert.equal(ofMark, isListed[i] ? Number(count) : 0, mark)
  }
  return errors
}

/** Returns the texts of errors. */
const textsOf = (errors) => errors.map(({ text }) => text)

/** Checks that the steps visit each listed error once and begin again after the last one, in both directions. */
async function stepThroughErrors(visitor) {
  const { at, page } = visitor
  const shown = async () => textsOf((await listedErrors(visitor)).filter(({ isShown }) => isShown)).join()
  let last = await shown()
  /** @type {string[]} */
  const visited = []
  const step = async (act) => {
    await act()
    await until(async () => ((await shown()) || last) !== last, 'another error')
    return (last = await shown())
  }
  await step(() => at('next-error').click())
  while (!visited.includes(last)) {
    visited.push(last)
    await step(() => page.keyboard.press('e'))
  }
  assert.equal(last, visited[0], 'the first error follows the last one')
  // A double and the reply to it are errors of one decision.
  assert.deepEqual(visited.join().split(',').sort(), textsOf(await listedErrors(visitor)).sort())
  assert.equal(await step(() => page.keyboard.press('Shift+E')), visited.at(-1))
  assert.equal(await step(() => at('previous-error').click()), visited.at(-2))
}

inWindow(
  'the errors of an opened match are stepped through, and the match at the table continues',
  '#/backgammon',
  { viewport: { width: 1280, height: 900 }, before: sameDice },
  async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await trainSlowly(visitor)
    await until(() => at('play-opened').isChecked(), 'the trained network')
    await at('match-rules').selectOption('5')
    // The choice begins the match. R rolls without the focus on the board, but not in a field.
    await at('match-state').waitFor()
    await at('roll').waitFor()
    const said = await at('status').textContent()
    await at('match-rules').press('r')
    assert.equal(await at('status').textContent(), said)
    await page.locator('h1').click()
    await page.keyboard.press('r')
    await until(async () => (await at('status').textContent()) !== said, 'the roll')
    await myTurn(visitor)
    const atTable = async () => [await at('status').textContent(), await at('match-state').textContent()]
    const interrupted = await atTable()
    // A binary file of eXtreme Gammon; its error disappears when a match opens.
    const binary = { name: 'a.xg', mimeType: '', buffer: Buffer.from([0x52, 0x47, 0x4d, 0x48, 0, 0xff]) }
    await at('match-input').setInputFiles(binary)
    await at('error').waitFor()
    assert.match(await at('error').textContent(), /a\.xg is not a match text\..*export the match as text/)
    await at('match-input').setInputFiles(openedRecord)
    await at('opened-match').waitFor()
    assert.equal(await at('error').count(), 0)
    await at('analyze-match').click()
    await at('analyze-match').waitFor({ state: 'detached' })

    // The list of the turns can be expanded.
    const isWhole = () =>
      at('opened-turns').evaluate((turns) => {
        const { scrollHeight, clientHeight } = turns.closest('.scroll-list')
        return scrollHeight <= clientHeight
      })
    assert.equal(await isWhole(), false)
    await at('show-all').first().click()
    await until(isWhole, 'all turns')
    await at('show-all').first().click()
    await at('errors-by-size').click()
    const ofBoth = await consistentErrors(visitor)
    await stepThroughErrors(visitor)
    // Filters reduce the list to the errors of a player, a kind or some marks.
    for (const name of ['gnubg', 'root']) {
      await at('errors-player').selectOption({ label: name })
      const errors = textsOf(await consistentErrors(visitor))
      assert.deepEqual(
        errors,
        textsOf(ofBoth).filter((text) => text.startsWith(`${name}: `)),
      )
      assert.ok(errors.length >= 4, `${errors}`)
    }
    await at('errors-player').selectOption({ label: 'Both players' })
    const isDoubling = (text) => /: (no double|double|take|pass) /.test(text)
    for (const [label, isOfKind] of /** @type {const} */ ([
      ['Doubling', isDoubling],
      ['Plays', (text) => !isDoubling(text)],
    ])) {
      await at('errors-kind').selectOption({ label })
      const errors = textsOf(await consistentErrors(visitor))
      assert.deepEqual(errors, textsOf(ofBoth).filter(isOfKind))
      assert.ok(errors.length >= 2, `${errors}`)
    }
    await at('errors-kind').selectOption({ label: 'All decisions' })
    const marks = [...(await at('error-mark').all())]
    for (const mark of marks) {
      const [name] = (await mark.textContent()).split(/\s+/)
      const before = await listedErrors(visitor)
      await mark.click()
      const errors = textsOf(await consistentErrors(visitor))
      assert.deepEqual(errors, textsOf(before.filter((error) => error.mark !== name)))
    }
    assert.match(await at('no-errors').textContent(), /^No errors/)
    assert.equal(await at('errors-by-size').count(), 0)
    assert.ok((await at('next-error').isDisabled()) && (await at('previous-error').isDisabled()))
    for (const mark of marks) await mark.click()
    assert.equal(await at('no-errors').count(), 0)
    assert.deepEqual(textsOf(await consistentErrors(visitor)), textsOf(ofBoth))

    // A play of the second player, with its verdict.
    await at('errors-player').selectOption({ label: 'root' })
    await at('errors-kind').selectOption({ label: 'Plays' })
    const verdicts = () => at('decision-verdict').allTextContents()
    await at('next-error').click()
    await until(
      async () => /^root[^.]* loses [\d.]+/.test((await verdicts()).join()),
      'the verdict on an error',
    )
    await at('candidates').waitFor()
    // The verdict is that of the rollout. Its loss counts in the totals if it is decided.
    assert.equal(await at('rolled-counts').count(), 0)
    await at('trial-count').selectOption('36 trials')
    await at('start-rollout').click()
    await at('start-rollout').waitFor()
    const rolled = (await verdicts()).join()
    assert.match(rolled, /by the rollout/)
    assert.match(await at('opened-turns').locator('[aria-pressed="true"]').textContent(), / R/)
    const rolledCounts = (await at('rolled-counts').allTextContents()).join()
    assert.match(rolledCounts, /not decided/.test(rolled) ? /^$/ : /Rolled out \(R\)\D*0\D*1/)

    // The match at the table is interrupted. Another position leaves the opened match, which is returned to.
    const report = await exported(visitor, 'export-analysis-txt')
    assert.equal(report.suggestedFilename(), 'gnubg_match-analysis.txt')
    await at('opened-close').click()
    assert.deepEqual(await atTable(), interrupted)
    await at('match-input').setInputFiles(openedRecord)
    await at('opened-turns').waitFor()
    await at('position-id').fill('XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10')
    await page.keyboard.press('Enter')
    await at('opened-turns').waitFor({ state: 'detached' })
    await until(async () => /^Your move with 3-1/.test(await at('status').textContent()), 'the position')
    assert.match(await at('match-state').textContent(), /: You 0, Trained network 0\.$/)
    await at('back-to-record').click()
    await at('opened-turns').locator('[aria-pressed="true"]').waitFor()
  },
)

describe('matches and money sessions of backgammon, by keyboard', () => {
  const test = sharedWindow(async () => {
    const visitor = await visit('#/backgammon', { ...matchWindow, viewport: { width: 1440, height: 900 } })
    await meetTrained(visitor)
    return visitor
  })

  /** Starts games by rules that are selected by their label, also in the middle of a game. `state`: their description. */
  async function begin({ at }, label, state) {
    await at('match-rules').selectOption({ label })
    await until(async () => {
      if (await there(at('match-begin')))
        await at('match-begin')
          .press('Enter', { timeout: 2000 })
          .catch(() => {})
      return (await at('match-state').allTextContents()).some((text) => text.startsWith(state))
    }, state)
    await at('match-begin').waitFor({ state: 'detached' })
  }

  test('a double is taken or passed by both sides', async (visitor) => {
    const { at, page } = visitor
    const cube = async () => [
      await at('cube').getAttribute('data-value'),
      await at('cube').getAttribute('data-owner'),
    ]
    assert.equal(await at('cube').count(), 0)
    await begin(visitor, 'Money session', 'Money session')
    assert.equal(
      await at('match-state').textContent(),
      'Money session without the Jacoby rule: You 0, Trained network 0.',
    )
    assert.deepEqual(await cube(), ['1', null])
    // At the start of a game, the network takes. A double by key D; take back returns to the decision.
    await setPosition(visitor, '4HPwATDgc/ABMA')
    await says(visitor, /roll or double/)
    await at('double').waitFor()
    // Before the decision, the evaluation before the roll is shown with hints only.
    const evaluated = (source) =>
      until(async () => (await at('standing-source').textContent()) === source, `the evaluation “${source}”`)
    await evaluated('hidden until your decision')
    assert.equal(await at('win-0').textContent(), '–')
    await at('board').press('h')
    await evaluated('before the roll')
    assert.match(await at('win-0').textContent(), /^[\d.]+ %$/)
    await at('board').press('h')
    await evaluated('hidden until your decision')
    await at('board').press('d')
    await until(async () => (await cube())[0] === '2', 'the cube at 2')
    await says(visitor, /^Your turn: roll the dice/)
    assert.deepEqual(await cube(), ['2', '1'])
    // The evaluation before the double is obsolete.
    await until(async () => (await at('standing-source').count()) === 0, 'no evaluation')
    assert.match(
      await at('doubling-decision').textContent(),
      /^You double(: the best decision|, which loses .*)\. Trained network takes\.$/,
    )
    await at('doubling-equities').locator('summary').press('Enter')
    assert.match(await at('doubling-equities').textContent(), /No double[+−-][\d.]+.*pass\+1\.000.*Losses: /s)
    await at('take-back').press('Enter')
    await says(visitor, /roll or double/)
    assert.deepEqual(await cube(), ['1', null])

    // The side to move wins with its last checker: the network passes, and doubles itself.
    await setPosition(visitor, 'AQAABAAAAAAAAA')
    await at('double').press('Enter')
    await says(visitor, /^You win 1 point: the double was passed\.$/)
    assert.equal(await at('score-0').textContent(), '1')
    const theirs = 'XGID=-A----------------------a-:0:0:-1:00:0:0:0:0:10'
    for (const [key, end] of /** @type {const} */ ([
      ['x', /^Trained network.* wins 1 point: the double was passed\.$/],
      ['t', /^Trained network.* wins a single game: 2 points\.$/],
    ])) {
      await setPosition(visitor, theirs)
      await says(visitor, /to double or roll: press “Roll now”\.$/)
      await at('board').press('Enter')
      await says(visitor, /doubles to 2: take or pass\?$/)
      assert.equal(await at('cube').getAttribute('aria-label'), 'Doubling cube 2, offered')
      await at('take').waitFor()
      await at('board').press(key)
      await says(visitor, end)
    }
    await at('match-rules').focus()
    await page.keyboard.type('Games')
    await at('match-begin').press('Enter')
    await until(async () => (await at('cube').count()) === 0, 'a game without the doubling cube')
  })

  test('a match has a list of its moves, and is analyzed while it is played', async (visitor) => {
    const { at, page } = visitor
    await begin(visitor, 'Match to 7 points', 'Match to 7')
    // The training is folded during the match, and continues.
    assert.equal(await at('fold-training').textContent(), 'Show training')
    assert.equal(await at('speed').count(), 0)
    await at('fold-training').press('Enter')
    await at('speed').waitFor()
    await at('fold-training').press('Enter')
    await at('speed').waitFor({ state: 'detached' })

    /** Makes the best play of the analyst. A control that disappears meanwhile is not pressed. */
    const play = async () => {
      const press = (locator) => locator.press('Enter', { timeout: 2000 }).catch(() => {})
      const before = await turns(visitor)
      let isPlayed = false
      await until(async () => {
        if (isPlayed) return (await turns(visitor)) > before
        for (const id of ['take', 'roll', 'confirm'])
          if (await there(at(id))) {
            await press(at(id))
            isPlayed = id === 'confirm'
            return false
          }
        if (await there(at('make-play'))) await press(at('candidate').first())
        return false
      }, 'a turn')
    }
    await at('hint').press('Enter')
    await play()
    await play()
    await until(() => at('resign').isEnabled(), 'a game to resign')
    await at('resign').press('Enter')
    await at('resign-3').press('Enter')
    await says(visitor, /wins a backgammon/)
    // The network may have doubled.
    const points = 3 * Number(await at('cube').getAttribute('data-value'))
    const first = await at('record').locator('.one-line').allTextContents()
    assert.ok(first.length >= 2, `${first}`)
    await at('new-game').press('Enter')
    await until(
      async () => (await at('current-game').textContent()) === `Game 2, score 0–${points}`,
      'the score',
    )
    await play()
    await until(async () => (await there(at('roll'))) || (await there(at('make-play'))), 'the next turn')
    const said = await at('status').textContent()
    const second = await at('record').locator('.one-line').allTextContents()

    // The list has both games with scores and results. Everything that the player needs is in the window.
    assert.deepEqual(await at('earlier-record').locator('.one-line').allTextContents(), first)
    assert.match(
      await at('match-moves').textContent(),
      new RegExp(
        `^Game 1, score 0–0.*Trained network wins ${points} points: the other side resigned\\.\\s*Game 2, score 0–${points}`,
        's',
      ),
    )
    // Hints add equities, whose height depends on the network.
    await at('hint').press('Enter')
    const equities = page.locator('[data-testid=doubling-equities][open]')
    await until(async () => (await equities.count()) === 0, 'folded equities')
    const bottom = await page.evaluate(
      () => innerHeight - parseFloat(document.documentElement.style.getPropertyValue('--dock-height')),
    )
    for (const id of ['board', 'match-state', 'outcome-probabilities', 'analysis', 'match-moves']) {
      const box = await at(id).boundingBox()
      assert.ok(
        box.y >= 0 && box.y + box.height <= bottom,
        `${id} ends at ${box.y + box.height} of ${bottom}`,
      )
    }
    const newest = await at('record').locator('li').last().boundingBox()
    const list = await at('match-moves').boundingBox()
    assert.ok(newest.y + newest.height <= list.y + list.height + 1, 'the newest turn is visible')
    await at('hint').press('Enter')
    await at('earlier-0-1').press('Enter')
    await says(visitor, /^Earlier position: /)
    assert.equal(await at('roll').count(), 0)
    await at('past-to-present').press('Enter')
    await until(async () => (await at('status').textContent()) === said, 'the current position')

    await at('analyze-at-table').press('Enter')
    await at('opened-match').waitFor()
    await at('analyze-match').waitFor({ state: 'detached' })
    assert.deepEqual(await at('opened-game').locator('option').allTextContents(), [
      'Game 1, score 0–0',
      `Game 2, score 0–${points}`,
    ])
    const listed = () => at('opened-turns').locator('.one-line').allTextContents()
    assert.deepEqual((await listed()).slice(0, second.length), second)
    await at('opened-game').selectOption('0')
    await until(async () => (await listed()).join() === first.join(), 'the first game')
    // One table of plays, from the analysis, and one result of the game.
    await at('candidates').locator('[data-played="1"]').waitFor()
    assert.equal(await at('candidates').count(), 1)
    assert.equal(await at('decision').locator('table').count(), 0)
    assert.equal(await at('game-result').count(), 1)
    await at('opened-next').press('Enter')
    await says(visitor, /^Earlier position: /)
    await at('opened-close').press('Enter')
    await at('opened-match').waitFor({ state: 'detached' })
    assert.equal(
      await page.evaluate(() => document.activeElement.getAttribute('data-testid')),
      'analyze-at-table',
    )

    // The match continues with its score.
    await until(async () => (await at('status').textContent()) === said, 'the current position again')
    await play()
    assert.match(
      await at('match-state').textContent(),
      new RegExp(`^Match to 7: You 0, Trained network ${points}\\.`),
    )
    const now = await at('record').locator('.one-line').allTextContents()
    assert.deepEqual(now.slice(0, second.length), second)
    assert.ok(now.length > second.length)
  })

  test('a match to 1 point has an end, a longer one a next game', async (visitor) => {
    const { at, page } = visitor
    const resign = async (win) => {
      await until(() => at('resign').isEnabled(), 'a game to resign')
      await at('resign').press('Enter')
      await at(`resign-${win}`).press('Enter')
    }
    await begin(visitor, 'Match to 1 point', 'Match to 1:')
    assert.equal(
      await at('match-state').textContent(),
      'Match to 1: You 0, Trained network 0. It has no doubling cube.',
    )
    assert.equal(await at('cube').count(), 0)
    await resign(3)
    await until(
      async () => /Trained network wins the match/.test(await at('match-state').textContent()),
      'the end',
    )
    assert.equal((await at('new-game').textContent()).trim(), 'New match')
    await at('new-game').press('Enter')
    await until(
      async () => /You 0, Trained network 0/.test(await at('match-state').textContent()),
      'a new match',
    )

    // A length that is not in the list; a gammon leaves the opponent 1 point away.
    await at('match-rules').focus()
    await page.keyboard.type('Match to another')
    await at('match-length').fill('65')
    assert.ok(await at('match-begin').isDisabled())
    await at('match-length').fill('4')
    await at('match-begin').press('Enter')
    await until(async () => /^Match to 4/.test(await at('match-state').textContent()), 'the match')
    await resign(3)
    await until(async () => (await at('score-1').textContent()) === '3', 'the points')
    assert.equal((await at('new-game').textContent()).trim(), 'Next game')
    await at('board').press('n')
    await until(async () => /Crawford game/.test(await at('match-state').textContent()), 'the Crawford game')
  })
})
