// End-to-end tests of the built page in Chromium.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { target } from '../../scripts/run.mjs'
import {
  clipboard,
  command,
  evaluate,
  exported,
  forget,
  inWindow,
  number,
  pause,
  settled,
  sharedWindow,
  steps,
  trains,
  until,
} from './exhibit.mjs'
import { visit } from './page.mjs'
import { host } from './server.mjs'

const vivarium = (...args) => promisify(execFile)(join(target, 'debug', 'vivarium'), args)
const folder = () => mkdtemp(join(tmpdir(), 'vivarium-'))

/** Returns the metadata in a checkpoint's safetensors header. */
function metadata(bytes) {
  const length = Number(bytes.readBigUInt64LE(0))
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString())
  return JSON.parse(header.__metadata__.vivarium)
}

/** Opens an address of the page. */
const go = ({ page }, hash) => page.evaluate((hash) => (location.hash = hash), hash)

describe('the home page', () => {
  inWindow('requests frames only while its live box is on screen', '', {}, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    await page.evaluate(() => {
      globalThis.frameCount = 0
      for (const worker of globalThis.openWorkers)
        worker.addEventListener('message', ({ data }) => data.kind === 'frame' && globalThis.frameCount++)
    })
    const frames = () => page.evaluate(() => globalThis.frameCount)
    /** Returns the number of frames that arrive while the page is drawn ten times. */
    const arriving = async () => {
      const before = await frames()
      for (let i = 0; i < 10; i++) await settled(visitor)
      return (await frames()) - before
    }
    await until(async () => (await arriving()) > 0, 'frames')
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await until(async () => (await arriving()) === 0, 'the frames to stop')
    await trains(visitor)
    assert.equal(await arriving(), 0)
    await page.evaluate(() => scrollTo(0, 0))
    await until(async () => (await arriving()) > 0, 'frames after the return')
    // The start for newcomers opens the guide with an untrained run.
    await at('enter-guide').click()
    await until(async () => (await number(visitor, 'guide-card', 'step')) === 1, 'the first step')
    await until(async () => (await steps(visitor)) === 0, 'an untrained run')
    // A visitor who leaves the guide continues it later.
    await at('guide-next').click()
    await go(visitor, '#/')
    await until(
      async () => /CartPole, step 2/.test(await at('continue-guide').textContent()),
      'the guide in progress',
    )
    assert.match(await at('enter-guide').textContent(), /Next guide\s+Connect Four/)
    await trains(visitor)
    // The run of the guide of another exhibit makes room for the demonstration, and is not offered.
    await go(visitor, '#/pendulum?guide=1')
    await until(
      async () => (await at('guide-act').count()) > 0 && (await at('guide-act').isEnabled()),
      'the step',
    )
    await go(visitor, '#/')
    await at('enter-guide').waitFor()
    await trains(visitor)
    assert.deepEqual([await at('elsewhere').count(), await at('go-on-with').count()], [0, 0])
  })
})

