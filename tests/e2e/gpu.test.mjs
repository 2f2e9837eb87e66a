// The GPU engine in the page, on a software adapter, or on the machine's GPU with `VIVARIUM_BROWSER_GPU=1`.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import {
  chooseMore,
  clipboard,
  command,
  evaluate,
  forget,
  inWindow,
  pause,
  steps,
  trains,
  until,
} from './exhibit.mjs'
import { usesHardwareGpu } from './page.mjs'

/** Returns whether this engine trains and no move is pending. */
const trainsOn = async (choice) => (await choice.isEnabled()) && (await choice.isChecked())

/** Waits until the page has found a GPU. */
const found = ({ at }) => until(() => at('engine-gpu').isEnabled(), 'a GPU')

/** Moves the experiment to the other engine. */
async function use({ at }, engine) {
  const choice = at(`engine-${engine}`)
  await choice.click()
  await until(() => trainsOn(choice), `the move to the ${engine}`)
}

/** Moves the paused experiment to an engine and resumes training there. */
async function goOn(visitor, engine) {
  const paused = await steps(visitor)
  await use(visitor, engine)
  assert.equal(await steps(visitor), paused)
  await visitor.at('play').click()
  await trains(visitor, paused)
}

/** Waits until the engine named in the link trains. */
async function on(visitor, engine) {
  await until(() => trainsOn(visitor.at(`engine-${engine}`)), `training on the ${engine}`)
  await trains(visitor)
}

/** Returns the training workers, without their threads. */
async function trainers({ page }) {
  const workers = page.workers()
  // A thread that runs rayon's loop answers nothing, but each training worker does; threads start after their worker.
  const names = await Promise.all(
    workers.map((worker) =>
      Promise.race([worker.evaluate(() => self.name), new Promise((late) => setTimeout(late, 5000))]),
    ),
  )
  return workers.filter((_, i) => names[i] === 'vivarium')
}

const mean = async ({ at }) => Number((await at('return').textContent()).replace('−', '-'))

// Small configs with few kernels, whose iterations are short on a software adapter. No run ends,
// although the CPU may train for long before the GPU is found.
const small = 'ppo.num_envs=64&ppo.horizon=32&ppo.hidden=32&speed=max'
const valued =
  'learner=dqn&dqn.num_envs=8&dqn.hidden=16&dqn.replay_capacity=512&dqn.warm_up=64&dqn.minibatch=32&dqn.iteration=10'
const narrow = [
  'task.width=8&task.height=6&task.steps=4',
  'circuit.channels=3&circuit.kernels=2&circuit.update=16,8,4,3',
  'learning.epochs=1000000',
  'speed=max',
].join('&')
const cube =
  'cube.features=stickers&dqn.hidden=16&dqn.num_envs=8&dqn.replay_capacity=500&dqn.warm_up=64&dqn.minibatch=32&dqn.iteration=10&speed=max'
const large =
  'learner.width=16&learner.blocks=1&learner.depth=5&learner.scrambles=6&learner.iteration=10&tests.every=0&speed=max'
const reader = [
  'learner.context=16&learner.layers=1&learner.heads=2&learner.width=16&learner.batch=2',
  'learner.anneal_updates=1000000',
  'evaluation.every=4&evaluation.windows=4',
  'speed=max',
].join('&')

