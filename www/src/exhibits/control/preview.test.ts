import { expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../tests/fixtures/fake-session'
import type { Config } from '../../state/config'
import { Lab } from '../../state/lab.svelte'
import { previewOf } from './preview'

const session = new FakeSession()

vi.mock('../../engine/page/start', () => ({
  startSession: async () => session,
}))

test('maps are requested at intervals while the policy learns or acts, and otherwise once', async () => {
  const lab = new Lab()
  const preview = previewOf(lab)
  await lab.start()
  const cartpole = lab.experiments.find((e) => e.name === 'cartpole')!
  await lab.create('cartpole', cartpole.defaults as Config, 7)
  const asked: boolean[] = []
  const view = session.view.bind(session)
  session.view = (request) => {
    asked.push(request?.kind === 'control' && request.map !== null)
    view(request)
  }
  lab.pace.act(false)
  const request = { members: 4, focus: 0, map: { x: 0, y: 1, size: 8, actions: false } }
  preview.view(request)
  expect(asked).toEqual([true])
  expect(preview.map?.size).toBe(8)
  vi.useFakeTimers()
  void lab.play()
  preview.view(request)
  expect(asked).toEqual([true, true, false])
  expect(preview.frame?.map).toBeNull()
  expect(preview.map?.size).toBe(8)
  vi.advanceTimersByTime(120)
  expect(asked.slice(0, 5)).toEqual([true, true, false, true, false])
  lab.pause()
  vi.useRealTimers()
})