describe('training', () => {
  /** Runs in the page: sets the clock that measures the lifetime of workers forward by `later` ms. */
  const clockOf = () => {
    const now = performance.now.bind(performance)
    globalThis.later = 0
    performance.now = () => now() + globalThis.later
  }
  const test = sharedWindow(() => visit('#/cartpole?speed=max', { before: clockOf }))

  test('stops when paused and continues afterwards', async (visitor) => {
    await trains(visitor)
    await pause(visitor)
    const paused = await steps(visitor)
    // Work of the paused worker, between whose parts training would advance.
    await evaluate(visitor)
    await settled(visitor)
    assert.equal(await steps(visitor), paused)
    await visitor.at('step').click()
    const change = visitor.at('step-change')
    await until(async () => Number(await change.getAttribute('data-value')) > 0, 'the change by a step')
    assert.match(await change.textContent(), /One update:\s+\+[\d.]+\sk\s+steps/)
    const stepped = await steps(visitor)
    assert.ok(stepped > paused)
    await visitor.at('play').click()
    await trains(visitor, stepped)
  })

  test('pauses while the tab is hidden', async (visitor) => {
    await trains(visitor)
    const show = (state) =>
      visitor.page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    await show('hidden')
    await settled(visitor)
    const hidden = await steps(visitor)
    await evaluate(visitor)
    await settled(visitor)
    assert.equal(await steps(visitor), hidden)
    await show('visible')
    await trains(visitor, hidden)
  })

  test('continues in a new worker when the old one crashes', async (visitor) => {
    await trains(visitor)
    // A worker that crashes at once is not replaced, so it must have run for a while.
    await visitor.page.evaluate(() => (globalThis.later = 60_000))
    const [worker] = visitor.page.workers()
    await worker.evaluate(() => void setTimeout(() => JSON.parse('broken on purpose')))
    await visitor.at('error').waitFor()
    assert.match(await visitor.at('error').textContent(), /resumes/)
    await trains(visitor)
    forget(visitor)
  })

  inWindow(
    'opens slowly, acts without learning, and learns without acting',
    '#/cartpole',
    { opening: true },
    async (visitor) => {
      const { at } = visitor
      const canvas = at('living-view')
      const moves = async () => {
        const first = await canvas.screenshot()
        await until(async () => !first.equals(await canvas.screenshot()), 'the preview to move')
      }
      await at('hold-speed').waitFor()
      assert.equal(await at('speed').inputValue(), '3')
      await at('hold-speed').click()
      assert.equal(await at('hold-speed').count(), 0)
      await trains(visitor)
      await moves()
      await pause(visitor)
      await moves()
      // Without acting, the preview moves by single steps only.
      await at('act').click()
      await until(
        async () => (await at('act').getAttribute('aria-pressed')) === 'false',
        'the preview to stop',
      )
      const who = visitor.page.getByText(/step \d+ of/).first()
      const held = await who.textContent()
      await at('step-preview').click()
      await until(async () => (await who.textContent()) !== held, 'a step of the preview')
      // The untrained start is held.
      await at('start-over').click()
      await until(
        async () => (await steps(visitor)) === 0 && (await at('play').isVisible()),
        'the untrained start',
      )
      await at('play').click()
      await trains(visitor)
      assert.equal(await at('act').getAttribute('aria-pressed'), 'false')
    },
  )
})