describe('the GPU of the page', () => {
  // A start of the engine compiles its kernels, which takes a software adapter up to half a minute. So there are only five starts:
  // one per family of learners, and one after a lost device. Board games change their engine in the native tests.
  inWindow(
    'agrees with the CPU, takes a run over, trains it, and returns it',
    `#/cartpole?${small}`,
    clipboard,
    async (visitor) => {
      await found(visitor)
      await visitor.at('engine').click()
      if (!usesHardwareGpu) {
        // Compiling for a software GPU blocks drawing, so the page has not started the engine yet.
        assert.match(await visitor.at('gpu-status').textContent(), /software.*checked when you choose it/is)
        assert.equal(await visitor.at('gpu-report').count(), 0)
      }
      assert.ok(await visitor.at('engine-cpu').isChecked())
      assert.equal((await trainers(visitor)).length, 1)
      await visitor.page.keyboard.press('Escape')
      await trains(visitor)
      await until(async () => (await mean(visitor)) > 0, 'a return')
      await pause(visitor)
      const paused = [await steps(visitor), await mean(visitor)]
      await use(visitor, 'gpu')
      const tooWide = () => document.documentElement.scrollWidth - document.documentElement.clientWidth
      assert.ok((await visitor.page.evaluate(tooWide)) <= 0, 'the name of the GPU has room')
      await visitor.at('engine').click()
      assert.match(await visitor.at('gpu-check').textContent(), /^\s*([1-9]\d*) of \1 agree with the CPU\s*$/)
      assert.equal(/software/i.test(await visitor.at('gpu-report').textContent()), !usesHardwareGpu)
      await visitor.page.keyboard.press('Escape')
      // The iteration in progress is repeated.
      const before = [await steps(visitor), await mean(visitor)]
      assert.ok(before[0] <= paused[0] && before[0] >= paused[0] - 64 * 32, `${before[0]} after ${paused[0]}`)
      assert.equal(before[1], paused[1])
      for (const engine of ['cpu', 'gpu']) {
        await use(visitor, engine)
        assert.deepEqual([await steps(visitor), await mean(visitor)], before)
        assert.equal(/engine=gpu/.test(visitor.page.url()), engine === 'gpu')
        assert.equal(/--engine gpu/.test(await command(visitor)), engine === 'gpu')
      }
      await visitor.at('play').click()
      await trains(visitor, before[0])
      await pause(visitor)
      const after = [await steps(visitor), await mean(visitor)]
      await use(visitor, 'cpu')
      assert.deepEqual([await steps(visitor), await mean(visitor)], after)
      await visitor.at('play').click()
      await trains(visitor, after[0])

      // A link that names the GPU uses the engine that is already running.
      const link = `#/cartpole?seed=2&engine=gpu&${small}`
      await visitor.page.evaluate((hash) => (location.hash = hash), link)
      await until(async () => /--seed 2 /.test(await command(visitor)), 'the run of the link')
      await on(visitor, 'gpu')
      await until(async () => (await mean(visitor)) > 0, 'a return')
      const first = await mean(visitor)
      await until(async () => (await mean(visitor)) > 1.5 * first, 'a better one')
      // Evaluates the policy that was read back from the device.
      assert.ok((await evaluate(visitor)) > first)

      // The same for DQN, which waits for the device at every step.
      const values = `#/cartpole?seed=3&engine=gpu&${small}&${valued}`
      await visitor.page.evaluate((hash) => (location.hash = hash), values)
      await until(async () => /--seed 3 /.test(await command(visitor)), 'the run of the link')
      await on(visitor, 'gpu')
      await until(async () => (await mean(visitor)) > 0, 'a return')
    },
  )

  const automaton = `#/logic-ca?engine=gpu&${narrow}`
  inWindow(
    'trains logic automata if the link names it, and the CPU continues if the GPU is lost',
    automaton,
    {},
    async (visitor) => {
      const { at } = visitor
      await on(visitor, 'gpu')
      assert.deepEqual(visitor.wrong, [])
      const before = await steps(visitor)
      for (const worker of await trainers(visitor)) {
        await worker.evaluate(() => {
          const { createCommandEncoder } = GPUDevice.prototype
          const { getMappedRange } = GPUBuffer.prototype
          const devices = new Set()
          GPUDevice.prototype.createCommandEncoder = function (...args) {
            devices.add(this)
            return createCommandEncoder.apply(this, args)
          }
          // During a readback, when the page does not know of the loss yet.
          GPUBuffer.prototype.getMappedRange = function (...args) {
            for (const device of devices) device.destroy()
            return getMappedRange.apply(this, args)
          }
        })
      }
      await at('error').waitFor()
      assert.match(await at('error').textContent(), /GPU was lost.*CPU/is)
      await on(visitor, 'cpu')
      // The last read-back state is at most a few epochs old.
      assert.ok((await steps(visitor)) > before / 2)
      // The browser's reason for the loss.
      forget(visitor)

      // A new worker opens a new device, which takes the run over and returns it.
      await pause(visitor)
      await goOn(visitor, 'gpu')
      await pause(visitor)
      // The sandbox runs the CPU copy of the circuit on either engine.
      const step = async () => Number(await at('sandbox-step').getAttribute('data-value'))
      const shown = await step()
      await until(async () => (await step()) > shown, 'the sandbox to advance')
      await goOn(visitor, 'cpu')
    },
  )

  inWindow(
    'trains language models on an opened text, and returns them',
    `#/language?data=rhyme.txt&${reader}`,
    {},
    async (visitor) => {
      const { at } = visitor
      const rhyme = Array.from({ length: 400 }, (_, i) => `${i} green bottles hanging on the wall.\n`)
      const file = { name: 'rhyme.txt', mimeType: 'text/plain', buffer: Buffer.from(rhyme.join('')) }
      // A text that is opened before the run waits for one starts another run, which is too large for a software adapter.
      await until(async () => (await at('text').getAttribute('data-stage')) === 'missing', 'the missing text')
      await at('text-input').setInputFiles(file)
      await trains(visitor, 0)
      await found(visitor)
      await pause(visitor)
      await goOn(visitor, 'gpu')
      await pause(visitor)
      // The CPU's copy generates text, whichever engine trains.
      await at('prompt').fill('green')
      await at('write').click()
      await until(async () => /^green./.test((await at('playground').textContent()).trim()), 'it to write')
      await goOn(visitor, 'cpu')
    },
  )
})

