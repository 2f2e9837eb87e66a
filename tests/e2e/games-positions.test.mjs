// Positions of backgammon in a real browser: by ID, by hand and from a file.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe } from 'node:test'
import { promisify } from 'node:util'
import { target } from '../../scripts/run.mjs'
import { calm, chooseMore, exported, inWindow, number, sharedWindow, until } from './exhibit.mjs'
import {
  matchWindow,
  meetTrained,
  myTurn,
  open,
  playTurn,
  says,
  setPosition,
  sit,
  startMatch,
  there,
  turns,
} from './games.mjs'

describe('backgammon', () => {
  const test = sharedWindow(() => open('backgammon'))

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
    await chooseMore(visitor, 'export')
    await at('copy-xgid').click()
    const opening = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10'
    await until(
      async () => (await page.evaluate(() => navigator.clipboard.readText())) === opening,
      'the XGID',
    )
  })

  test('restores the table from a file', async (first) => {
    await first.at('new-game').click()
    // The test before has set a roll.
    await until(async () => !/3-1/.test(await first.at('status').textContent()), 'the new game')
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
    calm(second)
    await second.window.close()
    await first.at('play').click()
  })

  test('a rollout of a decision on the board has the estimates of the native command', async (visitor) => {
    const { at, page } = visitor
    const xgid = 'XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10'
    await at('pause').click()
    await at('position-id').fill(xgid)
    await at('position-set').click()
    await at('show-hints').click()
    await at('trial-count').selectOption('36 trials')
    await at('start-rollout').click()
    const trials = async () => Number(await at('rollout').getAttribute('data-trials'))
    await until(async () => (await trials()) === 36, 'the trials')
    await at('start-rollout').waitFor()
    const rows = await page.getByTestId('candidate').evaluateAll((all) =>
      all.map((row) => {
        const [play, equity] = [...row.querySelectorAll('th, td')].map((cell) => cell.textContent.trim())
        return { play, equity: Number(equity.split('±')[0].replace('−', '-')) }
      }),
    )

    // The evaluation above the plays is that of the best one.
    assert.equal(await at('standing-source').textContent(), 'rollout')
    assert.equal((await number(visitor, 'equity')).toFixed(3), rows[0].equity.toFixed(3))

    const plays = rows.flatMap(({ play }) => ['--play', play])
    const args = ['rollout', xgid, '--truncate', '7', '--trials', '36', '--json', ...plays]
    const { stdout } = await promisify(execFile)(join(target, 'debug', 'vivarium'), args)
    const { estimates } = JSON.parse(stdout)
    assert.deepEqual(rows.map(({ play }) => play).sort(), estimates.map(({ play }) => play).sort())
    for (const { play, equity } of rows) {
      const native = estimates.find((estimate) => estimate.play === play).equity
      // Engines may differ in the last bit, and therefore in a play of a few trials.
      assert.ok(Math.abs(equity - native) < 0.02, `${play}: ${equity} in the page, ${native} natively`)
    }

    // A further play is rolled out with the others.
    await at('trial-count').selectOption('1,296 trials')
    const further = await at('add-play').locator('option').nth(1).textContent()
    await at('add-play').selectOption({ index: 1 })
    await until(async () => (await page.getByTestId('candidate').count()) === rows.length + 1, 'the play')
    assert.ok((await page.getByTestId('candidate').allTextContents()).some((row) => row.includes(further)))
    await at('stop-rollout').click()

    // The search has its columns still, and another position is not rolled out yet.
    await at('columns-visits').click()
    assert.match(await at('simulations').textContent(), /simulations/)
    await at('position-id').fill(xgid.replace(':31:', ':52:'))
    await at('position-set').click()
    await until(async () => (await trials()) === 0, 'the other position')
    await at('play').click()
  })
})

describe('links to positions', () => {
  const xgid = 'XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:5:10'
  const link = `#/backgammon?position=${encodeURIComponent(xgid)}`

  inWindow('open them, and never end a match without a question', link, matchWindow, async (visitor) => {
    const { at, page } = visitor
    await says(visitor, /3-1/)
    await until(
      async () => /You 2, Trained network 3/.test(await at('match-state').textContent()),
      'the score',
    )
    assert.equal(await at('cube').getAttribute('data-value'), '2')
    assert.match(await at('board').textContent(), /2 of 5/)
    assert.ok(!page.url().includes('position='))
    await playTurn(visitor)

    const go = (id) => page.evaluate((id) => (location.hash = `#/backgammon?position=${id}`), id)
    await go('4HPwATDgc/ABMA')
    await at('linked-position-keep').click()
    assert.ok((await turns(visitor)) > 0)
    // A newer link replaces the one of the dialog.
    await go('AQAABAAAAAAAAA')
    await at('linked-position-open').waitFor()
    await go('4HPwATDgc/ABMA')
    await page.getByText('A newer link was opened.').waitFor()
    await at('linked-position-open').click()
    await until(async () => !(await there(at('turn-0'))), 'the position')

    await go('XGID=abc')
    await until(async () => /“XGID=abc”/.test(await at('error').textContent()), 'the problem')
    await at('way-on').click()
    await at('board').waitFor()
  })
})

