// Journeys through each family by keyboard alone: every element on the way shows its focus.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { number, settled, sharedWindow, steps, trains, until } from './exhibit.mjs'
import { visit } from './page.mjs'

const smallModel =
  'encyclopedia.bytes=60000&learner.vocabulary=300&learner.context=32&learner.layers=1&learner.heads=2&learner.width=32' +
  '&learner.batch=4'

/**
 * Describes the element with the focus; runs in the page. `isShown`: whether it has a visible outline, of its own or of the label
 * around it. `id`: its test id, or that of the element around it.
 */
function focused() {
  const element = document.activeElement
  if (!element || element === document.body) return null
  const outlines = [element, element.closest('label')].map((one) => one && getComputedStyle(one))
  const isShown = outlines.some(
    (style) => style?.outlineStyle !== 'none' && parseFloat(style?.outlineWidth) > 0,
  )
  const { width, height } = element.getBoundingClientRect()
  return {
    id: element.closest('[data-testid]')?.getAttribute('data-testid'),
    isShown: isShown && width > 0 && height > 0,
    html: element.outerHTML.slice(0, 160),
  }
}

/** Presses Tab until the element with a test id has the focus. Asserts that each element on the way shows it. */
async function tabTo({ page }, id) {
  for (let i = 0; i < 300; i++) {
    await page.keyboard.press('Tab')
    const now = await page.evaluate(focused)
    // After the last element, the focus leaves the page.
    if (now) assert.ok(now.isShown, `no visible focus on the way to ${id}: ${now.html}`)
    if (now?.id === id) return
  }
  assert.fail(`${id} is not in the tab order`)
}

/** Asserts that the element with a test id has the focus, and shows it. */
async function hasFocus({ page }, id) {
  await until(async () => (await page.evaluate(focused))?.id === id, `the focus on ${id}`)
}

/** Opens an exhibit, whose heading then has the focus. */
async function enter({ at, page }, hash) {
  await page.evaluate((hash) => void (location.hash = hash), hash)
  const world = /^#\/([\w-]+)/.exec(hash)[1]
  await page.locator(`nav a[href^="#/${world}"][aria-current]`).waitFor()
  await at('play').and(page.locator(':enabled')).waitFor()
  await page.locator('main h1:focus').waitFor()
}

/** Trains for a moment, and pauses. */
async function train(visitor) {
  const { at, page } = visitor
  await tabTo(visitor, 'play')
  const before = await steps(visitor)
  await page.keyboard.press('Enter')
  await trains(visitor, before)
  await hasFocus(visitor, 'pause')
  await page.keyboard.press('Enter')
  await at('play').waitFor()
  await settled(visitor)
  await hasFocus(visitor, 'play')
}

/** Opens and closes an explanation and the export menu. The focus returns to their buttons. */
async function helpAndMenu(visitor) {
  const { at, page } = visitor
  await tabTo(visitor, 'help')
  await page.keyboard.press('Enter')
  await page.locator(':popover-open').waitFor()
  await page.keyboard.press('Escape')
  await page.locator(':popover-open').waitFor({ state: 'detached' })
  await hasFocus(visitor, 'help')
  await tabTo(visitor, 'more-actions')
  await page.keyboard.press('Enter')
  await hasFocus(visitor, 'share-menu')
  await page.keyboard.press('ArrowDown')
  await hasFocus(visitor, 'export')
  await page.keyboard.press('Enter')
  await hasFocus(visitor, 'save')
  await page.keyboard.press('ArrowDown')
  const item = await page.evaluate(focused)
  assert.ok(item.id !== 'save' && item.isShown, item.html)
  await page.keyboard.press('Escape')
  await at('save').waitFor({ state: 'hidden' })
  await hasFocus(visitor, 'more-actions')
}

describe('a journey by keyboard', () => {
  // Reduced motion: runs start by a key, and pictures stand still while paused.
  const test = sharedWindow(() => visit('#/bench', { reducedMotion: 'reduce' }))

  test('pushes the pole', async (visitor) => {
    const { at, page } = visitor
    await enter(visitor, '#/cartpole?seed=2&speed=max')
    await train(visitor)
    await page.evaluate(() => {
      const commands = /** @type {any} */ (globalThis.commands = [])
      for (const worker of /** @type {any} */ (globalThis).openWorkers) {
        const post = worker.postMessage.bind(worker)
        worker.postMessage = (message, transfer) => {
          commands.push(JSON.stringify(message))
          post(message, transfer)
        }
      }
    })
    await tabTo(visitor, 'living-view')
    await page.keyboard.press('ArrowRight')
    await until(async () => /Preview/.test(await at('living-view').getAttribute('aria-label')), 'its text')
    await page.keyboard.press('d')
    const pushed = () =>
      page.evaluate(() => /** @type {any} */ (globalThis).commands.some((text) => text?.includes('"push"')))
    await until(pushed, 'the push')
    await helpAndMenu(visitor)
  })

  test('drops a disc', async (visitor) => {
    const { at, page } = visitor
    await enter(visitor, '#/connect-four?seed=2&network.width=32&network.blocks=1&speed=max')
    await train(visitor)
    await tabTo(visitor, 'seat-0')
    await page.keyboard.type('You')
    await at('show-hints').waitFor()
    await tabTo(visitor, 'board')
    await page.keyboard.press('4')
    await until(async () => (await at('board').locator('.stone').count()) > 0, 'the disc')
    await page.keyboard.press('?')
    await at('key-list').getByText('Drop a stone', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await at('key-list').waitFor({ state: 'hidden' })
    await hasFocus(visitor, 'board')
    await helpAndMenu(visitor)
  })

  test('turns the cube', async (visitor) => {
    const { at, page } = visitor
    await enter(visitor, '#/cube2?seed=2&speed=max')
    await train(visitor)
    await page.locator('[data-testid=cube][aria-busy=false]').waitFor()
    await tabTo(visitor, 'cube')
    await page.keyboard.press('u')
    // The key also ends a demonstration.
    await at('showing').waitFor({ state: 'detached' })
    await page.locator('[data-testid^="turn-"]').last().filter({ hasText: /^U$/ }).waitFor()
    await helpAndMenu(visitor)
  })

  test('generates a text', async (visitor) => {
    const { at, page } = visitor
    await enter(visitor, `#/language?${smallModel}&speed=max`)
    await train(visitor)
    const before = await number(visitor, 'playground', 'writing')
    await tabTo(visitor, 'prompt')
    await page.keyboard.type('The capital of France')
    await tabTo(visitor, 'write')
    await page.keyboard.press('Enter')
    await at('status')
      .filter({ hasText: /^Your text/ })
      .waitFor()
    await until(async () => (await number(visitor, 'playground', 'writing')) > before, 'the text')
    await helpAndMenu(visitor)
  })

  test('edits a cell', async (visitor) => {
    const { page } = visitor
    await enter(visitor, '#/logic-ca?seed=2&speed=max')
    await train(visitor)
    const before = await number(visitor, 'sandbox', 'strokes')
    await tabTo(visitor, 'sandbox')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await until(async () => (await number(visitor, 'sandbox', 'strokes')) > before, 'the stroke')
    await helpAndMenu(visitor)
  })
})
