// Stored runs: after a reload, in other exhibits and in other tabs.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { chooseMore, inWindow, pause, steps, trains, trainSlowly, until } from './exhibit.mjs'

const test = (name, where, body, options = {}) => inWindow(name, where, options, body)

/** Environment steps per update in the control exhibits. */
const update = 8192

/** Follows a link in the page's header. */
const go = ({ page }, name) => page.getByRole('banner').getByRole('link', { name, exact: true }).click()

const playButton = async ({ at }) => (await at('play').textContent()).trim()

/** Opens the list of runs, for which the home page has a button. */
const openRuns = async ({ at }) =>
  (await at('more-actions').count()) ? chooseMore({ at }, 'open') : at('open').click()

/** Opens the list of runs, which saves a paused run first, and waits until it shows this number of runs. */
async function panel({ at, page }, count) {
  await openRuns({ at })
  await page.locator('#runs[aria-busy=false]').waitFor()
  await until(async () => (await at('recent').count()) === count, `${count} runs`)
}

/**
 * Returns the steps of the newest of `count` stored runs. A run that was paused within an update is stored as of the previous
 * update.
 */
async function kept(visitor, count = 1) {
  const now = await steps(visitor)
  assert.ok(now > update, 'pause later')
  await panel(visitor, count)
  const stored = Number(await visitor.at('recent').first().getAttribute('data-steps'))
  assert.ok(stored >= now - update && stored <= now, `stored ${stored} of ${now} steps`)
  return stored
}

describe('a run', () => {
  test('continues after a reload with its curve and its place in the list', '#/cartpole', async (visitor) => {
    const { at, page } = visitor
    await until(async () => (await at('return').textContent()) !== '–', 'a mean return')
    await trains(visitor, 3 * update)
    await pause(visitor)
    const mean = await at('return').textContent()
    const before = await kept(visitor)

    await page.reload()
    await at('toast')
      .filter({ hasText: /restored at .* steps, saved/ })
      .waitFor()
    await until(async () => (await steps(visitor)) === before, 'the run as it was')
    assert.equal(await at('return').textContent(), mean)
    assert.equal(await playButton(visitor), 'Continue')
    await at('play').click()
    await trains(visitor, before)
    await panel(visitor, 1)
  })

  // As Safari before version 26.
  const withoutStreams = () => delete FileSystemFileHandle.prototype.createWritable
  const how = 'continues after a reload in a browser that writes files in workers only'
  test(
    how,
    '#/cartpole',
    async (visitor) => {
      await trains(visitor, 3 * update)
      await pause(visitor)
      const before = await kept(visitor)
      await visitor.page.reload()
      await until(async () => (await steps(visitor)) === before, 'the run as it was')
      await visitor.at('play').click()
      await trains(visitor, before)
    },
    { before: withoutStreams },
  )

  test('is stored while it trains, and is offered on the home page', '#/cartpole', async (visitor) => {
    const { at, page } = visitor
    await until(
      async () => page.evaluate(async () => (await navigator.locks.query()).held.length > 0),
      'a claim on the run',
    )
    await until(async () => {
      await chooseMore(visitor, 'open')
      const there = await at('recent').count()
      await page.keyboard.press('Escape')
      return there === 1
    }, 'a copy that comes by itself')
    await page.goto(`${new URL(page.url()).origin}/?again`)
    await at('go-on-with').waitFor()
    // The home page lists all runs, too.
    await panel(visitor, 1)
    await page.keyboard.press('Escape')
    await at('go-on-with').click()
    await page.waitForURL(/#\/cartpole\?seed=1/)
    await until(async () => (await steps(visitor)) > 0, 'the run')
  })

  test(
    'continues in its exhibit after a visit to another, and is locked for other tabs',
    '#/cartpole',
    async (visitor) => {
      const { page, window } = visitor
      await trains(visitor)
      await go(visitor, 'Pendulum')
      await page.waitForURL(/#\/pendulum/)
      await trains(visitor, 3 * update)
      await pause(visitor)
      const left = await steps(visitor)
      // It is stored as of its last complete update.
      const isAsLeft = (steps) => steps <= left && steps >= left - update
      await go(visitor, 'CartPole')
      await page.waitForURL(/#\/cartpole/)
      await trains(visitor)
      await go(visitor, 'Pendulum')
      await page.waitForURL(/#\/pendulum/)
      await until(async () => isAsLeft(await steps(visitor)), 'the pendulum as it was left')
      assert.equal(await playButton(visitor), 'Continue')

      const other = await window.newPage()
      await other.goto(page.url())
      await other.getByTestId('pause').waitFor()
      assert.ok(isAsLeft(await steps(visitor)))
    },
  )

  test('that was restarted is restored by the notification', '#/cartpole?preset=moon', async (visitor) => {
    const { at } = visitor
    await trains(visitor, 3 * update)
    await pause(visitor)
    const before = await kept(visitor)
    await at('run-pin').click()
    await until(async () => (await at('run-pin').getAttribute('aria-pressed')) === 'true', 'the pin')
    await at('start-over').click()
    await at('toast-action').click()
    await until(async () => (await steps(visitor)) === before, 'the run as it was')
  })

  test(
    'is named, saved as a file and deleted, and a deletion is undone',
    '#/mountain-car',
    async (visitor) => {
      const { at, page } = visitor
      await trains(visitor, 5 * update)
      await pause(visitor)
      const before = await steps(visitor)
      await go(visitor, 'CartPole')
      // The counter of the previous run is visible until the new run exists.
      await until(async () => (await steps(visitor)) < before, 'the new run')
      await trains(visitor, 3 * update)
      await pause(visitor)
      await panel(visitor, 2)
      const rows = page.locator('#runs li')
      await rows.filter({ hasText: 'MountainCar' }).getByTestId('run-rename').click()
      await at('run-name').fill('Over the hill')
      await page.keyboard.press('Enter')
      const row = rows.filter({ hasText: 'Over the hill' })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        row.getByTestId('run-save').click(),
      ])
      assert.match(download.suggestedFilename(), /^mountain-car-Over-the-hill-seed1-\d+\.safetensors$/)
      await row.getByTestId('run-delete').click()
      await row.waitFor({ state: 'detached' })
      await at('toast-action').click()
      await until(async () => (await at('recent').count()) === 2, 'the run again')
    },
  )
})

describe('a table', () => {
  // Turns are animated.
  test(
    'is restored after a reload',
    '#/cube2',
    async (visitor) => {
      const { at, page } = visitor
      await at('showing').waitFor()
      await trainSlowly(visitor)
      await at('pause').click()
      const stickers = () => at('cube').getAttribute('data-stickers')
      await at('turn-0').click()
      await at('showing').waitFor({ state: 'detached' })
      await at('turn-1').click()
      const before = await stickers()
      await at('turn-2').click()
      await until(async () => (await stickers()) !== before, 'the turn')
      await panel(visitor, 1)
      const turned = await stickers()
      await page.reload()
      await until(
        async () => (await at('cube').count()) > 0 && (await stickers()) === turned,
        'the cube as it was',
      )
    },
    { everyFrame: true },
  )
})
