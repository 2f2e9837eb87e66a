// The recorded scenes: one per exhibit, each with a fixed seed.
//
// `prepare` brings the page to the first frame. `count` frames are taken, one every `interval` ms, and played at one every
// `delay` ms. `panel` is the main panel's rectangle in the recorded region, which becomes the thumbnail.

import { worldsOf } from '../worlds.mjs'

const controlWorlds = worldsOf('control')
const panel = (height) => ({ left: 26, top: 122, width: 818, height })
const trainingFrames = { count: 40, interval: 250, delay: 120, panel: panel(400) }
const gameFrames = { count: 40, interval: 0, delay: 160, panel: panel(590) }

/** Sets the speed slider to `stops` stops below full speed. */
async function slowDown({ at }, stops) {
  const speed = at('speed')
  await speed.fill(String(Number(await speed.getAttribute('max')) - stops))
}

/** Waits until a metric of the page reaches a value, at most for `timeout` ms: a slow machine shows an earlier state. */
const waitForValue = ({ page }, id, value, timeout) =>
  page
    .waitForFunction(
      ([id, value]) => Number(document.querySelector(`[data-testid="${id}"]`)?.dataset.value) >= value,
      [id, value],
      { timeout },
    )
    .catch(() => null)

/**
 * Starts a new game in which the upper seat's initial player, a network, plays both sides. `stop` is the stop of the delay
 * slider; the default is no delay.
 */
async function selfPlay({ at, page }, stop) {
  await page.waitForFunction(
    () => document.querySelector('[data-testid="seat-1"]')?.value.includes('person') === false,
  )
  await at('seat-0').selectOption(await at('seat-1').inputValue())
  await at('new-game').click()
  await at('pace').fill(stop ?? (await at('pace').getAttribute('max')))
}

/** Loads the page's pretrained network, scrambles the cube and solves it. */
async function solveCube({ at, page }) {
  await at('trained-network').click()
  await page.waitForTimeout(4000)
  await at('scramble').click()
  await page.waitForTimeout(5000)
  await at('solve').click()
}

export const scenes = [
  ...controlWorlds.map((name) => ({
    name,
    ...trainingFrames,
    // CartPole is solved within seconds.
    prepare: (visit) => slowDown(visit, name === 'cartpole' ? 3 : 2),
  })),
  { name: 'logic-ca', ...trainingFrames, prepare: (visit) => waitForValue(visit, 'accuracy', 0.99, 90_000) },
  { name: 'backgammon', ...gameFrames, prepare: (visit) => selfPlay(visit) },
  {
    name: 'connect-four',
    ...gameFrames,
    prepare: async (visit) => {
      await visit.page.waitForTimeout(30_000)
      await selfPlay(visit, '4')
    },
  },
  { name: 'cube2', ...gameFrames, prepare: solveCube },
  { name: 'cube3', ...gameFrames, prepare: solveCube },
  {
    name: 'language',
    count: 30,
    interval: 1000,
    delay: 250,
    panel: panel(590),
    prepare: ({ page }) => page.waitForTimeout(60_000),
  },
]
