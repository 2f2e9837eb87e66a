import { beforeEach, expect, test, vi } from 'vitest'
import { FakeSession } from '../../../../tests/fixtures/fake-session'
import type { Config } from '../../state/config'
import { Lab } from '../../state/lab.svelte'
import { openPretrained } from './open'

const page = vi.hoisted(() => ({ page: 'cartpole', push: () => {} }))
/** The pretrained network, whose download the test ends. */
const download = vi.hoisted(() => ({ end: (_: Uint8Array | null) => {} }))

vi.mock('../../state/address.svelte', () => ({ address: page }))
vi.mock('./networks', () => ({
  network: () => new Promise<Uint8Array | null>((end) => (download.end = end)),
  unreachable: { message: 'unreachable' },
}))

let lab: Lab
let session: FakeSession
beforeEach(async () => {
  page.page = 'cartpole'
  session = new FakeSession()
  lab = new Lab(async () => session)
  await lab.start()
  const { defaults } = lab.experiments.find(({ name }) => name === 'cartpole')!
  await lab.create('cartpole', defaults as Config, 1)
  await lab.play()
  session.open = async () => ({
    ...{ name: 'cartpole', config: lab.config, seed: 1 },
    progress: { ...lab.progress, steps: 0 },
  })
})

test('a pretrained network is opened paused', async () => {
  const opened = openPretrained(lab, 'cartpole')
  const { run } = lab
  expect(lab.running).toBe('running')
  download.end(Uint8Array.of(1))
  await opened
  expect([lab.run, lab.running]).toEqual([run + 1, 'paused'])
})

test('training continues if the network cannot be opened', async () => {
  session.open = async () => Promise.reject(new Error('damaged'))
  const opened = openPretrained(lab, 'cartpole')
  download.end(Uint8Array.of(1))
  await opened
  expect(lab.running).toBe('running')
})

test('training that is paused during the download stays paused', async () => {
  for (const end of [() => download.end(null), () => download.end(Uint8Array.of(1))]) {
    session.open = async () => Promise.reject(new Error('damaged'))
    await lab.play()
    const opened = openPretrained(lab, 'cartpole')
    lab.pause()
    end()
    await opened
    expect(lab.running).toBe('paused')
  }
})

test('nothing is opened after the visitor has left the exhibit', async () => {
  const opened = openPretrained(lab, 'cartpole')
  const { run } = lab
  page.page = ''
  download.end(Uint8Array.of(1))
  await opened
  expect([lab.run, lab.running]).toEqual([run, 'running'])
})
