import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../tests/fixtures/fake-session'
import {
  exchange,
  followStop,
  frameOptions,
  holdOther,
  reportOf,
  secondThreads,
  stopInOptions,
  takesTurns,
  type RunReport,
} from './beside'
import type { Config } from './config'
import { Lab } from './lab.svelte'

const origin = 'https://vivarium.test'

/** A window that records the messages that it receives. */
const windowWith = (received: unknown[]) =>
  ({
    postMessage: (message: unknown, to: string) => received.push([to, structuredClone(message)]),
  }) as unknown as Window

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { origin, search: '' })
  const target = new EventTarget()
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'] as const)
    vi.stubGlobal(name, target[name].bind(target))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A lab with a new run of CartPole, and its session. */
async function started() {
  const session = new FakeSession()
  const lab = new Lab(async () => session)
  await lab.start()
  const info = lab.experiments.find(({ name }) => name === 'cartpole')!
  lab.exhibit = 'cartpole'
  await lab.create('cartpole', info.defaults as Config, 2)
  return { lab, session }
}

const message = (source: Window, data: unknown, from = origin) =>
  dispatchEvent(Object.assign(new Event('message'), { source, origin: from, data }))

test('two runs train by turns on few threads; otherwise the second run has half of the threads', () => {
  expect([1, 2, 3, 4, 16].map(takesTurns)).toEqual([true, true, true, false, false])
  expect([1, 2, 4, 5, 16].map(secondThreads)).toEqual([1, 2, 2, 2, 8])
})

test('a report has the settings, the curves and the steps of the run', async () => {
  const { lab } = await started()
  lab.history.push({ steps: 8, values: [['return_mean', 3]] } as never)
  expect(reportOf(lab)).toMatchObject({
    query: 'seed=2',
    running: false,
    tone: null,
    run: {
      id: 'beside',
      origin: 'First run',
      experiment: 'cartpole',
      seed: 2,
      curves: { steps: [8], columns: { return_mean: [3] } },
    },
  })
  lab.exhibit = 'pendulum'
  expect(reportOf(lab)).toBeNull()
})

test('both documents send their runs, and messages of other windows and origins are ignored', async () => {
  const { lab, session } = await started()
  const sent: unknown[] = []
  const other = windowWith(sent)
  const received: RunReport[] = []
  const holds: boolean[] = []
  session.hold = (on) => void holds.push(on)
  const end = exchange(
    lab,
    other,
    (report) => received.push(report),
    () => 'run-2',
  )
  vi.advanceTimersByTime(1000)
  expect(sent).toEqual([
    [origin, reportOf(lab, 'run-2')],
    [origin, reportOf(lab, 'run-2')],
  ])
  const report = { ...reportOf(lab)!, running: true }
  message(other, report)
  message(windowWith([]), report)
  message(other, report, 'https://elsewhere.test')
  for (const foreign of ['text of another script', null]) message(other, foreign)
  message(other, { kind: 'hold', on: true })
  expect(received).toEqual([report])
  expect(holds).toEqual([true])
  end()
  message(other, report)
  vi.advanceTimersByTime(1000)
  expect([received.length, sent.length]).toEqual([1, 2])
  holdOther(other, false)
  expect(sent.at(-1)).toEqual([origin, { kind: 'hold', on: false }])
})

test('the second run stops where the first one stops, also before its first report', async () => {
  const { lab: first } = await started()
  const { lab: second, session } = await started()
  const stops: (number | null)[] = []
  session.stopAt = (steps) => void stops.push(steps)
  first.pace.stopAt(50_000)
  for (let i = 0; i < 2; i++) followStop(second, reportOf(first)!)
  expect([second.pace.stop, stops]).toEqual([50_000, [50_000]])
  first.pace.stopAt(null)
  followStop(second, reportOf(first)!)
  expect(second.pace.stop).toBeNull()

  const options = frameOptions('?module=single&threads=4', 2, 50_000)
  expect([options, stopInOptions(`?${options}`)]).toEqual(['module=single&threads=2&stop=50000', 50_000])
  expect(stopInOptions(`?${frameOptions('', 1, null)}`)).toBeNull()
  for (const text of ['x', '-1', '1.5', '']) expect(stopInOptions(`?stop=${text}`)).toBeNull()
})
