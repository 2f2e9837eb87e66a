// The cubes in a browser: turned, scrambled, entered and solved during training.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import {
  clipboard,
  forget,
  inWindow,
  number,
  sharedWindow,
  steps,
  trainFast,
  trainSlowly,
  trains,
  until,
} from './exhibit.mjs'
import { visit } from './page.mjs'

// A network that trains quickly on any machine.
const small = 'dqn.hidden=16,16&dqn.num_envs=64&dqn.warm_up=256&dqn.replay_capacity=4096&dqn.minibatch=64'
/** A small network of the larger cube. */
const tiny = 'preset=small&learner.width=32&learner.scrambles=4&tests.cubes=1'
const desktop = { viewport: { width: 1280, height: 900 } }

const solved = (size) => [...'URFDLB'].map((face) => face.repeat(size * size)).join('')
const stickers = ({ at }) => at('cube').getAttribute('data-stickers')
/** The history, including undone turns. */
const history = async ({ at }) =>
  (await at('history').locator('button:not(.start)').allTextContents()).map((turn) => turn.trim())
/** The number of turns in the history: the list merges two equal quarter turns of a solution. */
const historyLength = async ({ at }) =>
  Number((await at('history').locator('button').last().getAttribute('data-testid')).slice('turn-'.length))
const said = ({ at }) => at('status').textContent()

/** Waits until the displayed stickers are the expected ones. */
async function rests(visitor, wanted) {
  await until(async () => (await stickers(visitor)) === wanted, `the cube ${wanted}`)
}

/** Opens a cube experiment and waits until it trains and the demonstration runs. */
async function open(where, context = desktop) {
  const visitor = await visit(where, context)
  await visitor.at('showing').waitFor()
  await trains(visitor)
  await trainSlowly(visitor)
  return visitor
}

/** Resets to a solved cube without a history, which ends the demonstration. */
async function reset(visitor) {
  const { at } = visitor
  const size = Math.sqrt((await stickers(visitor)).length / 6)
  const isReset = async () =>
    (await history(visitor)).length === 0 &&
    (await stickers(visitor)) === solved(size) &&
    (await at('showing').count()) === 0
  if (await isReset()) return
  await until(() => at('reset-cube').isEnabled(), 'a cube that can be reset')
  await at('reset-cube').click()
  await until(isReset, 'a solved cube without a history')
}

/** Drags between two points, given as fractions of width and height from the upper left. */
async function drag({ at, page }, from, to) {
  // The 3D view is loaded after the page.
  await page.locator('[data-testid=cube][aria-busy=false]').waitFor()
  await at('cube').scrollIntoViewIfNeeded()
  const box = await at('cube').boundingBox()
  const place = ([x, y]) => [box.x + box.width * x, box.y + box.height * y]
  await page.mouse.move(...place(from))
  await page.mouse.down()
  await page.mouse.move(...place(to), { steps: 6 })
  await page.mouse.up()
}

/** Scrambles by a number of turns and solves the scramble with a solver, given by its label. */
async function solveScramble(visitor, solver, turns) {
  const { at } = visitor
  await at('pace').fill('6')
  await at('solver').selectOption({ label: solver })
  await at('scramble-length').selectOption(String(turns))
  await at('scramble').click()
  await until(async () => (await history(visitor)).length === turns, 'the scramble')
  await at('solve').click()
  await until(async () => / solved it in /.test(await said(visitor)), 'the solution')
}

