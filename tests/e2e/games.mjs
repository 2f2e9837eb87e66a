// Steps of the tests of backgammon and Connect Four.
import { readFileSync } from 'node:fs'
import { clipboard, trains, trainSlowly, until } from './exhibit.mjs'
import { visit } from './page.mjs'

/** Small networks and short generations. */
const small = 'network.width=32&network.blocks=1&self_play.generation=1024'

/** Returns whether the page has the element. */
export const there = async (locator) => (await locator.count()) > 0

/** Number of turns in the record. */
export const turns = ({ page }) => page.locator('[data-testid^="turn-"]').count()

/** Selects the first option of a select that contains `name`. */
export async function choose(select, name) {
  const option = select.locator('option').filter({ hasText: name }).first()
  await option.waitFor({ state: 'attached' })
  await select.selectOption({ label: await option.textContent() })
}

/** Selects the player of a seat by a part of its label. */
export const sit = ({ at }, seat, name) => choose(at(`seat-${seat}`), name)

/** Returns the centers of the checkers that can be picked up. */
export const movable = ({ page }) =>
  page.locator('.checker.may').evaluateAll((found) =>
    found.map((one) => {
      const box = one.getBoundingClientRect()
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }),
  )

/** Waits for a decision of the human player, and rolls when required. */
export async function myTurn(visitor) {
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
export async function move(visitor, drag) {
  const { page } = visitor
  // Earlier actions may have scrolled the board out of view.
  await visitor.at('board').scrollIntoViewIfNeeded()
  let [from] = await movable(visitor)
  // The checkers of an earlier position may have been replaced since.
  await until(async () => ([from] = await movable(visitor)).length > 0, 'a checker to move')
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
export async function playTurn(visitor, drag = false) {
  const { at } = visitor
  await myTurn(visitor)
  // Only now the record is that of this game: the turns of an earlier one may be shown a moment longer.
  const before = await turns(visitor)
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
export function sameDice() {
  const draw = crypto.getRandomValues.bind(crypto)
  crypto.getRandomValues = (numbers) => (numbers instanceof Uint32Array ? numbers.fill(1) : draw(numbers))
}

/** Opens a game and waits until it trains. A game takes a turn per frame: tests of whole games set `everyFrame`. */
export async function open(world, { everyFrame = false } = {}) {
  const viewport = { width: 1280, height: 900 }
  // The controls of the training are visible during a match too.
  const before = { content: `(${sameDice})(); localStorage.setItem('vivarium:/games-training', 'shown')` }
  const options = { viewport, before, everyFrame, ...clipboard }
  const visitor = await visit(`#/${world}?${small}`, options)
  await trains(visitor)
  await visitor.at('board').waitFor()
  await trainSlowly(visitor)
  return visitor
}

/** Window of a match with reproducible dice. */
export const matchWindow = { viewport: { width: 1280, height: 900 }, before: sameDice }

/** Waits for a status that matches `text`. */
export const says = ({ at }, text) =>
  until(async () => text.test(await at('status').textContent()), `the status ${text}`)

/** Enters a position by its ID. */
export async function setPosition({ at, page }, id) {
  await at('position-id').fill(id)
  await page.keyboard.press('Enter')
  await until(async () => (await at('position-id').inputValue()) === '', `the position ${id}`)
}

/** Starts games by the rules whose label begins with `typed`. */
export async function startMatch({ at, page }, typed) {
  await at('match-rules').focus()
  await page.keyboard.type(typed)
  await at('match-state').waitFor()
  await at('match-begin').waitFor({ state: 'detached' })
}

/** Waits for the trained network as the opponent, at the fastest pace. */
export async function meetTrained(visitor) {
  await trains(visitor)
  await trainSlowly(visitor)
  await until(() => visitor.at('play-opened').isChecked(), 'the trained network')
  await visitor.at('pace').fill('6')
}

/**
 * Games with errors that any network finds. In the first, root doubles with a checker on the bar against five points, and gnubg passes.
 * In the second, both players leave blots, and hit none of the other player.
 */
const grossErrors = `
 Game 2
 gnubg : 0                      root : 1
  1) 31: 8/5 6/5                 64: 24/18 13/9
  2) 61: 13/7* 8/7                Doubles => 2
  3)  Drops                       Wins 1 point

 Game 3
 gnubg : 0                      root : 2
  1) 31: 6/2                     64: 8/4 8/2
  2) 21: 6/5 6/4                 43: 13/10 13/9
  3) 53: 13/10 13/8              41: 10/5
`
const record = readFileSync('crates/envs/tests/fixtures/gnubg_match.mat', 'utf8')
const [firstGame] = record.split(/(?=^ Game 2$)/m)
/** Record that the page opens: the first game has a long list of turns. */
export const openedRecord = {
  name: 'gnubg_match.mat',
  mimeType: 'text/plain',
  buffer: Buffer.from(firstGame.trimEnd() + '\n' + grossErrors),
}
