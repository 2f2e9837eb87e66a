import { afterAll, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../../tests/fixtures/fake-session'
import { Lab } from '../../../state/lab.svelte'
import { perform } from './actions'
import type { Action } from './guide'

/** Controls of a panel, which the page renders some time after projector mode shows the panel. */
const panel = new Map<string, { click: () => void; dataset?: Record<string, string> }>()
const clicked: string[] = []
const render = () => {
  for (const id of ['optional', 'needed']) panel.set(id, { click: () => clicked.push(id) })
}

// The address needs a window.
vi.mock('../../../state/address.svelte', () => ({
  address: { fitted: true, page: 'cartpole', showPanel: () => setTimeout(render) },
}))
vi.stubGlobal('CSS', { escape: (text: string) => text })
vi.stubGlobal('document', {
  querySelector: (selector: string) => panel.get(/"(.*)"/.exec(selector)![1]!) ?? null,
})
afterAll(() => vi.unstubAllGlobals())

const steer = { restart: async () => {}, remember: () => {} }
const performAll = (actions: readonly Action[]) =>
  perform(actions, new Lab(async () => new FakeSession()), steer, () => false)

test('an optional click waits for the panel of projector mode, as the other actions do', async () => {
  const done = await performAll([
    { kind: 'click', element: 'optional', optional: true },
    { kind: 'click', element: 'needed' },
  ])
  expect(done).toBe(true)
  expect(clicked).toEqual(['optional', 'needed'])
})

test('an action waits until a figure has the value', async () => {
  const dataset: Record<string, string> = {}
  const seen: unknown[] = []
  panel.set('board', { click: () => {}, dataset })
  panel.set('damage', { click: () => seen.push(dataset.step) })
  const done = performAll([
    { kind: 'reach', figure: { element: 'board', attribute: 'step' }, value: 60 },
    { kind: 'click', element: 'damage' },
  ])
  for (const step of ['', '59', '61']) {
    await new Promise((next) => setTimeout(next))
    expect(seen).toEqual([])
    dataset.step = step
  }
  expect(await done).toBe(true)
  expect(seen).toEqual(['61'])
})

test('a command is sent to the session', async () => {
  const session = new FakeSession()
  const lab = new Lab(async () => session)
  await lab.start()
  const command = { kind: 'apply', turns: 'R', by: 'scramble' } as const
  const send = vi.spyOn(session, 'command').mockResolvedValue(null as never)
  expect(await perform([{ kind: 'command', command }], lab, steer, () => false)).toBe(true)
  expect(send).toHaveBeenCalledExactlyOnceWith(command)
  lab.dispose()
})
