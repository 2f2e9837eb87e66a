// Backgammon and Connect Four in a real browser: games of a human player while the network trains.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  calm,
  clipboard,
  exported,
  inWindow,
  number,
  settled,
  sharedWindow,
  steps,
  trainFast,
  trainSlowly,
  trains,
  until,
} from './exhibit.mjs'
import { patience, visit } from './page.mjs'

// Small networks and short generations.
const small = 'network.width=32&network.blocks=1&self_play.generation=1024'

const there = async (locator) => (await locator.count()) > 0
/** Resolves when a number on the page decreases, even if only briefly. */
const falls = ({ page }, id) =>
  page.evaluate(
    (selector) =>
      new Promise((done) => {
        let last = 0
        const look = () => {
          const now = Number(document.querySelector(selector)?.dataset.value ?? last)
          if (now < last) done()
          last = now
        }
        look()
        new MutationObserver(look).observe(document.body, {
          subtree: true,
          childList: true,
          attributes: true,
        })
      }),
    `[data-testid="${id}"]`,
  )
const turns = ({ page }) => page.locator('[data-testid^="turn-"]').count()

/** Selects the first option of a select that contains `name`. */
async function choose(select, name) {
  const option = select.locator('option').filter({ hasText: name }).first()
  await option.waitFor({ state: 'attached' })
  await select.selectOption({ label: await option.textContent() })
}

/** Selects the player of a seat by a part of its label. */
const sit = ({ at }, seat, name) => choose(at(`seat-${seat}`), name)

/** Returns the centers of the checkers that can be picked up. */
const movable = ({ page }) =>
  page.locator('.checker.may').evaluateAll((found) =>
    found.map((one) => {
      const box = one.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }),
  )

/** Waits for a decision of the human player, and rolls when required. */
async function myTurn(visitor) {
  const { at, page } = visitor
  await until(async () => {
    if (await there(at('roll'))) {
      await at('roll').click()
      await at('roll').waitFor({ state: 'detached' })
    }
    if (await there(at('confirm'))) return true
    return (await page.locator('.checker.may').count()) > 0
  }, 'a turn of the person')
}

/** Moves a checker to its first legal target, by two clicks or by dragging. */
async function move(visitor, drag) {
  const { page } = visitor
  // Earlier actions may have scrolled the board out of view.
  await visitor.at('board').scrollIntoViewIfNeeded()
  const [from] = await movable(visitor)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  if (!drag) await page.mouse.up()
  const landing = page.locator('.landing, rect.aim').first()
  await landing.waitFor()
  const box = await landing.boundingBox()
  const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(to.x, to.y, { steps: 4 })
  if (!drag) await page.mouse.down()
  await page.mouse.up()
  await landing.waitFor({ state: 'detached' })
}

/** Moves checkers until the turn is complete, and ends the turn. */
async function playTurn(visitor, drag = false) {
  const { at } = visitor
  const before = await turns(visitor)
  await myTurn(visitor)
  while (!(await there(at('confirm')))) {
    await until(
      async () => (await there(at('confirm'))) || (await movable(visitor)).length > 0,
      'a checker to move',
    )
    if (!(await there(at('confirm')))) await move(visitor, drag)
  }
  await at('confirm').click()
  await until(async () => (await turns(visitor)) > before, 'the turn in the record')
}

/** Runs in the page: fixes the seed of the dice, so that failures are reproducible. */
function sameDice() {
  const draw = crypto.getRandomValues.bind(crypto)
  crypto.getRandomValues = (numbers) => (numbers instanceof Uint32Array ? numbers.fill(1) : draw(numbers))
}

/** Opens a game and waits until it trains. */
async function open(world) {
  const viewport = { width: 1280, height: 900 }
  // A game takes a turn per frame.
  // The controls of the training are visible during a match too.
  const before = { content: `(${sameDice})(); localStorage.setItem('vivarium:/games-training', 'shown')` }
  const options = { viewport, before, everyFrame: true, ...clipboard }
  const visitor = await visit(`#/${world}?${small}`, options)
  await trains(visitor)
  await visitor.at('board').waitFor()
  await trainSlowly(visitor)
  return visitor
}

