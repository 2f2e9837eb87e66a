import { afterEach, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../../tests/fixtures/fake-session'
import type { Config } from '../../../state/config'
import { Lab } from '../../../state/lab.svelte'
import { step, type GuideStep } from './guide'
import { StepExperiment } from './step-experiment.svelte'

// The address needs a window.
vi.mock('../../../state/address.svelte', () => ({ address: { fitted: false, page: 'cartpole' } }))

const steer = { restart: async () => {}, remember: () => {} }

/** The mean return of this step has to exceed 100; training pauses then. */
const doubles = step({
  title: 'A',
  text: 'B',
  question: 'C?',
  guesses: ['Yes', 'No'],
  target: 'steps',
  action: { label: 'D', does: [{ kind: 'learn', on: true }] },
  figures: { steps: { progress: 'steps' }, mean: { metric: 'return_mean' } },
  outcome: ({ steps, mean = 0 }) => (mean > 100 ? { text: `${mean} after ${steps} steps`, right: 0 } : null),
  isFinal: ({ mean = 0 }) => mean > 100,
  finish: [{ kind: 'learn', on: false }],
})

/** Opens a run on a session without timers of its own, and a step. */
async function opened(of: GuideStep = doubles) {
  const session = new FakeSession()
  const lab = new Lab(async () => session)
  await lab.start()
  lab.exhibit = 'cartpole'
  await lab.create('cartpole', lab.experiments.find(({ name }) => name === 'cartpole')!.defaults as Config, 7)
  // The messages of the worker, in an order that each test chooses.
  session.play = () => {
    session.state = 'running'
    session.emit('state', 'running')
  }
  session.pause = () => {
    session.state = 'paused'
    session.emit('state', 'paused')
  }
  const at = (steps: number, mean: number) => {
    session.emit('metrics', [{ steps, values: [['return_mean', mean]] }])
    session.emit('progress', { ...lab.progress, steps })
  }
  return { session, lab, at, experiment: new StepExperiment(of, lab, steer) }
}

const frame = { arrays: {}, documents: null }

test('an outcome appears after the last report and a frame of the paused run', async () => {
  const { session, lab, at, experiment } = await opened()
  lab.view({ kind: 'control', members: 4, focus: 0, map: null })
  await experiment.act()
  at(4096, 110)
  experiment.update()
  // The actions that end the experiment are performed.
  await new Promise((next) => setTimeout(next))
  expect(lab.running).toBe('paused')
  experiment.update()
  expect(experiment.result).toBeNull()
  // Its own pause does not ask for further training.
  expect([experiment.isPaused, experiment.isRunning]).toEqual([false, true])
  // The worker trained further until it received the pause.
  at(8192, 130)
  session.emit('rested', null)
  experiment.update()
  expect(experiment.result).toBeNull()
  session.emit('frame', frame)
  expect(experiment.update()).toBe(true)
  expect(experiment.result).toBe('130 after 8192 steps')
  expect(experiment.verdict).toMatchObject({ kind: 'answer' })
  // The outcome stays.
  at(9000, 150)
  expect(experiment.update()).toBe(false)
  expect(experiment.result).toBe('130 after 8192 steps')
  lab.dispose()
})

test('an outcome marks the right guess and a wrong guess, and no guess can be selected then', async () => {
  const { lab, at, experiment } = await opened({ ...doubles, finish: [] })
  experiment.guess = 1
  const marks = () => experiment.options.map(({ icon, disabled }) => [icon, disabled])
  const open = [
    [undefined, false],
    [undefined, false],
  ]
  expect(marks()).toEqual(open)
  expect([experiment.isRight, experiment.isDecided]).toEqual([null, false])
  await experiment.act()
  at(4096, 110)
  experiment.update()
  await new Promise((next) => setTimeout(next))
  experiment.update()
  expect(experiment.result).not.toBeNull()
  expect([experiment.isRight, experiment.isDecided]).toEqual([false, true])
  expect(marks()).toEqual([
    ['check', true],
    ['close', true],
  ])
  await experiment.act()
  expect(marks()).toEqual(open)
  lab.dispose()
})

test('the time until a requirement is met is estimated from the rate since the click, without pauses', async () => {
  const action = { label: 'E', does: [{ kind: 'learn', on: true } as const] }
  const requirement = {
    isMet: ({ steps = 0 }) => steps >= 1000,
    ...{ text: 'F', part: ({ steps = 0 }) => steps / 1000, action },
  }
  const { lab, at, experiment } = await opened({ ...doubles, requirement })
  const now = vi.spyOn(performance, 'now')
  const remainingAt = (seconds: number, steps: number) => {
    now.mockReturnValue(1000 * seconds)
    at(steps, 10)
    experiment.update()
    return experiment.remaining && Math.round(experiment.remaining)
  }
  at(200, 10)
  experiment.update()
  await experiment.act()
  expect([remainingAt(5, 200), remainingAt(10, 240), remainingAt(15, 400)]).toEqual([null, null, 30])
  expect(experiment.progress).toBe(0.4)
  lab.pause()
  expect(remainingAt(100, 400)).toBeNull()
  void lab.play()
  expect([remainingAt(200, 400), remainingAt(210, 600)]).toEqual([null, 20])
  expect(remainingAt(230, 1000)).toBeNull()
  now.mockRestore()
  lab.dispose()
})

test('a step that waits for paused training offers to continue it', async () => {
  const { lab, experiment } = await opened()
  experiment.update()
  expect(experiment.isPaused).toBe(false)
  await experiment.act()
  experiment.update()
  expect([lab.running, experiment.isPaused]).toEqual(['running', false])
  lab.pause()
  expect(experiment.isPaused).toBe(true)
  void lab.play()
  expect(experiment.isPaused).toBe(false)
  lab.dispose()
})

test('a step that does not train does not wait for training', async () => {
  const { lab, experiment } = await opened({ ...doubles, action: { label: 'D', does: [] } })
  await experiment.act()
  experiment.update()
  expect([lab.running, experiment.isPaused]).toEqual(['paused', false])
  lab.dispose()
})

test('a requirement that training meets offers to continue training', async () => {
  const { lab, at, experiment } = await opened({
    ...doubles,
    requirement: {
      isMet: ({ mean = 0 }) => mean > 50,
      text: 'The experiment needs a trained policy.',
      action: { label: 'Train', does: [{ kind: 'learn', on: true }] },
    },
  })
  experiment.update()
  expect(experiment.unmet).not.toBeNull()
  expect(experiment.isPaused).toBe(false)
  await experiment.act()
  experiment.update()
  lab.pause()
  expect(experiment.isPaused).toBe(true)
  void lab.play()
  at(4096, 60)
  experiment.update()
  expect([experiment.unmet, experiment.isPaused]).toEqual([null, false])
  lab.dispose()
})

test('an outcome that the last report no longer meets continues training', async () => {
  const { session, lab, at, experiment } = await opened()
  await experiment.act()
  at(4096, 110)
  experiment.update()
  await new Promise((next) => setTimeout(next))
  at(8192, 90)
  session.emit('rested', null)
  experiment.update()
  expect([lab.running, experiment.result, experiment.isRunning]).toEqual(['running', null, true])
  at(12_288, 120)
  experiment.update()
  await new Promise((next) => setTimeout(next))
  session.emit('rested', null)
  experiment.update()
  expect([experiment.result, experiment.isDone]).toEqual(['120 after 12288 steps', true])
  lab.dispose()
})

test('an outcome keeps the figures of its run if another run replaces it at the end', async () => {
  const { session, lab, at, experiment } = await opened({
    ...doubles,
    finish: [{ kind: 'restart', held: true }],
  })
  await experiment.act()
  at(4096, 110)
  experiment.update()
  lab.run++
  session.pause()
  at(0, 0)
  session.emit('rested', null)
  await new Promise((next) => setTimeout(next, 40))
  experiment.update()
  expect([experiment.result, experiment.isDone]).toEqual(['110 after 4096 steps', true])
  lab.dispose()
})

test('an experiment in progress can be canceled, and repeated', async () => {
  const { lab, at, experiment } = await opened({ ...doubles, progress: ({ mean = 0 }) => mean / 100 })
  await experiment.act()
  at(4096, 60)
  experiment.update()
  expect([experiment.isRunning, experiment.activity, experiment.progress]).toEqual([true, 'Training', 0.6])
  experiment.cancel()
  at(8192, 110)
  experiment.update()
  expect([lab.running, experiment.isRunning, experiment.isDone]).toEqual(['paused', false, false])
  expect([experiment.result, experiment.progress]).toEqual([null, null])
  at(12_288, 90)
  await experiment.act()
  experiment.update()
  expect(experiment.isRunning).toBe(true)
  lab.dispose()
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an action fails after a while without its control', async () => {
  const action = { label: 'D', does: [{ kind: 'click', element: 'steps' }] } as const
  const { lab, experiment } = await opened({ ...doubles, action })
  vi.useFakeTimers()
  vi.stubGlobal('CSS', { escape: (text: string) => text })
  const button = { disabled: true, click: vi.fn() }
  let found: unknown = null
  vi.stubGlobal('document', { querySelector: () => found })
  // The page lacks the control.
  const missing = experiment.act()
  await vi.advanceTimersByTimeAsync(10_000)
  expect([experiment.isRunning, experiment.failed]).toEqual([true, false])
  await vi.advanceTimersByTimeAsync(10_000)
  await missing
  expect([experiment.isRunning, experiment.failed]).toEqual([false, true])
  // The control is enabled later than a missing one would have to appear.
  found = button
  const late = experiment.act()
  await vi.advanceTimersByTimeAsync(20_000)
  expect([experiment.isRunning, experiment.failed]).toEqual([true, false])
  button.disabled = false
  await vi.advanceTimersByTimeAsync(100)
  await late
  expect(button.click).toHaveBeenCalledOnce()
  expect(experiment.failed).toBe(false)
  vi.unstubAllGlobals()
  lab.dispose()
})

test('the outcome of a step is kept while the run is the same, and the step has undone nothing; its guess is kept always', async () => {
  const { lab, at, experiment } = await opened({ ...doubles, finish: [] })
  experiment.guess = 0
  await experiment.act()
  at(4096, 110)
  experiment.update()
  await new Promise((next) => setTimeout(next))
  experiment.update()
  experiment.end()
  // The reports of a run that trains are late.
  expect(lab.running).toBe('running')
  expect(experiment.reopen()).not.toBe(experiment)
  lab.pause()
  expect(experiment.reopen()).toBe(experiment)
  expect(experiment.update()).toBe(false)
  expect([experiment.result, experiment.guess]).toEqual(['110 after 4096 steps', 0])
  experiment.end()
  at(8192, 120)
  const next = experiment.reopen()
  expect([next.result, next.guess]).toEqual([null, 0])
  // Its outcome can be read again until the button is clicked.
  expect(next.earlier).toMatchObject({ text: '110 after 4096 steps', verdict: { kind: 'right' } })
  next.end()
  expect(next.reopen().earlier).toEqual(next.earlier)
  expect(next.options.map(({ disabled }) => disabled)).toEqual([false, false])
  const undone = new StepExperiment({ ...doubles, leave: [] }, lab, steer)
  undone.guess = 1
  undone.end()
  expect(undone.reopen()).not.toBe(undone)
  expect(undone.reopen().guess).toBe(1)
  lab.dispose()
})