describe('navigation', () => {
  inWindow('opens the exhibit that was selected last, at its own speed', '', {}, async (visitor) => {
    await go(visitor, '#/pendulum')
    await visitor.at('preset').waitFor()
    for (const hash of ['#/mountain-car', '#/pendulum']) await go(visitor, hash)
    await visitor.at('preset').waitFor()
    // The speed increases from real time on, until the opening ends.
    await visitor.at('hold-speed').waitFor()
    await trains(visitor)
    assert.equal(await visitor.page.getByRole('heading', { level: 1 }).textContent(), 'Pendulum')
  })

  inWindow(
    'the visitor stays in place on a page, and leaves it entirely',
    '#/cartpole',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await at('lead').waitFor()
      // The first frames add parts above the sliders.
      await trains(visitor)
      await page.keyboard.press('Tab')
      assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-testid')), 'skip')
      await page.keyboard.press('Enter')
      assert.equal(await page.evaluate(() => document.activeElement.tagName), 'MAIN')
      // The task and the preset in technical terms are shown on request, which the keyboard can make.
      assert.equal(await at('preset-help').count(), 0)
      await at('about-more').press('Enter')
      await at('preset-help').waitFor()
      assert.equal(await at('about-more').getAttribute('aria-expanded'), 'true')
      // A solved run adds a panel above the sliders.
      await pause(visitor)
      // The first change of a setting replaces the sentence on the preset.
      const slider = at('live-world.gravity')
      const top = () => slider.evaluate((element) => element.getBoundingClientRect().top + scrollY)
      const before = await top()
      await slider.press('ArrowRight')
      await page.getByText('1 setting differs').waitFor()
      assert.equal(await top(), before)
      await page.evaluate(() => scrollTo(0, 300))
      await exported(visitor)
      await at('toast').waitFor()
      await go(visitor, '#/pendulum')
      await page.getByRole('heading', { level: 1, name: 'Pendulum' }).waitFor()
      assert.deepEqual([await at('toast').count(), await page.evaluate(() => scrollY)], [0, 0])
    },
  )

  inWindow(
    'the home page does not change a run of another exhibit',
    '#/pendulum?seed=3',
    {},
    async (visitor) => {
      const { at, page } = visitor
      await trains(visitor)
      await at('speed').fill('2')
      const before = await steps(visitor)
      await go(visitor, '#/')
      await at('elsewhere').getByRole('link').click()
      await at('preset').waitFor()
      assert.ok((await steps(visitor)) >= before)
      assert.equal(await at('speed').inputValue(), '2')
      await trains(visitor)
      // The same holds for a return from any other page.
      await go(visitor, '#/bench')
      await page.getByRole('navigation').getByText('Pendulum').click()
      await until(async () => /seed=3/.test(page.url()), 'the address of the run')
      assert.ok((await steps(visitor)) >= before)
      // Also while it is paused.
      if (await at('pause').count()) await pause(visitor)
      const paused = await steps(visitor)
      await go(visitor, '#/')
      await at('elsewhere').getByRole('link').click()
      await at('preset').waitFor()
      assert.equal(await steps(visitor), paused)
    },
  )

  const test = sharedWindow(() => visit('#/cartpole', clipboard))
  const showSettings = async ({ at }) => {
    if ((await at('restart').count()) === 0) await at('config').click()
  }

  test('an invalid link pauses training until the return', async (visitor) => {
    await trains(visitor)
    await go(visitor, '#/cartpole?world.gravity=-1')
    await visitor.at('error').waitFor()
    await visitor.page.goBack()
    await trains(visitor)
  })

  test('the benchmark can be copied and stopped, and leaving it restores the experiment', async (visitor) => {
    const { at, page } = visitor
    // The state before the newest iteration is saved, so one iteration must be complete; then a mean return exists.
    await until(async () => (await visitor.at('return').textContent()) !== '–', 'the first iteration')
    await go(visitor, '#/bench')
    await at('bench-run').click()
    assert.match(await at('bench-progress').textContent(), /, 1 of [2-9]: .* 0 measured\./s)
    await at('bench-table').waitFor()
    const copied = async (format, holds) => {
      await at(`bench-copy-${format}`).click()
      await until(
        async () => holds(await page.evaluate(() => navigator.clipboard.readText())),
        `the ${format}`,
      )
    }
    await copied('text', (text) => /^Logical cores: \d+$/m.test(text) && /^kernels\/\S+ +[\d.]+ /m.test(text))
    await copied('json', (text) => text.startsWith('{') && JSON.parse(text).figures[0].value > 0)
    await at('bench-stop').click()
    await at('bench-run').filter({ hasText: 'Measure again' }).waitFor()
    assert.ok(await at('bench-table').isVisible())
    assert.equal(await at('bench-progress').count(), 0)
    await at('bench-run').click()
    await at('bench-progress').waitFor()
    await page.goBack()
    await at('play').click()
    assert.ok((await steps(visitor)) > 0)
    await trains(visitor)
  })

  test('unrelated keys and drags change nothing', async (visitor) => {
    const { at, page } = visitor
    // More than the first iteration, so that the new run has fewer steps for a while.
    await trains(visitor, 8192)
    await pause(visitor)
    const before = await steps(visitor)
    await showSettings(visitor)
    for (const field of ['config-world.gravity', 'seed']) {
      await at(field).fill('5')
      await at(field).press('Enter')
    }
    // Space opens and closes the settings and does not start training.
    await page.locator('summary').filter({ hasText: 'All settings' }).press(' ')
    await at('restart').waitFor({ state: 'detached' })
    assert.ok(await at('play').isVisible())
    await page.locator('summary').filter({ hasText: 'All settings' }).press(' ')
    // Dragged content of the page itself is not a file.
    const over = (type) =>
      page.evaluate((type) => {
        const dataTransfer = new DataTransfer()
        if (type === 'Files') dataTransfer.items.add(new File(['a'], 'a.txt'))
        else dataTransfer.setData(type, 'a')
        document.body.dispatchEvent(
          new DragEvent('dragover', { dataTransfer, bubbles: true, cancelable: true }),
        )
      }, type)
    await over('text/plain')
    assert.equal(await page.locator('.drop').count(), 0)
    await over('Files')
    await page.locator('.drop').waitFor()
    await settled(visitor)
    assert.equal(await steps(visitor), before)
    await at('restart').click()
    await until(async () => (await steps(visitor)) < before, 'a new run')
  })

  test('an invalid value is reported beside the restart button', async (visitor) => {
    const { at } = visitor
    await showSettings(visitor)
    await at('config-ppo.num_envs').fill('many')
    await at('config-problem').getByText('Environments').waitFor()
    assert.ok(await at('restart').isDisabled())
    // An invalid field of a learner that is not selected does not block a start.
    await at('config-learner').selectOption('dqn')
    await at('config-ppo.num_envs').waitFor({ state: 'detached' })
    assert.ok(await at('restart').isEnabled())
    // A new run resets the form.
    await at('config-learner').selectOption('ppo')
    await at('config-ppo.num_envs').fill('many')
    await at('preset').selectOption('tiny-network')
    await until(
      async () => (await at('config-ppo.num_envs').inputValue()) === '128',
      'the value of the preset',
    )
    assert.ok(await at('restart').isEnabled())
  })
})