describe('the opponent of a newcomer', () => {
  inWindow(
    'is the trained network, or on request the one that learns now',
    '#/connect-four',
    {},
    async (visitor) => {
      const { at } = visitor
      // The trained network is loaded after the page.
      await until(() => at('play-opened').isChecked(), 'the trained network')
      await at('play-newest').check({ force: true })
      await until(async () => /"newest"/.test(await at('seat-1').inputValue()), 'the network in training')
      await until(() => at('play-newest').isChecked(), 'the choice')
      await at('play-opened').check({ force: true })
      await until(async () => /"opened"/.test(await at('seat-1').inputValue()), 'the trained network again')
    },
  )
})

describe('backgammon', () => {
  const test = sharedWindow(() => open('backgammon'))

  it('restores the table from a file', { timeout: 3 * patience }, async () => {
    const first = await open('backgammon')
    await sit(first, 1, /^Pubeval/)
    await first.at('pace').fill('6')
    await playTurn(first)
    await playTurn(first)
    await myTurn(first)
    await first.at('pause').click()
    const seen = async ({ at, page }) => ({
      status: await at('status').textContent(),
      record: await page.getByTestId('record').textContent(),
      opponent: await at('seat-1').inputValue(),
      checkers: await page
        .locator('.checker')
        .evaluateAll((all) => all.map((one) => `${one.className} ${one.style.transform}`).sort()),
    })
    const then = await seen(first)
    const file = await (await exported(first)).path()

    const second = await open('backgammon')
    await second.at('pause').click()
    await second.at('open-input').setInputFiles(file)
    await until(async () => (await there(second.at('record'))) && (await turns(second)) >= 4, 'the record')
    await until(async () => (await seen(second)).status === then.status, 'the current turn')
    const now = await seen(second)
    assert.deepEqual({ ...now, checkers: 0 }, { ...then, checkers: 0 })
    assert.deepEqual(now.checkers, then.checkers)
    calm(first)
    calm(second)
    await first.window.close()
    await second.window.close()
  })

  test('is played while it trains, with undo and hints', async (visitor) => {
    const { at, page } = visitor
    await trainFast(visitor)
    await trains(visitor)
    await sit(visitor, 0, /^You/)
    await sit(visitor, 1, /^Pubeval/)
    await page.getByTestId('pace').fill('6')

    await playTurn(visitor)
    await playTurn(visitor, true)
    // A move that was taken back can be made again.
    await myTurn(visitor)
    if (!(await there(at('confirm')))) {
      const before = await page.locator('.checker.may').count()
      await move(visitor, false)
      await until(() => at('undo').isEnabled(), 'something to take back')
      await at('undo').click()
      await until(() => at('undo').isDisabled(), 'the move to be taken back')
      await until(
        async () => (await page.locator('.checker.may').count()) === before,
        'the same choice again',
      )
      // The analysis is hidden until requested.
      assert.equal(await at('candidates').count(), 0)
      await at('hint').click()
      await at('candidate').first().waitFor()
      await until(async () => (await page.locator('.arrow').count()) > 0, 'an arrow')
      await until(async () => (await number(visitor, 'simulations')) > 0, 'simulations')
      assert.match(await at('candidate').first().textContent(), /\d/)
      // Keys extend and restart the analysis.
      const wanted = async () => (await at('simulations').textContent()).replaceAll(',', '')
      await until(async () => /400 of 400 /.test(await wanted()), 'the whole search')
      await at('board').press('d')
      await until(async () => /of 1000 /.test(await wanted()), 'a deeper search')
      await until(async () => (await number(visitor, 'simulations')) === 1000, 'all of it')
      for (const more of ['3000', '10000']) {
        await at('board').press('d')
        await until(async () => (await wanted()).includes(`of ${more} `), `a search of ${more}`)
      }
      await until(async () => (await number(visitor, 'simulations')) === 10_000, 'all of them')
      const fell = falls(visitor, 'simulations')
      await at('board').press('a')
      await fell
      assert.ok(await at('analyze-again').isEnabled())
      await at('hint').click()
      await at('candidates').waitFor({ state: 'detached' })
    }
    // Without hints, the probabilities are hidden until the decision.
    assert.equal(await at('win-0').textContent(), '–')
    await at('hint').click()
    await until(async () => /%/.test(await at('win-0').textContent()), 'a chance to win')
    // Both at the same moment, since an analysis may continue.
    const chances = await page.evaluate(() =>
      [0, 1].map((seat) => document.querySelector(`[data-testid=win-${seat}]`).textContent),
    )
    const sum = chances.reduce((sum, text) => sum + Number(text.replace(/[^\d.]/g, '')), 0)
    assert.ok(Math.abs(sum - 100) < 0.3, `${sum} %`)
    await at('hint').click()
    await trains(visitor)
    await trainSlowly(visitor)
  })

  test('does not show the table of another game', async (visitor) => {
    const { at, page } = visitor
    const go = (hash) => page.evaluate((hash) => (location.hash = hash), hash)
    const shown = async () => (await at('candidates').count()) > 0
    await sit(visitor, 0, /^You/)
    await myTurn(visitor)
    if (!(await shown())) await at('hint').click()
    await until(async () => (await page.locator('.arrow').count()) > 0, 'an arrow')
    await go('#/connect-four')
    await until(async () => /choose a column/.test(await at('status').textContent()), 'an empty board')
    assert.equal(await page.locator('.stone').count(), 0)
    await page.goBack()
    await myTurn(visitor)
    await at('hint').click()
    await at('candidates').waitFor({ state: 'detached' })
    await trainSlowly(visitor)
  })

  test('sets up positions by ID and by hand, and rejects impossible ones', async (visitor) => {
    const { at, page } = visitor
    // Computer moves are delayed.
    await at('pace').fill('0')
    for (const bad of ['', 'abc', '4HPwATDgc/ABM!', '//////////////']) {
      await at('position-id').fill(bad)
      await at('position-set').click()
      await at('position-error').waitFor()
      assert.ok((await at('position-error').textContent()).length > 20)
      await at('position-id').fill('4HPwATDgc/ABMA')
      await at('position-set').click()
      await at('position-error').waitFor({ state: 'detached' })
    }
    // A bear-off: four checkers each on the ace points, the rest off.
    await at('position-edit').click()
    await at('edit-clear').click()
    await at('edit-use').click()
    assert.match(await at('position-error').textContent(), /both|borne off|one/i)
    await at('edit-start').click()
    await at('edit-roll').fill('77')
    await at('edit-use').click()
    assert.match(await at('position-error').textContent(), /1 to 6/)
    await at('edit-roll').fill('31')
    await at('edit-use').click()
    await at('edit-use').waitFor({ state: 'detached' })
    await until(async () => /3-1|1-3/.test(await at('status').textContent()), 'the roll that was set')
    await at('position-copy').click()
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^4HPwATDgc\/ABMA/)

    // The menu copies the same position as XGID, which sets it again.
    await at('export').click()
    await at('copy-xgid').click()
    const opening = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10'
    await until(
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === opening,
      'the XGID',
    )
  })

  test('exports a match and opens it again with the same turns', async (visitor) => {
    const { at, page } = visitor
    await sit(visitor, 1, /^Pip count/)
    await at('pace').fill('5')
    await at('new-game').click()
    // Until then the board has the position of the test before, whose roll was set.
    await until(async () => !(await at('status').textContent()).includes('3-1'), 'the new game')
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

  test('shows two computers, the search tree, and earlier turns', async (visitor) => {
    const { at, page } = visitor
    await sit(visitor, 0, /^Newest/)
    await sit(visitor, 1, /^Newest/)
    await at('simulations-0').selectOption('30')
    await at('pace').fill('5')
    await until(async () => (await turns(visitor)) >= 2, 'two turns of computers')
    // Slower, because the list of the turns scrolls to each new one.
    await at('pace').fill('0')
    await at('turn-0').click()
    await until(async () => /^Before turn 1/.test(await at('status').textContent()), 'the first turn')
    // The position ID describes the shown position.
    const present = await at('position-id').getAttribute('placeholder')
    await at('turn-1').click()
    await until(
      async () => (await at('position-id').getAttribute('placeholder')) !== present,
      'the position of another turn',
    )
    await at('to-present').click()
    // A finished search tree can be explored.
    await at('tree').scrollIntoViewIfNeeded()
    await until(async () => (await at('twig').count()) > 3, 'branches of the tree')
    const closed = page.locator('[data-testid=twig][aria-expanded=false]:not(:disabled)').first()
    // A decided turn may still be played; the next turn has a new tree.
    await until(async () => {
      const count = await at('twig').count()
      await closed.click()
      await settled(visitor)
      return (await at('twig').count()) > count
    }, 'more of the tree')
    assert.ok((await number(visitor, 'tree-size')) > 1)
    const before = await turns(visitor)
    await until(() => there(at('move-now')), 'a computer’s decision')
    await at('move-now').click()
    await until(async () => (await turns(visitor)) > before, 'the move')
  })

  test('plays to the end, resigns, and starts again', async (visitor) => {
    const { at, page } = visitor
    const said = () => at('status').textContent()
    const points = async () =>
      Number(await at('score-0').textContent()) + Number(await at('score-1').textContent())
    await at('pause').click()
    // A complete game between two computers.
    await sit(visitor, 0, /^Pip count/)
    await sit(visitor, 1, /^Pubeval/)
    await at('new-game').click()
    await at('pace').fill('6')
    const end = /^(Pip count|Pubeval) wins a (single game|gammon|backgammon): (1 point|[23] points)\.$/
    await until(async () => end.test(await said()), 'the end of the game')
    const won = Number(/(\d) points?\.$/.exec(await said())[1])
    await until(async () => (await points()) === won, 'its points')
    assert.ok((await turns(visitor)) > 20)
    assert.ok(await at('resign').isDisabled())
    await at('new-game').click()
    await until(async () => !end.test(await said()), 'the next game')
    await until(async () => end.test(await said()) && (await points()) > won, 'the end of the next game')

    // The human player bears off the last checkers by clicking; the opponent has borne off one.
    await sit(visitor, 0, /^You/)
    await sit(visitor, 1, /^Random/)
    await until(async () => (await points()) === 0, 'others, who have won nothing')
    await at('position-id').fill('/z8AAIADAAAAAA')
    await at('position-set').click()
    await at('position-error').waitFor({ state: 'detached' })
    const over = async () => /wins?/.test(await said())
    await until(async () => !(await over()), 'the position')
    while (!(await over())) {
      await until(
        async () =>
          (await over()) ||
          (await there(at('roll'))) ||
          (await there(at('confirm'))) ||
          (await movable(visitor)).length > 0,
        'a turn',
      )
      if (!(await over())) await playTurn(visitor)
    }
    assert.match(await said(), /^You win a single game: 1 point\.$/)
    await until(async () => (await at('score-0').textContent()) === '1', 'its points')
    await at('new-game').click()
    // Regardless of who starts, the human player gets a turn, and the game waits there.
    await until(async () => /^Your (turn|move)/.test(await said()), 'a turn of a new game')

    // Resignation of a gammon by keyboard.
    await at('resign').focus()
    await page.keyboard.press('Enter')
    await at('resign-3').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-testid')), 'resign-2')
    await page.keyboard.press('Enter')
    await until(
      async () => (await said()) === 'Random wins a gammon, as the other side resigned: 2 points.',
      'the resignation',
    )
    await until(async () => (await at('score-1').textContent()) === '2', 'its points')
    assert.ok(await at('resign-1').isHidden())
    await at('play').click()
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
    await at('match-input').setInputFiles('crates/envs/tests/fixtures/gnubg_match.mat')
    await at('opened-match').waitFor()
    assert.equal(await at('error').count(), 0)
    await at('analyze-match').click()
    await at('analyze-match').waitFor({ state: 'detached' })

    const counts = async () =>
      [...(await at('error-counts').textContent()).matchAll(/\d+/g)].map(([count]) => Number(count))
    const listed = async () => {
      if (!(await at('error-by-size').first().isVisible())) await at('errors-by-size').click()
      return at('error-by-size').allTextContents()
    }
    const ofBoth = await counts()
    const sum = (numbers) => numbers.reduce((total, count) => total + count, 0)
    assert.equal((await listed()).length, sum(ofBoth))
    const ofEach = []
    for (const name of ['gnubg', 'root']) {
      await at('errors-player').selectOption({ label: name })
      ofEach.push(await counts())
      const errors = await listed()
      assert.equal(errors.length, sum(ofEach.at(-1)))
      assert.ok(
        errors.every((text) => text.includes(`${name}: `)),
        `${errors}`,
      )
    }
    assert.deepEqual(
      ofBoth,
      ofBoth.map((_, i) => ofEach[0][i] + ofEach[1][i]),
    )
    // The marks are toggles, which the list and the steps follow.
    await at('error-mark').first().click()
    assert.equal((await listed()).length, sum(ofEach[1].slice(1)))
    await at('error-mark').first().click()
    // Steps through the errors of the second player only.
    const verdicts = () => at('decision-verdict').allTextContents()
    const selected = () => at('opened-turns').locator('[aria-pressed="true"]').getAttribute('data-testid')
    const first = await selected()
    await page.keyboard.press('e')
    await until(async () => (await selected()) !== first, 'the next error')
    const next = [await selected(), (await verdicts()).join()]
    assert.match(next[1], /root[^.]* loses [\d.]+/)
    await at('next-error').click()
    await until(async () => (await verdicts()).join() !== next[1], 'the error after it')
    await page.keyboard.press('Shift+E')
    await until(async () => (await verdicts()).join() === next[1], 'the previous error')
    assert.equal(await selected(), next[0])
    await at('candidates').waitFor()

    // The match at the table is interrupted. Another position leaves the opened match, which is returned to.
    const report = await exported(visitor, 'export-analysis-txt')
    assert.equal(report.suggestedFilename(), 'gnubg_match-analysis.txt')
    await at('opened-close').click()
    assert.deepEqual(await atTable(), interrupted)
    await at('match-input').setInputFiles('crates/envs/tests/fixtures/gnubg_match.mat')
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
  const where = '#/backgammon'
  const options = { viewport: { width: 1280, height: 900 }, before: sameDice, everyFrame: true }
  const says = ({ at }, text) =>
    until(async () => text.test(await at('status').textContent()), `the status ${text}`)

  /** Starts games by the rules whose label begins with `typed`. */
  async function start({ at, page }, typed) {
    await at('match-rules').focus()
    await page.keyboard.type(typed)
    await at('match-state').waitFor()
    await at('match-begin').waitFor({ state: 'detached' })
  }

  async function setPosition({ at, page }, id) {
    await at('position-id').fill(id)
    await page.keyboard.press('Enter')
    await until(async () => (await at('position-id').inputValue()) === '', `the position ${id}`)
  }

  /** Opens backgammon against the trained network. */
  async function open(visitor) {
    await trains(visitor)
    await trainSlowly(visitor)
    await until(() => visitor.at('play-opened').isChecked(), 'the trained network')
    await visitor.at('pace').fill('6')
  }

  inWindow('a double is taken or passed by both sides', where, options, async (visitor) => {
    const { at, page } = visitor
    const cube = async () => [
      await at('cube').getAttribute('data-value'),
      await at('cube').getAttribute('data-owner'),
    ]
    await open(visitor)
    assert.equal(await at('cube').count(), 0)
    await start(visitor, 'Money session')
    assert.equal(
      await at('match-state').textContent(),
      'Money session without the Jacoby rule: You 0, Trained network 0.',
    )
    assert.deepEqual(await cube(), ['1', null])
    // At the start of a game, the network takes. A double by key D; take back returns to the decision.
    await setPosition(visitor, '4HPwATDgc/ABMA')
    await says(visitor, /roll or double/)
    await at('double').waitFor()
    await at('board').press('d')
    await until(async () => (await cube())[0] === '2', 'the cube at 2')
    await says(visitor, /^Your turn: roll the dice/)
    assert.deepEqual(await cube(), ['2', '1'])
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

  const wide = { ...options, viewport: { width: 1440, height: 900 } }
  inWindow(
    'a match has a list of its moves, and is analyzed while it is played',
    where,
    wide,
    async (visitor) => {
      const { at, page } = visitor
      await open(visitor)
      await start(visitor, 'Match to 5 points')
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
      const first = await at('record').locator('.one-line').allTextContents()
      assert.ok(first.length >= 2, `${first}`)
      await at('new-game').press('Enter')
      await until(async () => (await at('current-game').textContent()) === 'Game 2, score 0–3', 'the score')
      await play()
      await until(async () => (await there(at('roll'))) || (await there(at('make-play'))), 'the next turn')
      const said = await at('status').textContent()
      const second = await at('record').locator('.one-line').allTextContents()

      // The list has both games with scores and results. Everything that the player needs is in the window.
      assert.deepEqual(await at('earlier-record').locator('.one-line').allTextContents(), first)
      assert.match(
        await at('match-moves').textContent(),
        /^Game 1, score 0–0.*Trained network wins 3 points: the other side resigned\.\s*Game 2, score 0–3/s,
      )
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
        'Game 2, score 0–3',
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
      assert.match(await at('match-state').textContent(), /^Match to 5: You 0, Trained network 3\./)
      const now = await at('record').locator('.one-line').allTextContents()
      assert.deepEqual(now.slice(0, second.length), second)
      assert.ok(now.length > second.length)
    },
  )

  inWindow('doubling cube and score are set up by hand', where, options, async (visitor) => {
    const { at } = visitor
    const state = () => at('match-state').textContent()
    const use = async () => {
      await at('edit-use').press('Enter')
      await at('edit-use').waitFor({ state: 'detached' })
    }
    await open(visitor)
    await start(visitor, 'Match to 5 points')
    await at('position-edit').press('Enter')
    assert.equal(await at('edit-cube').inputValue(), '0/')
    await at('edit-points-0').fill('5')
    await at('edit-use').press('Enter')
    assert.match(await at('position-error').textContent(), /0 to 4 points/)
    await at('edit-points-0').fill('3')
    await at('edit-points-1').fill('4')
    await at('edit-cube').selectOption({ label: '2, below' })
    await use()
    await until(async () => /You 3, Trained network 4/.test(await state()), 'the score that was set')
    assert.equal(await at('cube').getAttribute('data-value'), '2')

    // The present cube and score are preset. The Crawford game has no cube.
    await at('position-edit').press('Enter')
    assert.equal(await at('edit-cube').inputValue(), '1/0')
    assert.equal(await at('edit-points-1').inputValue(), '4')
    await at('edit-crawford').press('Space')
    await at('edit-cube').waitFor({ state: 'detached' })
    await use()
    await until(async () => /Crawford/.test(await state()), 'the Crawford game')
    assert.equal(await at('cube').count(), 0)
  })

  inWindow('a match to 1 point has an end, a longer one a next game', where, options, async (visitor) => {
    const { at, page } = visitor
    const resign = async (win) => {
      await until(() => at('resign').isEnabled(), 'a game to resign')
      await at('resign').press('Enter')
      await at(`resign-${win}`).press('Enter')
    }
    await open(visitor)
    await start(visitor, 'Match to 1 point')
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

describe('Connect Four', () => {
  const test = sharedWindow(() => open('connect-four'))

  test('is played while it trains', async (visitor) => {
    const { at, page } = visitor
    const first = await steps(visitor)
    // The network in training evaluates the empty board, in place of the pretrained one.
    await at('analyst')
      .locator('option', { hasText: /^Trained/ })
      .waitFor({ state: 'attached' })
    await choose(at('analyst'), /^Newest/)
    await trainFast(visitor)
    await until(
      async () => /after .* gradient steps/.test(await at('standing-trained').textContent()),
      'an evaluation by a trained network',
    )
    assert.ok((await number(visitor, 'learning')) > 0)
    await trainSlowly(visitor)
    await sit(visitor, 1, /^Random/)
    await at('pace').fill('6')
    const stones = () => page.locator('.stone:not(.ghost)').count()
    const mine = async () => /^Your move/.test(await at('status').textContent())
    // The opponent answers at once. A click during the animation of its stone is ignored, so the click is repeated.
    for (let moves = 0; moves < 3; moves++) {
      await until(async () => {
        if ((await turns(visitor)) > 2 * moves) return true
        const box = await at('board').boundingBox()
        if (await mine()) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
        return false
      }, 'the turn of the person')
    }
    assert.ok((await stones()) >= 3)
    await until(async () => (await turns(visitor)) >= 5, 'the turns in the record')
    // After taking back a stone, it can be dropped again.
    await until(mine, 'the turn of the person')
    const before = await turns(visitor)
    await at('take-back').click()
    await until(async () => (await turns(visitor)) < before && (await mine()), 'the turn before')
    const back = await turns(visitor)
    await at('board').press('1')
    await until(async () => (await turns(visitor)) > back, 'another stone')
    // Three in a row, and the winning stone.
    await at('position-id').fill('112233')
    await at('position-set').click()
    await until(async () => (await stones()) === 6 && (await mine()), 'the position')
    await at('board').press('4')
    await until(async () => /You win/.test(await at('status').textContent()), 'the win')
    await until(async () => (await at('score-0').textContent()) === '1', 'its points')
    for (const bad of ['8', '1111111', 'no']) {
      await at('position-id').fill(bad)
      await at('position-set').click()
      await at('position-error').waitFor()
      await at('position-id').fill('4')
      await at('position-set').click()
      await at('position-error').waitFor({ state: 'detached' })
    }
    await trains(visitor, first)
  })
})