describe('the cube of 2×2×2', () => {
  const test = sharedWindow(() => open(`#/cube2?${small}`, { ...desktop, ...clipboard }))

  const before = () => {
    HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
      apply: (real, canvas, args) => (/webgl/.test(args[0]) ? null : Reflect.apply(real, canvas, args)),
    })
  }
  inWindow('works without WebGL', `#/cube2?${small}`, { ...desktop, before }, async (visitor) => {
    const { at } = visitor
    await at('net').waitFor()
    await until(async () => /WebGL/.test((await at('cube').textContent()) ?? ''), 'the reason')
    // Turns of the demonstration must not be mistaken for turns of the test.
    await at('showing').waitFor()
    await reset(visitor)
    await at('cube').press('u')
    await rests(visitor, 'UUUUBBRRRRFFDDDDFFLLLLBB')
    assert.equal(await at('net').getAttribute('data-stickers'), await stickers(visitor))
    forget(visitor, /WebGL/)
  })

  test('demonstrates solving until the user interacts', async (visitor) => {
    const { at } = visitor
    await at('showing').waitFor()
    await at('map').scrollIntoViewIfNeeded()
    await until(async () => Number(await at('map').getAttribute('data-path')) > 0, 'a way on the map')
    await reset(visitor)
  })

  test('is turned by keys and by dragging, and turns are undone', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    await at('cube').press('u')
    await rests(visitor, 'UUUUBBRRRRFFDDDDFFLLLLBB')
    await until(async () => (await history(visitor)).join() === 'U', 'the turn in the history')
    assert.equal(await number(visitor, 'distance'), 1)
    await at('cube').press('Shift+U')
    await rests(visitor, solved(2))
    await until(async () => (await history(visitor)).join(' ') === "U U'", 'the turn back')

    // Dragging the upper layer of F to the right turns U counter-clockwise.
    await at('reset-cube').click()
    await until(async () => (await history(visitor)).length === 0, 'a new cube')
    await drag(visitor, [0.4, 0.42], [0.56, 0.5])
    await until(async () => (await history(visitor)).join() === "U'", 'the turn that was dragged')
    await rests(visitor, 'UUUUFFRRLLFFDDDDBBLLRRBB')
    // Short drags are ignored; a drag beside the cube rotates the view.
    await drag(visitor, [0.4, 0.42], [0.42, 0.43])
    await drag(visitor, [0.04, 0.1], [0.2, 0.2])
    await page.getByText('Reset view').click()
    assert.deepEqual(await history(visitor), ["U'"])
    // The fixed corner turns with D: the whole cube is held in another way.
    await at('cube').press('Shift+D')
    await until(async () => (await history(visitor)).join(' ') === "U' D'", 'the turn of the fixed corner')

    await at('step-back').click()
    await rests(visitor, 'UUUUFFRRLLFFDDDDBBLLRRBB')
    await at('turn-0').click()
    await rests(visitor, solved(2))
    await at('step-on').click()
    await rests(visitor, 'UUUUFFRRLLFFDDDDBBLLRRBB')
    await at('move-U').click()
    await rests(visitor, solved(2))
    await trains(visitor)
  })

  test('keeps the orientation in which it is held, until the cube is replaced', async (visitor) => {
    await reset(visitor)
    const { at } = visitor
    await at('cube').press('x')
    await until(async () => (await history(visitor)).join() === 'x', 'the rotation')
    await rests(visitor, 'FFFFRRRRDDDDBBBBLLLLUUUU')
    await at('reset-cube').click()
    await rests(visitor, solved(2))
    // A cube changed by the user is restored by undo after a scramble.
    await at('cube').press('u')
    await rests(visitor, 'UUUUBBRRRRFFDDDDFFLLLLBB')
    await until(async () => (await number(visitor, 'distance')) === 1, 'the turn in the document')
    await at('scramble-length').selectOption('null')
    await at('scramble').click()
    await until(async () => (await history(visitor)).length === 0, 'another cube')
    await at('step-back').click()
    await rests(visitor, 'UUUUBBRRRRFFDDDDFFLLLLBB')
    await until(async () => (await history(visitor)).join() === 'U', 'the turn of the restored cube')
  })

  test('applies turns in notation and reports errors', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    for (const { text, wrong } of [
      { text: 'R Q', wrong: /character 3/ },
      { text: 'r U', wrong: /no wide turns/ },
      { text: '(R U', wrong: /character 1/ },
    ]) {
      await at('notation').fill(text)
      await at('apply').click()
      await at('notation-error').waitFor()
      assert.match(await at('notation-error').textContent(), wrong)
      assert.deepEqual(await history(visitor), [])
    }
    await at('notation').fill("R U2 F'")
    await at('notation').press('Enter')
    await until(async () => (await history(visitor)).join(' ') === "R U2 F'", 'the turns')
    assert.equal(await at('notation-error').count(), 0)
    await until(async () => (await number(visitor, 'distance')) === 4, 'the distance')
    await at('copy-turns').click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "R U2 F'")
    // Brackets are expanded in the list. The field and the copy keep them.
    await at('notation').fill('[R, U]')
    await at('notation').press('Enter')
    await until(async () => (await history(visitor)).join(' ') === "R U2 F' R U R' U'", 'the expanded turns')
    assert.equal(await at('notation').inputValue(), '[R, U]')
    await at('copy-turns').click()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "R U2 F' [R, U]")
  })

  test('is reconstructed: slider, copied algorithm and link to Twizzle', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    await at('pace').fill('0')
    await at('scramble-length').selectOption('4')
    await at('scramble').click()
    await until(async () => (await history(visitor)).length === 4, 'the scramble')
    const scramble = await history(visitor)
    const away = await number(visitor, 'distance')
    await at('solver').selectOption({ label: 'Optimal solver (quarter turns)' })
    await at('solve').click()
    await at('stop-solving').waitFor()
    // The end of the slider is the end of the solution, and the start of the history remains reachable.
    const slider = at('replay-turns')
    await until(async () => Number(await slider.getAttribute('max')) > 4, 'the solution')
    await slider.fill(await slider.getAttribute('max'))
    await rests(visitor, solved(2))
    const solution = (await history(visitor)).slice(4)
    assert.equal(await historyLength(visitor), 4 + away)
    await slider.fill('0')
    await until(async () => (await number(visitor, 'turns-made')) === 0, 'the start')
    await rests(visitor, solved(2))
    await at('cube').press('ArrowRight')
    await until(async () => (await number(visitor, 'turns-made')) === 1, 'a turn on')
    // Two equal quarter turns in a row are written as a half turn: compares the angle of turns of one face in a row.
    const angles = (turns) => {
      const runs = []
      for (const [face, ending = ''] of turns) {
        const quarters = { '': 1, 2: 2, "'": 3 }[ending]
        if (runs.at(-1)?.face === face) runs.at(-1).quarters += quarters
        else runs.push({ face, quarters })
      }
      return runs.map(({ face, quarters }) => `${face} ${quarters % 4}`)
    }
    const same = (written, turns) => assert.deepEqual(angles(written.split(' ')), angles(turns))
    await at('copy-turns').click()
    same(await page.evaluate(() => navigator.clipboard.readText()), solution)
    const link = new URL(await at('twizzle').getAttribute('href'))
    assert.equal(link.host, 'alpha.twizzle.net')
    same(link.searchParams.get('setup-alg'), scramble)
    same(link.searchParams.get('alg'), solution)
    assert.equal(link.searchParams.get('puzzle'), '2x2x2')
  })

  test('solves are timed after a scramble', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    await at('speedcubing').locator('summary').click()
    await at('own-scramble').fill("R U'")
    await at('own-scramble').press('Enter')
    const phase = (wanted) => page.locator(`[data-testid=timer][data-phase=${wanted}]`).waitFor()
    await phase('ready')
    await at('cube').press(' ')
    await phase('inspecting')
    await at('cube').press('Escape')
    await phase('ready')
    // The space bar moves the keyboard focus to the cube, also after a click on text.
    await at('scramble-text').click()
    await page.keyboard.press(' ')
    await phase('inspecting')
    await page.keyboard.press('u')
    await phase('running')
    await page.keyboard.press('Shift+R')
    await phase('done')
    assert.equal(await number(visitor, 'solves'), 1)
    assert.match(await at('best-single').textContent(), /^\d+\.\d\d$/)
    // The time opens the solve, whose turns are shown in the list of turns.
    await at('solve-1').click()
    assert.equal(await at('solve-turns').textContent(), "U R'")
    await at('solve-comment').fill('easy')
    await at('show-solve').click()
    await until(async () => (await history(visitor)).join(' ') === "R U' U R'", 'scramble and turns')
    await until(async () => (await number(visitor, 'turns-made')) === 2, 'the start of the solve')
    await at('solve-1').click()
    await at('solve-list').getByText('“easy”').waitFor()
    // The space bar brings the next scramble, a random-state scramble, which is taken back by undo.
    await at('cube').press(' ')
    await phase('ready')
    assert.equal((await history(visitor)).length, 11)
    await at('cube').press('Control+z')
    await until(async () => (await number(visitor, 'turns-made')) === 0, 'the undone scramble')
    assert.equal(await at('history').locator('button.scramble').count(), 11)
    await rests(visitor, solved(2))
    // Undo at the start of the scramble brings the cube before the scramble back.
    await at('cube').press('Control+z')
    await until(async () => (await history(visitor)).join(' ') === "R U' U R'", 'the cube before')
    assert.equal(await at('history').locator('button.scramble').count(), 2)
    // The space bar activates a control that has the focus.
    await at('own-cube').click()
    await at('paint-R').check()
    await at('sticker-0').press(' ')
    assert.equal((await at('net').getAttribute('data-stickers'))[0], 'R')
    await at('net-cancel').click()
    // Deleted solves are restored by Undo.
    const undo = page.getByRole('button', { name: 'Undo', exact: true })
    await page.getByRole('button', { name: 'Delete solve 1' }).click()
    assert.equal(await number(visitor, 'solves'), 0)
    await undo.click()
    await until(async () => (await number(visitor, 'solves')) === 1, 'the deleted solve')
    await at('clear-solves').click()
    assert.equal(await number(visitor, 'solves'), 1)
    await at('clear-confirm').click()
    await at('clear-dialog').waitFor({ state: 'hidden' })
    assert.equal(await number(visitor, 'solves'), 0)
    await page.getByText('1 solve deleted.').waitFor()
    await undo.click()
    await until(async () => (await number(visitor, 'solves')) === 1, 'the deleted solves')
    // A session has solves of its own.
    await at('new-session').click()
    assert.equal(await number(visitor, 'solves'), 0)
    await at('rename-session').click()
    await at('session-name').fill('evening')
    await at('session-name').press('Enter')
    assert.equal(await at('session').inputValue(), 'evening')
    await at('delete-session').click()
    assert.equal(await number(visitor, 'solves'), 1)
    await at('clear-solves').click()
    await at('clear-confirm').click()
    await at('speedcubing').locator('summary').click()
    await trains(visitor)
  })

  test('is scrambled, and solved by the network and by the optimal solver', async (visitor) => {
    await reset(visitor)
    const { at } = visitor
    await at('pace').fill('0')
    await at('scramble-length').selectOption('5')
    await at('scramble').click()
    await until(async () => (await history(visitor)).length === 5, 'the scramble')
    const away = await number(visitor, 'distance')
    assert.ok(away >= 1 && away <= 5)
    await until(async () => (await stickers(visitor)) !== solved(2), 'a scrambled cube')
    // Step by step, forward and back.
    await at('solver').selectOption({ label: 'Optimal solver (quarter turns)' })
    await at('solve').click()
    await at('stop-solving').waitFor()
    await at('step-on').click()
    await until(async () => (await number(visitor, 'distance')) < away, 'a step on')
    await at('pace').fill('6')
    await until(async () => /^The optimal solver solved it/.test(await said(visitor)), 'the solution')
    assert.match(await said(visitor), /, the shortest way\./)
    // The status describes the displayed cube.
    assert.equal(await stickers(visitor), solved(2))
    assert.equal(await historyLength(visitor), 5 + away)
    await at('step-back').click()
    await until(async () => (await number(visitor, 'distance')) > 0, 'a step back')

    // The network either solves the cube or gives up with a reason.
    await at('solver').selectOption({ label: 'Greedy policy' })
    await at('solve').click()
    await until(
      async () => /^(The network solved it|Too hard for this network yet\. .{20})/.test(await said(visitor)),
      'an end',
    )
    await at('scramble-length').selectOption('null')
    await at('scramble').click()
    await until(async () => (await history(visitor)).length === 0, 'another cube')
    await until(async () => (await number(visitor, 'distance')) > 4, 'one that is far away')
    await trains(visitor)
  })

  test('that the network does not solve is replaced by an easier one', async (visitor) => {
    await reset(visitor)
    const { at } = visitor
    await at('pace').fill('6')
    await at('solver').selectOption({ label: 'Greedy policy' })
    await at('scramble-length').selectOption('null')
    // A network that was trained for seconds solves hardly any random state.
    await until(async () => {
      await at('scramble').click()
      await until(async () => (await history(visitor)).length === 0, 'a random state')
      await at('solve').click()
      await until(async () => /^(.* solved it|Too hard)/.test(await said(visitor)), 'an end')
      return (await at('easier-scramble').count()) > 0
    }, 'a failure')
    assert.match(await at('easier-scramble').textContent(), /^\s*Try \d+ turns?/)
    await at('easier-scramble').click()
    // The network trains meanwhile, so the offered length may have changed since its button was read.
    let turns = NaN
    await until(async () => {
      turns = Number(await at('scramble-length').inputValue())
      return turns >= 1 && turns < 14
    }, 'an easier scramble')
    await until(async () => (await history(visitor)).length >= turns, 'the scramble')
    await until(async () => /The network solved it|Too hard/.test(await said(visitor)), 'the solver')
    await reset(visitor)
  })

  test('is solved by the pretrained network', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    // The network is not downloaded before the click.
    const fetched = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => /safetensors/.test(name)).length,
      )
    assert.equal(await fetched(), 0)
    await at('trained-network').click()
    await until(async () => (await at('player').inputValue()) === 'opened', 'the pretrained network')
    assert.match(await at('player').locator('option:checked').textContent(), /pretrained, .+ samples/)
    assert.equal(await fetched(), 1)
    assert.equal(await at('trained-network').count(), 0)
    await solveScramble(visitor, 'Greedy policy', 5)
    // Training continues.
    await trains(visitor)
    await at('player').selectOption('newest')
    await until(async () => (await at('player').inputValue()) === 'newest', 'the network in training')
  })

  test('is entered by its colors and validated', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    const net = () => at('net').getAttribute('data-stickers')
    await at('cube').press('r')
    await until(async () => (await history(visitor)).length === 1, 'a turn')
    await at('own-cube').click()
    assert.ok(await at('net-use').isDisabled())
    assert.match(await at('net-use').textContent(), /24 stickers left/)
    // Painted by typing, face by face.
    await at('sticker-0').focus()
    for (const letter of 'wwwwrrrrggggyyyyoooobbbb') await page.keyboard.press(letter)
    assert.equal(await net(), solved(2))
    // One twisted corner: unsolvable.
    const corner = { 3: 'F', 4: 'U', 9: 'R' }
    for (const [sticker, color] of Object.entries(corner)) {
      await at(`paint-${color}`).check()
      await at(`sticker-${sticker}`).click()
    }
    assert.match(await at('count-U').textContent(), /4\/4/)
    await at('net-error').waitFor()
    assert.match(await at('net-error').textContent(), /twisted/)
    assert.ok(await at('net-use').isDisabled())
    await at('paint-U').check()
    await at('sticker-3').click()
    assert.equal(await at('net-error').count(), 0)
    // Wrong numbers of a color are stated beside the net.
    assert.equal(
      await at('net-counts').textContent(),
      'Too many: 1 white. Missing: 1 green. To do: repaint 1.',
    )
    assert.ok(await at('net-use').isDisabled())
    // The current cube can be copied to the editor and back.
    await at('net-table').click()
    assert.equal(await net(), await stickers(visitor))
    await at('net-use').click()
    await at('net-editor').waitFor({ state: 'detached' })
    await until(async () => (await history(visitor)).length === 0, 'the cube that was entered')
    assert.equal(await number(visitor, 'distance'), 1)
  })

  test('is evaluated exhaustively during training', async (visitor) => {
    const { at } = visitor
    const first = await steps(visitor)
    await trainFast(visitor)
    await at('evaluation').scrollIntoViewIfNeeded()
    await until(
      async () => (await number(visitor, 'evaluation-depth-0')) === 1,
      'the solved state to be known',
    )
    await until(async () => (await number(visitor, 'evaluation-depth-1')) > 0, 'states a turn away')
    await until(async () => /%/.test(await at('solved-share').textContent()), 'a share of all states')
    await until(async () => (await number(visitor, 'evaluations')) > 0, 'a whole evaluation')
    await until(async () => (await number(visitor, 'levels')) >= 1, 'a level of the curriculum')
    await trains(visitor, first)
    await trainSlowly(visitor)
  })
})

