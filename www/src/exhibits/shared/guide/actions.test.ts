import { afterEach, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../../tests/fixtures/fake-session'
import { Lab } from '../../../state/lab.svelte'
import { perform } from './actions'

/** Controls of a panel, which the page renders some time after projector mode shows the panel. */
const panel = new Map<string, { click: () => void }>()
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
afterEach(() => vi.unstubAllGlobals())

test('an optional click waits for the panel of projector mode, as the other actions do', async () => {
  const steer = { restart: async () => {}, remember: () => {} }
  const done = await perform(
    [
      { kind: 'click', element: 'optional', optional: true },
      { kind: 'click', element: 'needed' },
    ],
    new Lab(async () => new FakeSession()),
    steer,
    () => false,
  )
  expect(done).toBe(true)
  expect(clicked).toEqual(['optional', 'needed'])
})
