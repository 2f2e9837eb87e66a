// Learning curves: selection of a range of steps, and the axis of training time.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe } from 'node:test'
import { exported, inWindow, pause, steps, trains, until } from './exhibit.mjs'
import { smallModel } from './language.mjs'

const fastCartpole = '#/cartpole?speed=max'

describe('the learning curves', () => {
  inWindow(
    'display a selected part of the run, and the whole run again',
    fastCartpole,
    {},
    async (visitor) => {
      const { at, page } = visitor
      const plot = (metric) => at(`chart-${metric}`).getByRole('application')
      /** First and last displayed step of a chart. */
      const displayed = async (metric = 'return_mean') =>
        ((await plot(metric).getAttribute('data-range')) ?? '0 0').split(' ').map(Number)
      await until(async () => (await displayed())[1] > 100_000, 'a curve')

      const { x, y, width } = await plot('return_mean').locator('.u-over').boundingBox()
      await page.mouse.move(x + 0.3 * width, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + 0.6 * width, y + 30, { steps: 4 })
      await page.mouse.up()
      await at('whole-run').first().waitFor()
      const part = await displayed()
      const end = await steps(visitor)
      assert.ok(part[0] > 0.2 * part[1] && part[1] < 0.8 * end, `displays ${part} of ${end} steps`)
      assert.deepEqual(await displayed('entropy'), part, 'all charts display the same steps')

      await trains(visitor)
      await trains(visitor)
      assert.deepEqual(await displayed(), part, 'training keeps the displayed steps')

      // By keyboard: a smaller part, then the steps after it.
      await plot('return_mean').press('+')
      await until(async () => (await displayed())[0] > part[0], 'a smaller part')
      const smaller = await displayed()
      await plot('return_mean').press('ArrowRight')
      await until(async () => (await displayed())[0] > smaller[0], 'later steps')

      await at('whole-run').first().press('Enter')
      await until(async () => (await displayed())[1] > end, 'the whole run')
      assert.equal(await at('whole-run').count(), 0)
      assert.ok(await plot('return_mean').evaluate((element) => element === document.activeElement))

      // The charts are one tab stop; the arrow keys move the focus between them.
      const stops = page
        .getByRole('main')
        .locator('[role=application][tabindex="0"][aria-label*="whole run"]')
      assert.equal(await stops.count(), 1)
      await plot('return_mean').press('ArrowDown')
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')
      await until(async () => (await focused()).startsWith('Policy loss'), 'the next chart')
      await page.getByText('other charts').filter({ visible: true }).waitFor()
      assert.equal(await stops.count(), 1)
      assert.match((await stops.getAttribute('aria-label')) ?? '', /^Policy loss/)
      await page.keyboard.press('ArrowUp')
      await until(async () => !(await focused()).startsWith('Policy loss'), 'the chart before')
    },
  )

  inWindow('are drawn over training time, which is remembered', fastCartpole, {}, async (visitor) => {
    const { at, page } = visitor
    const plot = at('chart-return_mean').getByRole('application')
    const end = async () => Number((await plot.getAttribute('data-range'))?.split(' ')[1] ?? 0)
    await until(async () => (await end()) > 100_000, 'a curve')
    await pause(visitor)
    await at('axis-time').press('Space')
    if ((await at('whole-run').count()) > 0) await at('whole-run').first().click()

    const text = (await readFile(await (await exported(visitor, 'export-csv')).path())).toString()
    const [header, ...lines] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','))
    const rows = lines.map((cells) => Object.fromEntries(header.map((name, i) => [name, Number(cells[i])])))
    const last = rows.at(-1).elapsed
    await until(async () => Math.abs((await end()) - last) < 1e-4 * last, `an axis up to ${last} s`)
    assert.match((await plot.getAttribute('data-range')) ?? '', /^0 /)
    await until(async () => /of training\./.test((await plot.getAttribute('aria-label')) ?? ''), 'the label')

    // A point is at its time: after the preceding report, and at the latest when its own report was received.
    const { x, y, width } = await plot.locator('.u-over').boundingBox()
    await page.mouse.move(x + 0.7 * width, y + 20)
    const caption = async () =>
      ((await at('chart-return_mean').locator('figcaption').textContent()) ?? '').replaceAll(/\s+/g, ' ')
    const readout = /(?:(\d+) min )?([\d.]+) s, ([\d.]+) ([kM]?) ?steps/
    await until(async () => readout.test(await caption()), 'time and steps of the point')
    const [, minutes, seconds, count, unit] = readout.exec(await caption())
    const time = 60 * Number(minutes ?? 0) + Number(seconds)
    const step = Number(count) * { '': 1, k: 1e3, M: 1e6 }[unit]
    const earlier = rows.findLast((row) => row.step < 0.99 * step)
    const before = rows.findLast(({ elapsed }) => elapsed < (earlier?.elapsed ?? 0))?.elapsed ?? 0
    const after = rows.find((row) => row.step > 1.01 * step)?.elapsed ?? last
    assert.ok(time > before - 0.6 && time < after + 0.6, `${step} steps are at ${time} s`)
    const gap = Math.max(...rows.map(({ elapsed }, i) => elapsed - (rows[i - 1]?.elapsed ?? 0)))
    assert.ok(Math.abs(time - 0.7 * last) < gap + 0.6, `${time} s is at 70 % of ${last} s`)

    const figure = (
      await readFile(await (await exported(visitor, 'export-svg-return_mean')).path())
    ).toString()
    assert.match(figure, />Training time \((s|min)\)</)
    await plot.press('+')
    await until(async () => (await end()) < last, 'a part of the run')

    await page.reload()
    await until(async () => await at('axis-time').isChecked(), 'the axis after a reload')
    // The texts of a guide count steps.
    await page.evaluate(() => void (location.hash = '#/cartpole?guide=2'))
    await at('guide-card').waitFor()
    await until(async () => (await end()) > 1000, 'the axis of steps')
    assert.equal(await at('axis-time').count(), 0)
  })

  inWindow(
    'of a language model zoom like the others',
    `#/language?${smallModel}&speed=max`,
    {},
    async (visitor) => {
      const { at, page } = visitor
      const curve = page.getByRole('application', { name: 'Perplexity over training tokens' })
      /** First and last displayed step of the large curve, and of a small one. */
      const displayed = async () =>
        ((await at('curve').getAttribute('data-range')) ?? '0 0').split(' ').map(Number)
      const ofSmall = async () =>
        (await at('chart-gradient_norm').getByRole('application').getAttribute('data-range'))
          ?.split(' ')
          .map(Number)
      await until(async () => (await displayed())[1] > 40_000, 'a curve')
      await curve.evaluate((element) => element.scrollIntoView({ block: 'center', behavior: 'instant' }))
      const { x, y, width } = await curve.boundingBox()
      await page.mouse.move(x + 0.5 * width, y + 60)
      await page.mouse.down()
      await page.mouse.move(x + 0.8 * width, y + 70, { steps: 4 })
      await page.mouse.up()
      await at('whole-run').first().waitFor()
      const part = await displayed()
      assert.ok(part[0] > 2000 && part[1] < (await steps(visitor)), `displays ${part}`)
      await until(async () => String(await ofSmall()) === String(part), 'the same steps in the small curves')
      await curve.press('+')
      await until(async () => (await displayed())[0] > part[0], 'a smaller part')
      await curve.press('0')
      await until(async () => (await displayed())[0] === 1000, 'the whole run')
      assert.equal(await at('whole-run').count(), 0)
    },
  )
})