describe('on a phone', () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const test = sharedWindow(() => visit(`#/cube2?${small}`, phone))

  test('a physical cube is timed by touch', async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await trainSlowly(visitor)
    await at('speedcubing').locator('summary').click()
    await at('physical').tap()
    const scramble = async () =>
      (await at('scramble-text').count()) ? at('scramble-text').textContent() : null
    await until(async () => (await scramble()) !== null, 'a scramble')
    const first = await scramble()
    const phase = (wanted) => page.locator(`[data-testid=timer][data-phase=${wanted}]`).waitFor()
    const devtools = await page.context().newCDPSession(page)
    await at('clock').scrollIntoViewIfNeeded()
    const box = await at('clock').boundingBox()
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const touch = (type) =>
      devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [point] })
    await touch('touchStart')
    await phase('inspecting')
    await touch('touchEnd')
    await touch('touchStart')
    await phase('holding')
    // The color of the time shows that the release starts the timer.
    await at('timer').and(page.locator('.live')).waitFor()
    await touch('touchEnd')
    await phase('running')
    await touch('touchStart')
    await phase('done')
    await touch('touchEnd')
    await until(async () => ![null, first].includes(await scramble()), 'the next scramble')
    assert.equal(await number(visitor, 'solves'), 1)
    await phase('done')
    // Scramble and clock are visible together.
    await at('new-scramble').tap()
    await until(() => at('new-scramble').isEnabled(), 'another scramble')
    for (const id of ['scramble-text', 'clock']) {
      const { y, height } = await at(id).boundingBox()
      assert.ok(y >= 0 && y + height <= 844, `${id} at ${y}`)
    }
    // A keyboard and a screen reader operate the clock as well: a click without holding.
    await at('clock').evaluate((clock) => clock.click())
    await phase('inspecting')
    for (const key of [' ', 'Enter']) {
      await at('clock').press('Escape')
      await phase('idle')
      await at('clock').press(key)
      await phase('inspecting')
    }
    // Escape cancels the holding too.
    await page.keyboard.down(' ')
    await phase('holding')
    await page.keyboard.press('Escape')
    await phase('idle')
    await page.keyboard.up(' ')
    assert.equal(await number(visitor, 'solves'), 1)

    // The full-size timer: Escape cancels the inspection, then closes the timer.
    await at('full-size').tap()
    await at('clock').and(page.locator(':focus')).waitFor()
    await page.keyboard.press(' ')
    await phase('inspecting')
    await page.keyboard.press('Escape')
    await phase('idle')
    assert.equal(await at('full-scramble').textContent(), await scramble())
    // A touch on Close cancels the inspection too; the focus returns.
    await page.keyboard.press(' ')
    await phase('inspecting')
    await at('full-timer').getByLabel('Close').tap()
    await phase('idle')
    await at('full-size').and(page.locator(':focus')).waitFor()
    await at('full-size').tap()
    await at('clock').and(page.locator(':focus')).waitFor()
    await page.keyboard.press(' ')
    await page.keyboard.down(' ')
    await at('timer').and(page.locator('.live')).waitFor()
    await page.keyboard.up(' ')
    await phase('running')
    // A touch at any place stops the timer.
    await page.touchscreen.tap(10, 10)
    await phase('done')
    await at('last-+2').tap()
    assert.match(await at('last-solves').textContent(), /\+/)
    // The space bar would repeat the click.
    await at('clock').and(page.locator(':focus')).waitFor()
    // Notifications are above the dialog, and Tab stays inside.
    await at('full-timer').getByLabel('Delete the last solve').tap()
    await at('toast-action').tap()
    assert.equal(await at('last-solves').locator('li').count(), 2)
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press('Tab')
      assert.ok(
        await page.evaluate(
          () =>
            document.activeElement?.closest('header, main, footer') === null ||
            document.activeElement?.closest('dialog') !== null,
        ),
      )
    }
    await page.keyboard.press('Escape')
    await at('full-size').and(page.locator(':focus')).waitFor()
    await trains(visitor)
  })

  test('a cube of 3×3×3 is turned by touch', async (visitor) => {
    const { at, page } = visitor
    await page.evaluate((hash) => void (location.hash = hash), `#/cube3?${tiny}`)
    await until(
      async () => (await at('cube').count()) > 0 && (await stickers(visitor)).length === 54,
      'the cube of 3×3×3',
    )
    await at('showing').waitFor()
    await trains(visitor)
    await trainSlowly(visitor)
    await reset(visitor)
    await drag(visitor, [0.35, 0.45], [0.58, 0.53])
    await until(async () => (await history(visitor)).length >= 1, 'the turn that was dragged')
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    assert.ok(width <= 390, `${width} pixels wide`)
  })
})

