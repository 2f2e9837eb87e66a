import { expect, test, vi } from 'vitest'
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
