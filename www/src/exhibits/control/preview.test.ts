import { expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../tests/fixtures/fake-session'
import type { Config } from '../../state/config'
import { Lab } from '../../state/lab.svelte'
import { membersIn, previewOf, previewText } from './preview'

let session: FakeSession

vi.mock('../../engine/page/start', () => ({
  startSession: async () => session,
}))

/** Returns a preview of a new run, and the list of the session's further requests. */
async function opened() {
  session = new FakeSession()
  const lab = new Lab()
  const preview = previewOf(lab)
  await lab.start()
  const cartpole = lab.experiments.find((e) => e.name === 'cartpole')!
  await lab.create('cartpole', cartpole.defaults as Config, 7)
  const view = vi.spyOn(session, 'view')
  view.mockClear()
  /**
   * Returns the number of environments and the size of the heat map in each request; null for a request without a heat
   * map.
   */
  const asked = () =>
    view.mock.calls.map(([view]) => view?.kind === 'control' && [view.members, view.map?.size ?? 0])
  return { lab, preview, asked }
}

const request = (members: number) => ({
  members,
  focus: 0,
  map: { x: 0, y: 1, size: 8, actions: false },
})

test('the preview withdraws its request, with heat maps and without', async () => {
  const { lab, preview, asked } = await opened()
  lab.pace.act(false)
  preview.view(request(4))()
  expect(asked()).toEqual([[4, 8], false])
  vi.useFakeTimers()
  void lab.play()
  const withdraw = preview.view(request(5))
  expect(asked().slice(2)).toEqual([
    [5, 8],
    [5, 0],
  ])
  withdraw()
  vi.advanceTimersByTime(1000)
  expect(asked().slice(4)).toEqual([false])
  lab.pause()
  vi.useRealTimers()
})

test('an earlier component does not withdraw the request of a later one', async () => {
  const { lab, preview, asked } = await opened()
  lab.pace.act(false)
  const withdraw = preview.view(request(4))
  preview.view(request(5))
  withdraw()
  expect(asked()).toEqual([
    [4, 8],
    [5, 8],
  ])
})

test('maps are requested at intervals while the policy learns or acts, and otherwise once', async () => {
  const { lab, preview, asked } = await opened()
  lab.pace.act(false)
  preview.view(request(4))
  const [withMap, without] = [
    [4, 8],
    [4, 0],
  ]
  expect(asked()).toEqual([withMap])
  expect(preview.map?.size).toBe(8)
  vi.useFakeTimers()
  void lab.play()
  preview.view(request(4))
  expect(asked()).toEqual([withMap, withMap, without])
  expect(preview.frame?.map).toBeNull()
  expect(preview.map?.size).toBe(8)
  vi.advanceTimersByTime(120)
  expect(asked().slice(0, 5)).toEqual([withMap, withMap, without, withMap, without])
  lab.pause()
  vi.useRealTimers()
})

test('a preview without a width is requested in projector mode, whose panels hide the box of the exhibit', () => {
  expect(membersIn(0, false)).toBeNull()
  expect(membersIn(0, true)).toBe(256)
  expect([membersIn(719, true), membersIn(720, false)]).toEqual([120, 256])
})

test('the text of the preview has the mean return of the running episodes', () => {
  expect(previewText({ members: 4, returns: Float32Array.of(1, 0.5, 0, 0.5) })).toBe(
    'Preview of 4 environments; on a scale from the worst return (0 %) to a solved episode (100 %), ' +
      'their running episodes are at 50 % on average.',
  )
  expect(previewText(null)).toBe('Preview of the environments.')
})