describe('the cube of 3×3×3', () => {
  const test = sharedWindow(() => open(`#/cube3?${tiny}`))

  test('is turned by the keys of both layouts, and turns are undone', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    const press = async (...keys) => {
      for (const key of keys) await at('cube').press(key)
    }
    const turns = (wanted) =>
      until(async () => (await history(visitor)).join(' ') === wanted, `the turns ${wanted}`)
    await press('r', 'y', 'r')
    await turns('R y R')
    await press('Shift+Y', 'Shift+R', 'm')
    await turns("R y R y' R' M")
    await press('Home', 'Backspace')
    await until(async () => (await number(visitor, 'turns-made')) === 5, 'an undone move')
    await press('Backspace')
    await until(async () => (await number(visitor, 'turns-made')) === 4, 'two undone moves')
    await press('Control+z')
    await until(async () => (await number(visitor, 'turns-made')) === 3, 'an undone move')
    await press('Control+Shift+z')
    await until(async () => (await number(visitor, 'turns-made')) === 4, 'the redone move')
    await at('reset-cube').click()
    await until(async () => (await history(visitor)).length === 0, 'a new cube')
    await press('Backspace')
    await turns("R y R y' R' M")

    await at('reset-cube').click()
    await until(async () => (await history(visitor)).length === 0, 'a new cube')
    await at('key-layout').selectOption('cstimer')
    await press('i', 'j', 'k', 'f', 'd', 'h')
    await turns("R U R' U' L F")
    await at('key-layout').selectOption('letters')

    // Keys act without the focus on the cube, but not in a field.
    await at('scramble').focus()
    await page.keyboard.press('r')
    await turns("R U R' U' L F R")
    await at('notation').focus()
    await page.keyboard.press('u')
    assert.equal(await at('notation').inputValue(), 'u')
    await at('notation').fill('')
    await at('scramble').focus()
    await page.keyboard.press('Backspace')
    await until(async () => (await number(visitor, 'turns-made')) === 6, 'an undone move')
    await at('page-keys').uncheck()
    await at('scramble').focus()
    await page.keyboard.press('u')
    await at('page-keys').check()
    await at('scramble').focus()
    await page.keyboard.press('l')
    await turns("R U R' U' L F L")

    // An entry continues in the orientation of the entry before, and is listed as typed.
    const enter = async (text, wanted) => {
      await at('notation').fill(text)
      await at('notation').press('Enter')
      await turns(wanted)
    }
    await at('reset-cube').click()
    await until(async () => (await history(visitor)).length === 0, 'a new cube')
    await enter("x2 y R U M' // first", "x2 y R U M'")
    await enter("y r U M'", "x2 y R U M' y Rw U M'")
    // The inverse of the whole algorithm solves the cube.
    await at('notation').fill("M U' r' y' M U' R' y' x2")
    await at('notation').press('Enter')
    await rests(visitor, solved(3))
  })

  test('is turned, scrambled and solved while it trains', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    for (const key of ['l', 'Shift+D', 'b']) await at('cube').press(key)
    await until(async () => (await history(visitor)).join(' ') === "L D' B", 'the turns')
    // Undo all turns.
    await at('turn-0').click()
    await rests(visitor, solved(3))
    // A solved cube has no best move.
    await until(async () => (await at('move-U').textContent()).includes('–'), 'no value of the solved cube')
    await at('pace').fill('6')
    await at('scramble-length').selectOption('1')
    await at('reset-cube').click()
    await until(async () => (await history(visitor)).length === 0, 'a new cube')
    await at('scramble').click()
    await until(async () => (await history(visitor)).length === 1, 'a scramble')
    // Even an untrained network finds a single turn with a wide beam.
    await at('solver').selectOption({ label: 'Beam search (width 128)' })
    await at('solve').click()
    await until(
      async () => /^Beam search \(width 128\) solved it in 1.turn\./.test(await said(visitor)),
      'the solution',
    )
    await rests(visitor, solved(3))
    assert.match(await at('evaluated').textContent(), /\d/)

    // The editor opens above its button, and is scrolled into view.
    await at('own-cube').evaluate((button) => button.scrollIntoView({ block: 'center' }))
    await at('own-cube').click()
    const { y } = await at('net-editor').boundingBox()
    assert.ok(y >= 0 && y < 200, `the editor begins at ${y}`)
    // The centers are given: typing skips them, and the pointer does not paint them.
    await at('paint-R').check()
    await at('sticker-4').click({ force: true })
    await at('sticker-0').focus()
    for (const letter of 'wrgyob')
      for (let sticker = 0; sticker < 8; sticker++) await page.keyboard.press(letter)
    assert.equal(await at('net').getAttribute('data-stickers'), solved(3))
    await at('net-table').click()
    await at('paint-R').check()
    await at('sticker-1').click()
    assert.match(await at('net-counts').textContent(), /^Too many: 1 red\. Missing: 1 white\./)
    assert.ok(await at('net-use').isDisabled())
    await at('net-cancel').click()
    await trains(visitor)
  })

  test('is solved by the pretrained network, and compared with the two-phase solver', async (visitor) => {
    await reset(visitor)
    const { at } = visitor
    await at('trained-network').click()
    await until(async () => (await at('player').inputValue()) === 'opened', 'the pretrained network')
    await solveScramble(visitor, 'Beam search (width 128)', 3)
    await at('compare-two-phase').click()
    // Two rows of two numbers: HTM and QTM of the network, then of the two-phase solver.
    const lengths = async () =>
      (await at('solution-lengths').locator('tbody td').allTextContents()).map(Number)
    await until(
      async () => (await lengths()).filter(Number.isFinite).length === 4,
      'the lengths of both solutions',
    )
    const [networkHalf, networkQuarter, half, quarter] = await lengths()
    assert.ok(half > 0 && half <= networkHalf && quarter <= networkQuarter, `${await lengths()}`)
    assert.match(await at('two-phase-moves').first().textContent(), /: *\n? *[URFDLB]/)
    // The lengths belong to one starting position.
    await at('speedcubing').locator('summary').click()
    await at('own-scramble').fill('R U')
    await at('own-scramble').press('Enter')
    await until(async () => (await at('solution-lengths').count()) === 0, 'no lengths of the scramble before')
    for (const key of ['Shift+U', 'Shift+R']) await at('cube').press(key)
    await until(async () => (await lengths()).join() === '2,2', 'the length of the own solution')
    await at('speedcubing').locator('summary').click()
  })

  test('is solved by the two-phase solver after a random-state scramble', async (visitor) => {
    await reset(visitor)
    const { at, page } = visitor
    await at('speedcubing').locator('summary').click()
    await at('new-scramble').click()
    await page.locator('[data-testid=timer][data-phase=ready]').waitFor()
    const scramble = await at('scramble-text').textContent()
    assert.equal((await at('history').locator('button.scramble').allTextContents()).join(' '), scramble)
    assert.ok(scramble.split(' ').length >= 12, scramble)
    await at('pace').fill('6')
    await at('solver').selectOption({ label: 'Two-phase solver' })
    await at('solve').click()
    await until(
      async () =>
        /^The two-phase solver solved it in \d+.(quarter )?turns( \(\d+.in the half-turn metric\))?\./.test(
          await said(visitor),
        ),
      'a solution',
    )
    await rests(visitor, solved(3))
    assert.ok((await history(visitor)).length <= 2 * 22)
  })
})