describe('a link to a position', () => {
  const id = encodeURIComponent('XGID=-b----E-C---eE---c-e----B-:1:-1:1:31:2:3:0:5:10')
  /** Runs in the page: records the numbers of checkers that the board shows while the link is opened. */
  function recordCheckers() {
    globalThis.shownCheckers = []
    const record = () => {
      if (location.hash.includes('position=') && document.querySelector('[data-testid="board"]'))
        globalThis.shownCheckers.push(document.querySelectorAll('main .checker').length)
      setTimeout(record, 20)
    }
    record()
  }

  inWindow(
    'shows no checkers before its position',
    `#/backgammon?position=${id}`,
    { ...matchWindow, before: recordCheckers },
    async (visitor) => {
      const { page } = visitor
      await says(visitor, /3-1/)
      const shown = await page.evaluate(() => globalThis.shownCheckers)
      assert.ok(shown.length > 0)
      assert.ok(
        shown.every((count) => count === 0),
        String(shown),
      )
    },
  )
})

describe('matches and money sessions of backgammon, by keyboard', () => {
  inWindow('doubling cube and score are set up by hand', '#/backgammon', matchWindow, async (visitor) => {
    const { at } = visitor
    const state = () => at('match-state').textContent()
    const use = async () => {
      await at('edit-use').press('Enter')
      await at('edit-use').waitFor({ state: 'detached' })
    }
    await meetTrained(visitor)
    await startMatch(visitor, 'Match to 5 points')
    await at('match-state').waitFor()
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
})

describe('entered positions in which a computer waits', () => {
  const theirs = (roll) => `XGID=-b----E-C---eE---c-e----B-:0:0:-1:${roll}:0:0:0:0:10`

  inWindow('its play is searched, shown and made', '#/backgammon', matchWindow, async (visitor) => {
    const { at, page } = visitor
    await meetTrained(visitor)
    await setPosition(visitor, theirs('64'))
    await says(visitor, /to play 6-4: press “Move now”\.$/)
    const searched = (count) =>
      until(async () => (await number(visitor, 'simulations')) === count, `${count} simulations`)
    await searched(400)
    await at('analyze-deeper').click()
    await searched(1000)

    // The play of a row stays on the board after a click.
    const others = page.locator('.arrow.other')
    await until(async () => (await others.count()) > 0, 'the plays of the search')
    await at('candidate').nth(1).click()
    await page.mouse.move(0, 0)
    assert.equal(await at('candidate').nth(1).getAttribute('aria-current'), 'true')
    await until(async () => (await others.count()) === 0, 'one play')
    await at('candidate').nth(1).click()
    assert.equal(await at('candidate').nth(1).getAttribute('aria-current'), 'false')

    // The controls are in one row.
    const top = async (id) => Math.round((await at(id).boundingBox()).y)
    assert.equal(await top('new-game'), await top('undo'))
    await page.keyboard.press('r')
    await until(async () => (await turns(visitor)) > 0, 'the play')
  })

  inWindow('its doubling decision is rolled out', '#/backgammon', matchWindow, async (visitor) => {
    const { at } = visitor
    await meetTrained(visitor)
    await setPosition(visitor, theirs('00'))
    await says(visitor, /to double or roll: press “Roll now”\.$/)
    assert.equal(await at('doubling-decision').textContent(), 'Best decision: no double, take.')
    const note = at('analysis').getByText('The plays are compared as soon as the dice are rolled.')
    await note.waitFor()
    await at('trial-count').selectOption('36 trials')
    await at('start-rollout').click()
    await until(async () => Number(await at('rollout').getAttribute('data-trials')) === 36, 'the trials')
    assert.equal(await note.count(), 0)
    await at('move-now').click()
    await until(async () => (await turns(visitor)) > 0, 'the roll and the play')
  })
})