describe('a host that is temporarily unreachable', () => {
  const gone = /ERR_FAILED|ERR_ABORTED|could not be loaded|dynamically imported|preload/
  const go = ({ page }, hash) => page.evaluate((hash) => (location.hash = hash), hash)

  inWindow('needs only a retry', '#/cartpole', { serviceWorkers: 'block' }, async (visitor) => {
    const { at, page } = visitor
    await trains(visitor)
    const pending = []
    await page.route('**/assets/**', (route) => pending.push(route))
    await go(visitor, '#/cube2')
    await page.getByText('Loading…').waitFor()
    await page.route('**/assets/**', (route) => route.abort())
    for (const route of pending) await route.abort()
    await at('unloaded').waitFor()
    assert.match(await at('load-problem').textContent(), /dynamically imported module|preload CSS/)
    await at('load-again').click()
    await at('unloaded').waitFor()
    await page.route('**/*', (route) => route.abort())
    await at('load-again').click()
    await at('not-stored').waitFor()
    await go(visitor, '#/cartpole')
    await trains(visitor)
    await page.unroute('**/*')
    await page.unroute('**/assets/**')
    await go(visitor, '#/cube2')
    await at('cube').waitFor()
    await trains(visitor)
    // The page is loaded, its training module is not.
    await page.route('**/*', (route) => route.abort())
    await go(visitor, '#/cartpole')
    await at('try-again').waitFor()
    assert.equal(await page.getByText('This link does not work').count(), 0)
    await page.unroute('**/*')
    await at('try-again').click()
    await trains(visitor)
    forget(visitor, gone)
  })

  inWindow('leaves no page without its stylesheet', '', { serviceWorkers: 'block' }, async (visitor) => {
    const { at, page } = visitor
    await page.getByRole('heading', { level: 1 }).waitFor()
    const failed = new Set()
    await page.route('**/*.css', (route) => (failed.add(route.request().url()), route.abort()))
    await go(visitor, '#/cube2')
    await at('unloaded').waitFor()
    await page.unroute('**/*.css')
    await at('load-again').click()
    await at('cube').waitFor()
    assert.ok(failed.size > 0)
    await page.waitForFunction(
      (failed) => {
        // The rules of a stylesheet whose request failed cannot be read.
        const loaded = (sheet) => {
          try {
            return sheet.cssRules.length > 0
          } catch {
            return false
          }
        }
        const sheets = [...document.styleSheets]
        return failed.every((url) => sheets.some((sheet) => sheet.href === url && loaded(sheet)))
      },
      [...failed],
    )
    forget(visitor, gone)
  })
})

describe('a browser or host with fewer features', () => {
  inWindow('trains with one thread', '?threads=1#/cartpole', {}, async (visitor) => {
    await trains(visitor)
    await visitor.at('engine').click()
    assert.equal((await visitor.at('engine-module').textContent()).trim(), 'threads-relaxed')
    assert.match(await visitor.at('engine-reason').textContent(), /core/)
  })

  // As WebKitGTK.
  const before = () => {
    delete globalThis.SharedArrayBuffer
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'C', configurable: true })
  }
  inWindow('trains without SharedArrayBuffer, in the locale C', '#/cartpole', { before }, async (visitor) => {
    await trains(visitor)
    await visitor.at('engine').click()
    assert.match(
      await visitor.at('engine-reason').textContent(),
      /^One core, because this browser lacks Shared/,
    )
  })

  it('trains with one thread if the thread pool does not start', async () => {
    const change = (name, body) =>
      /\/worker-/.test(name) ? String(body).replace('self.location.href,{type', '"missing.js",{type') : null
    const broken = await host({ change })
    const visitor = await visit('#/cartpole', { from: broken.address, serviceWorkers: 'block' })
    await trains(visitor)
    await visitor.at('engine').click()
    assert.match(
      await visitor.at('engine-reason').textContent(),
      /^One core, because the thread pool did not/,
    )
    await visitor.window.close()
    await broken.close()
  })
})