/** Trains on the GPU as the link requires, then on the CPU. */
async function moves(visitor) {
  const { at } = visitor
  await on(visitor, 'gpu')
  await pause(visitor)
  const paused = await steps(visitor)
  await use(visitor, 'cpu')
  const moved = await steps(visitor)
  assert.ok(moved <= paused && moved > 0, `${moved} of ${paused} steps have moved`)
  await at('play').click()
  await trains(visitor, moved)
}

describe('learners that use the CPU and the GPU', () => {
  inWindow('cubes train there and are returned', `#/cube2?engine=gpu&${cube}`, clipboard, async (visitor) => {
    await moves(visitor)
    await visitor.page.evaluate((hash) => (location.hash = hash), `#/cube3?engine=gpu&${large}`)
    await until(async () => /train cube3/.test(await command(visitor)), 'the larger cube')
    await on(visitor, 'gpu')
    // The engine that trains also evaluates the states of a search, asynchronously.
    const { at } = visitor
    await at('reset-cube').click()
    await at('cube').press('l')
    await at('pace').fill('6')
    await at('solver').selectOption({ label: 'Beam search (width 128)' })
    await at('solve').click()
    const solved = /^Beam search \(width 128\) solved it in 1.turn\./
    await until(async () => solved.test(await at('status').textContent()), 'the solution')
    await moves(visitor)
  })
})

describe('without a GPU', () => {
  const hidden = () => Object.defineProperty(Navigator.prototype, 'gpu', { get: () => undefined })

  inWindow(
    'a link that names the GPU, the page and the form of a second run report it, and the CPU trains',
    '#/cartpole?engine=gpu',
    { before: hidden },
    async (visitor) => {
      const { at, page } = visitor
      await at('error').waitFor()
      assert.match(await at('error').textContent(), /no GPU.*does not support WebGPU.*CPU/is)
      await on(visitor, 'cpu')
      await at('engine').click()
      const said = () => at('gpu-status').textContent()
      await until(async () => /does not support WebGPU/.test(await said()), 'the page to say so')
      assert.match(await said(), /Training runs on the CPU/)
      assert.ok(await at('engine-gpu').isDisabled())
      await page.keyboard.press('Escape')
      await chooseMore(visitor, 'compare')
      await until(
        async () => /does not support WebGPU/.test(await at('beside-no-gpu').textContent()),
        'the form to say so',
      )
      assert.ok(await at('beside-second-gpu').isDisabled())
    },
  )

  const none = () => {
    const refuse = () => Promise.resolve(null)
    Object.defineProperty(GPU.prototype, 'requestAdapter', { value: refuse })
  }
  inWindow('or without an adapter, it states the reason', '#/pendulum', { before: none }, async (visitor) => {
    await trains(visitor)
    await visitor.at('engine').click()
    const said = () => visitor.at('gpu-status').textContent()
    await until(async () => /found no adapter/.test(await said()), 'the page to say so')
  })
})
