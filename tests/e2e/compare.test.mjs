// Comparison of runs: stored runs in the charts, the baseline, and curves that travel in a link.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe } from 'node:test'
import {
  calm,
  chooseMore,
  clipboard,
  command,
  exported,
  inWindow,
  number,
  pause,
  steps,
  trains,
  until,
} from './exhibit.mjs'
import { visit } from './page.mjs'

/** Trains until the run has a curve of the mean return, and pauses. */
async function trainToCurve(visitor) {
  const { at } = visitor
  await until(async () => (await at('return').textContent()) !== '–', 'a mean return')
  await trains(visitor)
  await trains(visitor)
  await pause(visitor)
}

/** Pins the current run, so that it stays stored although it has trained for a moment only. */
async function pin(visitor) {
  const { at, page } = visitor
  await chooseMore(visitor, 'open')
  await page.locator('#runs[aria-busy=false]').waitFor()
  await at('run-pin').first().click()
  await until(async () => (await at('run-pin').first().getAttribute('aria-pressed')) === 'true', 'the pin')
  await page.keyboard.press('Escape')
}

/** Opens an exhibit whose run replaces the current one, and trains it. */
async function replace(visitor, hash) {
  await visitor.page.evaluate((hash) => void (location.hash = hash), hash)
  await until(async () => (await visitor.at('pause').count()) > 0, 'the new run')
  await trainToCurve(visitor)
}

/** Returns the metrics CSV as objects by column. */
async function metrics(visitor) {
  const text = (await readFile(await (await exported(visitor, 'export-csv')).path())).toString()
  // Names of runs contain commas and are quoted.
  const cells = (row) =>
    [...row.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell]) => cell.replaceAll('"', ''))
  const [header, ...rows] = text.trimEnd().split('\r\n').map(cells)
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i]])))
}

const drawn = async ({ at }) => Number(await at('chart-return_mean').getAttribute('data-runs'))

const value = (text) => Number(text.replace('−', '-').replace('k', 'e3').replace('M', 'e6'))

