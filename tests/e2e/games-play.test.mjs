// Play of backgammon and Connect Four while the network trains, in a real browser.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import {
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
import {
  choose,
  matchWindow,
  meetTrained,
  movable,
  move,
  myTurn,
  open,
  playTurn,
  setPosition,
  sit,
  there,
  turns,
} from './games.mjs'

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
  const test = sharedWindow(() => open('backgammon', { everyFrame: true }))

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
      await at('board').press('s')
      await until(async () => /of 1000 /.test(await wanted()), 'a deeper search')
      await until(async () => (await number(visitor, 'simulations')) === 1000, 'all of it')
      for (const more of ['3000', '10000']) {
        await at('board').press('s')
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

  test('shows two computers, the search tree, and earlier turns', async (visitor) => {
    const { at, page } = visitor
    await sit(visitor, 0, /^Network in training/)
    await sit(visitor, 1, /^Network in training/)
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
    assert.equal(await points(), won)

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
})

describe('typed plays', () => {
  inWindow('are made by Enter', '#/backgammon', matchWindow, async (visitor) => {
    const { at, page } = visitor
    await meetTrained(visitor)
    await setPosition(visitor, 'XGID=-b----E-C---eE---c-e----B-:0:0:1:62:0:0:0:0:10')
    await at('board').focus()
    await page.keyboard.press('m')
    const feedback = (text) =>
      until(async () => (await at('typed-play-feedback').textContent()) === text, `the feedback ${text}`)
    await page.keyboard.type('7/5')
    await feedback('No checker on 7.')
    await at('typed-play').fill('24/18')
    await feedback('A move with the 2 is missing.')
    await page.keyboard.type(' 13/11')
    await feedback('Enter plays 24/18 13/11.')
    // The controls stay in one row beside the button of the field.
    const top = async (id) => Math.round((await at(id).boundingBox()).y)
    assert.equal(await top('new-game'), await top('type-play'))
    await page.keyboard.press('Enter')
    await until(async () => (await turns(visitor)) > 0, 'the play')
    assert.match(await at('turn-0').textContent(), /24\/18 13\/11/)
    await page.keyboard.press('Escape')
    assert.equal(await at('typed-play').count(), 0)
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-testid')), 'board')

    // On a phone, the plays follow the board, before the training and the rest, also in the tab order.
    await page.setViewportSize({ width: 390, height: 844 })
    const parts = ['board', 'analysis', 'position-id', 'learning', 'match-rules']
    const tops = () => Promise.all(parts.map(async (id) => (await at(id).boundingBox()).y))
    await until(async () => (await tops()).every((y, i, all) => i === 0 || y > all[i - 1]), 'the order')
    const inDocument = await page.evaluate((ids) => {
      const all = [...document.querySelectorAll('[data-testid]')].map((one) =>
        one.getAttribute('data-testid'),
      )
      return ids.map((id) => all.indexOf(id))
    }, parts)
    assert.deepEqual(
      inDocument,
      inDocument.toSorted((a, b) => a - b),
    )
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
    await choose(at('analyst'), /^Network in training/)
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
    // The open end of three in a row is not blocked.
    await sit(visitor, 1, /^Minimax, 2/)
    await at('position-id').fill('717263')
    await at('position-set').click()
    await until(async () => (await stones()) === 6 && (await mine()), 'the position')
    await at('hint').click()
    await until(async () => /^4/.test((await at('candidate').first().textContent()).trim()), 'the block')
    assert.match(await page.locator('.worth.best').textContent(), /%/)
    assert.match(await at('worth-legend').textContent(), /choice of the search/)
    await until(async () => (await number(visitor, 'simulations')) >= 100, 'enough simulations')
    await at('hint').click()
    await at('board').press('1')
    const mistake = at('biggest-mistake')
    await mistake.waitFor()
    assert.match(
      (await mistake.textContent()).replace(/\s+/g, ' '),
      /mistake: turn 1, column 1\. Better: column 4\./,
    )
    await mistake.getByRole('button', { name: 'turn 1' }).click()
    await until(async () => /^Before turn 1/.test(await at('status').textContent()), 'the turn')
    await at('to-present').click()
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
