// The recorded scenes: one per exhibit, each with a fixed seed.
//
// `play` is an async generator that operates the page; a frame is taken at each `yield`. Scenes end with an event, such as a
// solved task, and not after a time, so that they show the same on a slow machine. `size` is the viewport. The picture shows the element
// `region` down to the end of the element `last`. `delay` is the duration of a frame in ms.
import { join } from 'node:path'
import { nativeRun } from './charts.mjs'

/** Maximum duration of a wait for an event, ms. */
const patience = 1_800_000
/** Number of tokens over which the first samples of the language model are shown. */
const firstTokens = 200_000

const textOf = ({ at }, id) => at(id).textContent()
const valueOf = async ({ at }, id) => Number(await at(id).getAttribute('data-value'))
const isWriting = async ({ at }) => (await at('playground').locator('.caret').count()) > 0
const isSolved = async ({ at }) => (await at('solved').count()) > 0

/** Takes a frame every `interval` ms until `done` resolves to true, and then the last `more` frames. */
async function* until({ page }, interval, done, more = 1) {
  const end = Date.now() + patience
  for (let left = more; left > 0;) {
    if (await done()) left--
    else if (Date.now() > end) throw new Error('a recorded scene does not end')
    yield
    await page.waitForTimeout(interval)
  }
}

/** Waits without taking frames until `done` resolves to true. */
async function wait(visit, done) {
  for await (const _ of until(visit, 50, done));
}

/** Waits until a select shows an option with the label. */
const shows = ({ at }, id, label) =>
  at(id).locator('option:checked', { hasText: label }).waitFor({ state: 'attached' })

/** Pauses training, which leaves the processor to the recording. */
async function pause({ at }) {
  await at('pause').or(at('play')).first().waitFor()
  if (await at('pause').count()) await at('pause').click()
}

/** Waits until notifications have disappeared. */
const calm = (visit) => wait(visit, async () => (await visit.at('toast').count()) === 0)

const untilSolved = (visit) => until(visit, 250, () => isSolved(visit), 8)

/** Trains until the task is solved, with the speed slider `stops` stops below full speed. */
const train = (stops) =>
  async function* (visit) {
    const speed = visit.at('speed')
    await speed.fill(String(Number(await speed.getAttribute('max')) - stops))
    yield* untilSolved(visit)
  }

/**
 * Trains the automaton until the run ends, and shows steps of a rollout, the last step last. Few frames are taken while it
 * trains, since a screenshot delays training.
 */
async function* growCheckerboard(visit) {
  const { at, page } = visit
  await at('speed').fill(await at('speed').getAttribute('max'))
  yield* until(visit, 3000, async () => (await at('play').count()) > 0)
  for (const step of [5, 10, 15, 20]) {
    // Wait inside the page: from outside, a step would be over before it could be detected.
    await page.waitForFunction(
      (text) => document.querySelector('[data-testid=rollout-step]')?.textContent.trim() === text,
      String(step),
    )
    yield
  }
}

/** Records a game of a player against itself. `pace`: stop of the delay slider. */
async function* selfPlay(visit, player, pace) {
  const { at } = visit
  await shows(visit, 'seat-1', player)
  await pause(visit)
  await at('seat-0').selectOption({ label: player })
  await at('new-game').click()
  await at('pace').fill(pace)
  yield* until(visit, 0, async () => /wins|draw/.test(await textOf(visit, 'status')), 2)
}

/** Records, turn by turn, how the pretrained network solves a scrambled cube. */
async function* solveCube(visit) {
  const { at, page } = visit
  await pause(visit)
  const status = async (pattern) => pattern.test(await textOf(visit, 'status'))
  await at('trained-network').click()
  await shows(visit, 'player', 'pretrained')
  await at('pace').fill('2')
  await at('scramble').click()
  await page.waitForTimeout(2000)
  await calm(visit)
  await at('solve').click()
  await wait(visit, () => status(/^(Applying|Solved by)/))
  yield* until(visit, 100, () => status(/^Solved by/), 6)
}

/** Records the language model of the native run while it completes sentences with its most probable tokens. */
export async function* completeSentences(visit, replacesRun = false) {
  const { at } = visit
  await at('open-input').setInputFiles(join(await nativeRun('language'), 'latest.safetensors'))
  // If a stored run was replaced, the page offers it again in a notification, which has to appear before it can
  // disappear.
  if (replacesRun) await at('toast').first().waitFor()
  await wait(visit, async () => (await valueOf(visit, 'steps')) > firstTokens)
  await pause(visit)
  await calm(visit)
  await at('temperature').fill('0')
  await at('length').fill('0.5')
  const draft = () => at('playground').getAttribute('data-writing')
  for (const start of ['The Danube', 'People in Japan']) {
    const before = await draft()
    await at('examples').getByRole('button', { name: start }).click()
    await wait(visit, async () => (await draft()) !== before)
    yield* until(visit, 0, async () => !(await isWriting(visit)), 4)
  }
}

/** Records the first samples of a language model in training, and sentences of a model that was trained for longer. */
async function* learnLanguage(visit) {
  const { at } = visit
  await at('playground').waitFor()
  for (let tokens = 0; tokens < firstTokens; tokens += firstTokens / 12) {
    await wait(visit, async () => (await valueOf(visit, 'steps')) >= tokens && !(await isWriting(visit)))
    yield
  }
  yield* completeSentences(visit, true)
}

/** The home page, on which CartPole is trained. */
export const home = { path: '#/', ready: 'return', play: untilSolved }

const exhibit = (name, height, last, delay, play) => ({
  name,
  path: `#/${name}?seed=1`,
  ready: 'preset',
  size: { width: 1280, height },
  region: 'main .world > .two-columns',
  last,
  margin: 6,
  delay,
  play,
})
const control = (name, stops) => exhibit(name, 1320, 'main .world > .two-columns', 120, train(stops))
const others = (name, delay, play) => exhibit(name, 860, '.plinth', delay, play)

export const scenes = [
  control('cartpole', 5),
  control('mountain-car', 2),
  control('pendulum', 4),
  control('acrobot', 3),
  control('frozen-lake', 2),
  others('logic-ca', 120, growCheckerboard),
  others('backgammon', 200, (visit) => selfPlay(visit, 'Trained network', '6')),
  others('connect-four', 200, async function* (visit) {
    await visit.page.waitForTimeout(60_000)
    yield* selfPlay(visit, 'Newest network', '4')
  }),
  others('cube2', 150, solveCube),
  others('cube3', 150, solveCube),
  others('language', 300, learnLanguage),
]