describe('comparison', () => {
  inWindow(
    'a stored run is drawn beside the current one, its settings and metrics are compared, and a link carries the comparison',
    '#/cartpole?world.force=12&speed=max',
    clipboard,
    async (visitor) => {
      const { at, page } = visitor
      await trainToCurve(visitor)
      await pin(visitor)
      await replace(visitor, '#/cartpole?world.gravity=20&world.force=12&seed=4&speed=max')

      assert.equal(await drawn(visitor), 0)
      // By keyboard.
      await at('more-actions').press('Enter')
      await at('compare').press('Enter')
      await at('compare-run').first().press('Space')
      await until(async () => (await drawn(visitor)) === 1, 'the curve of the stored run')
      assert.equal(await at('chart-entropy').getAttribute('data-runs'), '1')
      await at('baseline').selectOption({ index: 1 })
      await page.keyboard.press('Escape')

      assert.match(await at('compared-runs').textContent(), /Force 12, seed 1, baseline/)
      const settings = (await at('differing-settings').textContent()).replaceAll(/\s+/g, ' ').trim()
      assert.equal(settings, 'Gravity 20 m/s² (baseline 9.8 m/s²); Seed 4 (baseline 1)')
      const [own, baseline, difference] = (
        await at('difference-return_mean').getByRole('cell').allTextContents()
      ).map(value)
      assert.ok(Math.abs(own - baseline - difference) < 0.1, `${own} − ${baseline} = ${difference}`)
      // The table of the comparison as a file has the same values.
      const table = await exported(visitor, 'export-csv-comparison')
      assert.match(table.suggestedFilename(), /^cartpole-.*-comparison\.csv$/)
      const lines = (await readFile(await table.path())).toString().trimEnd().split('\r\n')
      const line = lines.find((text) => text.startsWith('return_mean,'))
      assert.ok(line, lines.join('\n'))
      const values = line.match(/-?\d+(\.\d+)?/g).map(Number)
      for (const expected of [own, baseline])
        assert.ok(
          values.some((found) => Math.abs(found - expected) < 0.1),
          `${expected} in ${line}`,
        )

      const rows = await metrics(visitor)
      const stored = rows.filter(({ run }) => run === 'Force 12, seed 1')
      const current = rows.filter(({ run }) => run === 'Gravity 20, Force 12, seed 4')
      assert.equal(stored.length + current.length, rows.length)
      assert.ok(stored.length > 1 && current.length > 1)
      // Both are compared at the end of the shorter run.
      const last = (rows) => rows.findLast((row) => row.return_mean)
      const [shorter, shown] =
        Number(last(stored).step) < Number(last(current).step)
          ? [last(stored), baseline]
          : [last(current), own]
      assert.equal(await number(visitor, 'compared-at'), Number(shorter.step))
      assert.ok(Math.abs(Number(shorter.return_mean) - shown) < 0.1)

      await at('axis-time').check()
      await chooseMore(visitor, 'share-menu')
      await at('share-curves').click()
      await at('toast').filter({ hasText: 'Link with curves copied' }).waitFor()
      const link = await page.evaluate(() => navigator.clipboard.readText())
      assert.match(
        link,
        /#\/cartpole\?seed=4&world\.gravity=20&world\.force=12&axis=time&curves=[\w-]+&paused=1$/,
      )
      assert.ok(link.length < 4200, `${link.length} characters`)
      // A citation of the comparison has the same link.
      await chooseMore(visitor, 'share-menu')
      await at('cite-comparison-text').click()
      await at('toast').filter({ hasText: 'Citation copied' }).waitFor()
      const citation = await page.evaluate(() => navigator.clipboard.readText())
      assert.ok(citation.endsWith(` ${link}`), citation)
      await at('axis-steps').check()

      // A baseline stays selected while another exhibit is shown.
      await page.evaluate(() => void (location.hash = '#/pendulum?speed=max'))
      await page.getByRole('heading', { level: 1, name: 'Pendulum' }).waitFor()
      await until(async () => (await at('baseline-comparison').count()) === 0, 'no comparison with CartPole')
      await page.goBack()
      await at('baseline-comparison').waitFor()
      // After a reload, too.
      await page.reload()
      await at('baseline-comparison').waitFor()
      assert.equal(await drawn(visitor), 1)

      // Without the first run.
      await chooseMore(visitor, 'compare')
      await at('compare-run').first().click()
      await until(async () => (await drawn(visitor)) === 0, 'only the current run')
      assert.equal(await at('compared-runs').count(), 0)

      // Another window has a profile of its own. Its run does not start by itself.
      const other = await visit(new URL(link).hash)
      try {
        await until(async () => (await drawn(other)) === 2, 'both curves from the link')
        await other.at('baseline-comparison').waitFor()
        assert.equal(await steps(other), 0)
        // The axis of the link, until the reader chooses another one.
        assert.ok(await other.at('axis-time').isChecked())
        await other.at('axis-steps').check()
        assert.doesNotMatch(other.page.url(), /axis=/)
        const plot = other.at('chart-return_mean').getByRole('application')
        const end = Math.max(...[stored, current].map((rows) => Number(rows.at(-1).step)))
        await until(
          async () =>
            Math.abs(Number((await plot.getAttribute('data-range'))?.split(' ')[1]) - end) < 0.03 * end,
          'an axis up to the last step of both runs',
        )
        await other.at('play').click()
        const name = 'From the link: Gravity 20, Force 12, seed 4'
        const legend = await other.at('compared-runs').textContent()
        assert.ok(legend.includes(name), legend)
        assert.ok(legend.includes('From the link: Force 12, seed 1, baseline'), legend)
        await trainToCurve(other)
        const linked = (await metrics(other)).filter(({ run }) => run === name)
        assert.ok(linked.length > 1 && linked.length <= 100, `${linked.length} points`)
        assert.ok(Math.abs(Number(linked.at(-1).return_mean) - Number(current.at(-1).return_mean)) < 3)
        // The curves stay in the address, so a reload shows them again.
        await other.page.reload()
        await until(async () => (await drawn(other)) === 2, 'the curves after a reload')
        calm(other)
      } finally {
        await other.window.close()
      }
    },
  )

  inWindow(
    'stored runs and further seeds that differ in the seed only are drawn as a band, or as separate curves',
    '#/cartpole?seed=1&speed=max',
    clipboard,
    async (visitor) => {
      const { at, page } = visitor
      await trainToCurve(visitor)
      for (const seed of [2, 3]) {
        await pin(visitor)
        await replace(visitor, `#/cartpole?seed=${seed}&speed=max`)
      }
      await chooseMore(visitor, 'compare')
      assert.equal(await at('compare-band').count(), 0)
      for (const index of [0, 1]) await at('compare-run').nth(index).check()
      assert.ok(await at('compare-band').isChecked())
      await until(async () => (await drawn(visitor)) === 1, 'the mean of the runs')
      assert.match(await at('compared-runs').textContent(), /seeds 1(, 2, .*n\s=\s2| to 3, .*n\s=\s3)/)
      const plot = at('chart-return_mean').locator('canvas')
      const band = await plot.screenshot()
      await at('compare-band').uncheck()
      await until(async () => (await drawn(visitor)) === 2, 'both curves')
      const legend = await at('compared-runs').textContent()
      assert.match(legend, /seed 1.*seed 2|seed 2.*seed 1/)
      assert.doesNotMatch(legend, /mean and/)
      await page.keyboard.press('Escape')
      await until(async () => !band.equals(await plot.screenshot()), 'other curves in the plot')

      // Further seeds train to the step of this run.
      const own = await steps(visitor)
      await chooseMore(visitor, 'compare')
      await at('seed-count').selectOption('2')
      await at('train-seeds').click()
      await until(async () => (await drawn(visitor)) === 4, 'two further runs')
      assert.equal(await steps(visitor), own)
      const rows = await metrics(visitor)
      const last = rows.findLast(({ run }) => run === 'Default, seed 3').step
      for (const seed of [4, 5])
        assert.equal(rows.findLast(({ run }) => run === `Default, seed ${seed}`).step, last)
      await chooseMore(visitor, 'compare')
      await at('compare-band').check()
      assert.ok(await at('band-interval').isChecked())
      await page.keyboard.press('Escape')
      assert.match(await at('compared-runs').textContent(), /seeds 1 to 5, mean and 95\s%\sinterval, n\s=\s5/)

      // The time until solved of the group, of each seed, and as files.
      const [solved] = await at('solved-group').getByRole('cell').allTextContents()
      const count = Number(/^(\d) of 5$/.exec(solved)?.[1])
      await at('solved-each').click()
      assert.equal(await at('solved-run').count(), 5)
      const each = await at('solved-run').getByRole('cell').allTextContents()
      assert.equal(each.filter((text) => text === 'yes').length, count)
      const file = async (id) => (await readFile(await (await exported(visitor, id)).path())).toString()
      const [header, ...lines] = (await file('export-csv-solved')).trim().split('\r\n')
      assert.match(header, /,seed,steps,solved,steps_until_solved,seconds_until_solved,source,trained_on$/)
      assert.equal(lines.length, 5)
      const { groups } = JSON.parse(await file('export-json-solved'))
      assert.deepEqual([groups.length, groups[0].solved, groups[0].of], [1, count, 5])

      // A figure without legend; its caption names the lines and the band.
      const withLegend = await file('export-svg-return_mean')
      await chooseMore(visitor, 'export')
      await at('export-legend-without').click()
      await page.keyboard.press('Escape')
      const without = await file('export-svg-return_mean')
      const texts = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text).join(' | ')
      assert.match(texts(withLegend), /n\s=\s5/)
      assert.doesNotMatch(texts(without), /n\s=\s5/)
      assert.doesNotMatch(texts(withLegend), /Band:/)
      await chooseMore(visitor, 'export')
      await at('copy-caption-return_mean').click()
      await at('toast').filter({ hasText: 'Caption copied' }).waitFor()
      const caption = await page.evaluate(() => navigator.clipboard.readText())
      assert.match(caption, /Line: Default, seeds 1 to 5, .*\(dashed\)\. Band: 95/)
      await chooseMore(visitor, 'export')
      await at('export-own-line').click()
      await page.keyboard.press('Escape')
      await chooseMore(visitor, 'export')
      await at('copy-caption-return_mean').click()
      const both = /Lines: Default, seed 3 \(solid\); Default, seeds 1 to 5, .*\(dashed\)\. Band: 95/
      await until(
        async () => both.test(await page.evaluate(() => navigator.clipboard.readText())),
        'the caption with the line of this run',
      )
    },
  )

  inWindow(
    'this run and further seeds end at the same number of steps, at which they stop',
    '#/frozen-lake?seed=1',
    clipboard,
    async (visitor) => {
      const { at, page } = visitor
      await trainToCurve(visitor)
      await chooseMore(visitor, 'compare')
      await at('stop-at').fill('many')
      assert.match(await at('stop-note').textContent(), /whole number/)
      await at('stop-at').fill('1')
      assert.match(await at('stop-note').textContent(), /only other runs stop there/)
      const goal = (await steps(visitor)) + 20_000
      await at('stop-at').fill(goal.toLocaleString('en'))
      await page.keyboard.press('Escape')
      const state = async () => (await at('stop-state').textContent()).replaceAll(/\s/g, ' ')
      assert.equal(await state(), `Stops at ${goal.toLocaleString('en')} steps`)
      await at('play').click()
      await until(async () => /^Stopped at/.test(await state()), 'the stop')
      const end = await steps(visitor)
      assert.ok(end >= goal && end < goal + 5000, `${end} instead of ${goal}`)
      assert.equal(await state(), `Stopped at ${end.toLocaleString('en')} steps`)
      await chooseMore(visitor, 'compare')
      await at('seed-count').selectOption('2')
      await at('train-seeds').click()
      await until(async () => (await at('solved-each').count()) > 0, 'further runs')
      await at('busy').waitFor({ state: 'detached' })
      const rows = await metrics(visitor)
      const ends = new Set(
        [...new Set(rows.map(({ run }) => run))].map((run) =>
          Number(rows.findLast((row) => row.run === run).step),
        ),
      )
      assert.deepEqual([...ends], [end])
      // The stop is not part of the settings.
      assert.doesNotMatch(page.url(), /stop/)
      // The native command trains the same seeds to the same step.
      assert.match(await command(visitor), new RegExp(`--seeds 1-3 --engine cpu --steps ${goal}$`))
      // Stop and band are kept.
      await page.reload()
      await at('solved-each').waitFor()
      await chooseMore(visitor, 'compare')
      assert.equal(await at('stop-at').inputValue(), String(goal))
    },
  )

  inWindow(
    'malformed curves in a link are reported, and the run trains',
    '#/cartpole?curves=x',
    {},
    async (visitor) => {
      const { at } = visitor
      await at('error').filter({ hasText: 'The curves in this link cannot be read' }).waitFor()
      await trains(visitor)
      assert.equal(await drawn(visitor), 0)
    },
  )
})