describe('an experiment that moves', () => {
  inWindow(
    'that has learned CartPole is saved, and evaluates natively',
    '#/cartpole?speed=max',
    {},
    async (visitor) => {
      await until(async () => (await evaluate(visitor)) >= 475, 'a mean return of 475 over 100 episodes')
      await pause(visitor)
      const here = await evaluate(visitor)
      const file = join(await folder(), 'saved.safetensors')
      await (await exported(visitor)).saveAs(file)
      const { stdout } = await vivarium('eval', 'cartpole', '--checkpoint', file, '--json')
      const there = JSON.parse(stdout)
      // The same episodes; engines may differ in the last bit and therefore in a few episodes.
      assert.ok(Math.abs(there.mean - here) < 50, `${there.mean} natively, ${here} in the page`)
    },
  )

  inWindow('trains with another learner', '#/mountain-car?speed=max', clipboard, async (visitor) => {
    const { at } = visitor
    await trains(visitor)
    await at('preset').selectOption('deep-q-learning')
    await until(async () => /learner=dqn|deep-q-learning/.test(await command(visitor)), 'another learner')
    await until(async () => (await at('return').textContent()) !== '–', 'the first episodes')
    // The learner's own curves and settings replace the other learner's.
    const explained = (label) => visitor.page.getByRole('button', { name: `Explain ${label}`, exact: true })
    await explained('Exploration ε').first().waitFor()
    assert.equal(await explained('Policy loss').count(), 0)
    assert.ok((await evaluate(visitor)) >= -200)
  })

  inWindow('trained natively opens in the page', '#/pendulum', {}, async (visitor) => {
    const out = join(await folder(), 'run')
    await vivarium('train', 'cartpole', '--steps', '40000', '--seed', '9', '--out', out)
    await trains(visitor)
    await pause(visitor)
    const file = join(out, 'latest.safetensors')
    const saved = Number(metadata(await readFile(file)).steps)
    assert.ok(saved > 0)
    await visitor.at('open-input').setInputFiles(file)
    await visitor.page.waitForURL(/#\/cartpole\?seed=9/)
    await until(async () => (await steps(visitor)) === saved, 'the steps of the native run')
    assert.ok((await evaluate(visitor)) > 0)
    // A checkpoint contains no time of the first solved evaluation.
    await visitor.page.getByText('Counts as solved at 475').waitFor()
    await visitor.at('play').click()
    await visitor.page.getByText('Solved: at or above 475').waitFor()
  })
})

describe('invalid input', () => {
  inWindow('a link names its invalid part', '#/carpole', {}, async ({ at, page }) => {
    let shown = await at('error').textContent()
    assert.match(shown, /carpole/)
    for (const bad of [
      'world.gravity=-5',
      'world.gravity=heavy',
      'world.gravitas=9',
      'config={"ppo":{"num_envs":0}}',
      'seed=x',
    ]) {
      const field = bad.startsWith('config') ? 'ppo.num_envs' : bad.split('=')[0]
      const before = shown
      await page.evaluate((hash) => void (location.hash = hash), `#/cartpole?${encodeURI(bad)}`)
      await until(async () => (shown = await at('error').textContent()) !== before, `the error of ${bad}`)
      assert.ok(shown.includes(field), shown)
    }
  })

  inWindow('a damaged file is refused and training continues', '#/cartpole', {}, async (visitor) => {
    await trains(visitor)
    const good = await readFile(await (await exported(visitor)).path())
    const here = await folder()
    for (const [name, bytes] of [
      ['empty', Buffer.alloc(0)],
      ['text', Buffer.from('this is not a checkpoint')],
      ['truncated', good.subarray(0, good.length / 2)],
      [
        'a header without an end',
        Buffer.concat([Buffer.from([255, 255, 255, 255, 255, 255, 255, 127]), good]),
      ],
    ]) {
      const file = join(here, `${name}.safetensors`)
      await writeFile(file, bytes)
      await visitor.at('open-input').setInputFiles(file)
      const error = visitor.at('error').last()
      await error.waitFor()
      const named = `${name}.safetensors cannot be opened: `
      assert.ok((await error.textContent()).includes(named), await error.textContent())
      await error.getByRole('button').click()
      await error.waitFor({ state: 'detached' })
    }
    await trains(visitor)

    // The next action dismisses the error.
    await visitor.at('open-input').setInputFiles(join(here, 'text.safetensors'))
    await visitor.at('error').waitFor()
    await visitor.at('preset').selectOption({ index: 1 })
    await visitor.at('error').waitFor({ state: 'detached' })
    await trains(visitor)
  })
})
