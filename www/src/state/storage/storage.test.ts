import { describe, expect, test, vi } from 'vitest'
import { checkpointOf } from '../../../../tests/fixtures/checkpoint'
import { freshDisks } from '../../../../tests/fixtures/file-system'
import { listed, tabs, type Started } from '../../../../tests/fixtures/tabs'
import { set, type Config } from '../config'
import type { Run } from './store'

const started = vi.hoisted((): Started => ({ session: null }))
const saved = freshDisks()

vi.mock('../../engine/page/start', () => ({
  startSession: async () => started.session,
}))

const tab = tabs(started)

/** Simulates `seconds` of training. */
function seconds(lab: { play: () => unknown; pause: () => void }, count: number): void {
  void lab.play()
  vi.advanceTimersByTime(1000 * count)
  lab.pause()
}

/** Opens a tab that trains for `rows` metric rows and then opens another exhibit, so that the run is saved. */
async function leaves(rows: number) {
  const here = await tab()
  here.learn(rows)
  await here.runs.saveNow()
  await here.begin('pendulum')
  await vi.waitFor(async () => expect(await listed(here)).toHaveLength(1))
  return here
}

describe('a run', () => {
  test('continues in another tab with its curves', async () => {
    const first = await tab()
    first.learn(40)
    first.session.report([{ steps: first.lab.progress.steps, values: [['return_mean', 480]] }])
    const { steps } = first.lab.progress
    const { solved, latest } = first.lab
    expect(solved).not.toBeNull()
    const curve = [...first.lab.history.column('return_mean')]
    expect(await first.runs.saveNow()).toBe(true)
    const address = first.runs.list[0]!.address

    const second = await tab('pendulum')
    // The first tab still shows the run.
    expect(await second.runs.find(address)).toBeNull()
    await first.begin('mountain-car')
    const found = await second.runs.find(address)
    expect(found).toMatchObject({
      experiment: 'cartpole',
      steps,
      result: 'mean return 480',
      preset: 'default',
    })
    expect(found!.curve.length).toBeGreaterThan(10)
    expect(await second.runs.resume(found!.id)).toBe(true)
    expect([second.lab.info?.name, second.lab.progress.steps, second.lab.fromFile]).toEqual([
      'cartpole',
      steps,
      true,
    ])
    expect(second.lab.history.column('return_mean')).toEqual(curve)
    expect([second.lab.solved, second.lab.latest]).toEqual([solved, latest])
    expect(second.runs.current).toBe(found!.id)
  })

  test('that another tab shows is copied, and neither overwrites the other', async () => {
    const first = await tab()
    first.learn(3)
    await first.runs.saveNow()
    const { id } = first.runs.list[0]!

    const second = await tab('pendulum')
    expect(await second.runs.resume(id)).toBe(true)
    expect(second.runs.current).not.toBe(id)
    second.runs.markSeen()
    second.learn(2)
    await second.runs.saveNow()
    first.learn(7)
    await first.runs.saveNow()
    expect(await listed(second)).toEqual([10 * 4096, 5 * 4096])
  })

  test('that is replaced is saved, and restored by the message', async () => {
    const { lab, runs, toasts, begin, defaultsOf } = await tab()
    seconds(lab, 31)
    const { steps } = lab.progress
    expect(steps).toBeGreaterThan(0)
    await begin('cartpole', set(defaultsOf('cartpole'), 'world.gravity', 3), 8)
    await vi.waitFor(() =>
      expect(toasts.list.at(-1)?.message).toMatch(/^Previous run saved: CartPole, .* steps\.$/),
    )
    toasts.list.at(-1)!.action!.run()
    await vi.waitFor(() => expect(lab.progress.steps).toBe(steps))
    expect(lab.seed).toBe(1)
    expect(runs.list).toHaveLength(1)
  })

  test('that is replaced is stored without a setting that no step has used, although it was saved with this setting', async () => {
    const { lab, runs, begin, defaultsOf } = await tab()
    seconds(lab, 31)
    const replaced = vi.fn()
    lab.onstored = replaced
    await lab.setLive('ppo.learning_rate', 0.0005)
    await runs.saveNow()
    await begin('cartpole', lab.config, 2)
    await vi.waitFor(() => expect(runs.list[0]).toMatchObject({ seed: 1, changes: [] }))
    expect(runs.list[0]!.preset).toBe('default')
    expect(replaced.mock.calls).toMatchObject([
      [{ id: runs.list[0]!.id, config: defaultsOf('cartpole'), changes: [] }],
    ])
  })

  test('that is replaced stays in its comparison if it was saved before', async () => {
    const { lab, runs, begin, defaultsOf } = await tab()
    seconds(lab, 31)
    await runs.saveNow()
    const replaced = vi.fn()
    lab.onstored = replaced
    await begin('cartpole', defaultsOf('cartpole'), 2)
    await vi.waitFor(() => expect(runs.list).toHaveLength(1))
    expect(replaced.mock.calls).toMatchObject([[{ id: runs.list[0]!.id, seed: 1 }]])
  })

  test('of a demonstration is saved when replaced, without a message', async () => {
    const here = await tab()
    here.runs.markSeen(true)
    const offer = vi.spyOn(here.toasts, 'offer')
    seconds(here.lab, 31)
    const address = here.lab.addressOf('cartpole')
    await here.begin('cartpole', here.defaultsOf('cartpole'), 2)
    // It can be found once it is saved and released.
    await vi.waitFor(async () => expect(await here.runs.find(address)).not.toBeNull())
    expect(offer).not.toHaveBeenCalled()
  })

  test('that a guide trains counts these steps apart until the visitor trains it', async () => {
    const here = await tab()
    here.runs.markSeen(true)
    here.learn(3)
    await here.runs.saveNow()
    const [{ id, steps, guideSteps }] = here.runs.list as [Run]
    expect([steps > 0, guideSteps]).toEqual([true, steps])
    // The guide is closed, and the run is restored later.
    here.runs.markSeen()
    await here.begin('pendulum')
    await vi.waitFor(async () => expect(await here.runs.find(here.runs.list[0]!.address)).not.toBeNull())
    expect(await here.runs.resume(id)).toBe(true)
    here.runs.markSeen()
    here.learn(2)
    await here.runs.saveNow()
    const after = () => here.runs.list.find((run) => run.id === id)!
    expect(after().steps).toBeGreaterThan(steps)
    expect(after().guideSteps).toBe(steps)
    // A guide that is opened later changes nothing.
    here.runs.markSeen(true)
    here.learn(2)
    await here.runs.saveNow()
    expect(after().guideSteps).toBe(steps)
  })

  test('of a few seconds is dropped when replaced in its exhibit, and saved otherwise', async () => {
    const here = await tab()
    seconds(here.lab, 5)
    expect(await here.runs.saveNow()).toBe(true)
    expect(await listed(here)).toHaveLength(1)
    await here.begin('cartpole', here.defaultsOf('cartpole'), 2)
    await vi.waitFor(async () => expect(await listed(here)).toEqual([]))
    seconds(here.lab, 5)
    const address = here.lab.addressOf('cartpole')
    await here.begin('pendulum')
    await vi.waitFor(async () => expect(await listed(here)).toHaveLength(1))
    expect(here.lab.addressOf('cartpole')).toBe(address)
    expect((await here.runs.find(address))?.seed).toBe(2)
    expect(here.toasts.list).toEqual([])
  })

  test('that was solved within seconds is saved', async () => {
    const here = await tab()
    here.session.report([{ steps: 4096, values: [['return_mean', 480]] }])
    here.learn(1)
    expect(here.lab.solved).not.toBeNull()
    await here.begin('cartpole', here.defaultsOf('cartpole'), 2)
    await vi.waitFor(() => expect(here.toasts.list.at(-1)?.message).toMatch(/^Previous run saved: /))
  })

  test('is saved when the page is about to be reloaded', async () => {
    const heard = vi.fn()
    vi.stubGlobal('addEventListener', heard)
    const here = await tab()
    here.learn(3)
    const [, leaving] = heard.mock.calls.find(([name]) => name === 'beforeunload') as [string, () => void]
    leaving()
    await vi.waitFor(async () => expect(await listed(here)).toEqual([3 * 4096]))
  })

  test('that was replaced is not offered on another page', async () => {
    const here = await tab()
    seconds(here.lab, 31)
    await here.runs.saveNow()
    const { id, address } = here.runs.list[0]!
    const replaced = here.lab.create('cartpole', here.defaultsOf('cartpole'), 2)
    // The visitor leaves before the run is released.
    here.lab.exhibit = 'pendulum'
    await replaced
    await vi.waitFor(async () => expect(await here.runs.find(address)).toMatchObject({ id }))
    expect(here.toasts.list).toEqual([])
  })

  test('of a file is saved when opened', async () => {
    const here = await tab()
    here.learn(3)
    const file = await here.session.save()
    await here.begin('pendulum')
    here.lab.exhibit = 'cartpole'
    expect(await here.lab.open(file, 'cartpole.safetensors')).toBe(true)
    here.runs.markSeen()
    await vi.advanceTimersByTimeAsync(1500)
    await vi.waitFor(async () => expect(await listed(here)).toContain(3 * 4096))
    expect(here.runs.list.some(({ id }) => id === here.runs.current)).toBe(true)
  })

  test('that opened a trained model is saved without a step of training', async () => {
    const here = await tab()
    await here.runs.saveNow()
    expect(await listed(here), 'a new run').toEqual([])
    const progress = { steps: 0, updates: 0, episodes: 0, total_steps: null }
    here.session.open = async () => ({ name: 'cartpole', config: here.lab.config, seed: 1, progress })
    expect(await here.lab.open(checkpointOf({ steps: 5000 }), 'weights.safetensors')).toBe(true)
    here.runs.markSeen()
    await here.runs.saveNow()
    expect(await listed(here)).toEqual([0])
  })

  test('that was shown last is restored, of those with one address', async () => {
    const here = await tab()
    here.learn(3)
    here.lab.mark('played')
    await here.runs.saveNow()
    const { id, address } = here.runs.list[0]!
    vi.advanceTimersByTime(10)
    await here.begin('cartpole')
    here.learn(5)
    here.lab.mark('played')
    await here.runs.saveNow()
    vi.advanceTimersByTime(10)
    expect(await here.runs.resume(id)).toBe(true)
    await here.begin('pendulum')
    expect((await here.runs.find(address))?.id).toBe(id)
  })

  test('that further seeds were trained for stays after a moment of training, unlike others', async () => {
    const here = await tab()
    here.learn(1)
    await here.begin('cartpole', here.defaultsOf('cartpole'), 2)
    here.learn(1)
    here.lab.mark('compared')
    await here.begin('cartpole', here.defaultsOf('cartpole'), 3)
    await vi.waitFor(async () => expect(await listed(here)).toHaveLength(1))
    expect(here.runs.list.map(({ seed }) => seed)).toEqual([2])
  })

  test('that is being restored is not current yet', async () => {
    const here = await leaves(3)
    const reading = here.runs.resume(here.runs.list[0]!.id)
    await here.lab.settled()
    expect(here.lab.info?.name).toBe('cartpole')
    expect(await reading).toBe(true)
  })

  test('is saved after an action at its table, without training', async () => {
    const here = await tab()
    const { Commands } = await import('../session-commands')
    const commands = new Commands(here.lab)
    await commands.ask({ kind: 'stop_generating' })
    await here.runs.saveNow()
    expect(await listed(here)).toEqual([])
    await commands.ask({ kind: 'move', from: 1, to: 2 })
    await vi.advanceTimersByTimeAsync(1500)
    await vi.waitFor(async () => expect(await listed(here)).toEqual([0]))
  })

  test('of the home page is not saved', async () => {
    const here = await tab()
    here.lab.exhibit = null
    await here.lab.create('cartpole', here.defaultsOf('cartpole'), 5)
    here.learn(5)
    await here.runs.saveNow()
    await here.begin('pendulum')
    expect(await listed(here)).toEqual([])
  })

  test('is saved with each checkpoint, but not without changes', async () => {
    const here = await tab()
    here.learn(2)
    await vi.advanceTimersByTimeAsync(1000)
    here.session.copy()
    await vi.waitFor(async () => expect(await listed(here)).toEqual([8192]))
    const written = saved.disk.time
    await vi.advanceTimersByTimeAsync(1000)
    here.session.copy()
    await here.runs.saveNow()
    expect(saved.disk.time).toBe(written)
    here.learn(1)
    await vi.advanceTimersByTimeAsync(1000)
    here.session.copy()
    await vi.waitFor(async () => expect(await listed(here)).toEqual([12_288]))
  })
})

describe('saved runs', () => {
  test('are named, pinned and deleted, and a deletion is undone', async () => {
    const here = await leaves(2)
    await here.runs.rename(here.runs.list[0]!, 'The patient one')
    await here.runs.pin(here.runs.list[0]!, true)
    expect(here.runs.list[0]).toMatchObject({ title: 'The patient one', pinned: true, steps: 8192 })
    expect(here.runs.space?.persistent).toBe(true)
    await here.runs.delete(here.runs.list[0]!)
    expect(here.runs.list).toEqual([])
    expect(here.toasts.list[0]!.message).toBe('Deleted: The patient one after 8.19\u00a0k steps.')
    here.toasts.list[0]!.action!.run()
    await vi.waitFor(() => expect(here.runs.list[0]).toMatchObject({ title: 'The patient one', steps: 8192 }))
    expect(await here.runs.resume(here.runs.list[0]!.id)).toBe(true)
    // The run keeps its title while it trains.
    here.learn(1)
    here.runs.markSeen()
    await here.runs.saveNow()
    expect(here.runs.list[0]).toMatchObject({ title: 'The patient one', pinned: true, steps: 12_288 })
  })

  test('return by Undo to their place in the list', async () => {
    const here = await tab()
    for (const name of ['pendulum', 'mountain-car', 'cartpole']) {
      here.learn(2)
      await here.runs.saveNow()
      vi.advanceTimersByTime(60_000)
      await here.begin(name)
    }
    const before = here.runs.list
    expect(before.map(({ experiment }) => experiment)).toEqual(['mountain-car', 'pendulum', 'cartpole'])
    await here.runs.delete(before[1]!)
    here.toasts.list[0]!.action!.run()
    await vi.waitFor(() => expect(here.runs.list).toEqual(before))
  })

  test('import files of an earlier version once', async () => {
    const { default: experiments } = await import('../../protocol/experiments.json')
    const cartpole = experiments.find(({ name }) => name === 'cartpole')!
    const config = set(cartpole.defaults as Config, 'world.gravity', 3)
    const header = { experiment: 'cartpole', config, seed: 4, steps: 8192 }
    for (const folder of ['checkpoints', encodeURIComponent('vivarium:/checkpoints')]) {
      const old = await saved.disk.root.getDirectoryHandle(folder, { create: true })
      const file = async (name: string, content: Uint8Array<ArrayBuffer>) => {
        const writer = await (
          await old.getFileHandle(`${folder.length}-${name}`, { create: true })
        ).createWritable()
        await writer.write(content)
        await writer.close()
      }
      await file('cartpole-own.safetensors', checkpointOf(header))
      await file('unknown.safetensors', Uint8Array.of(1, 2, 3))
    }
    const here = await tab()
    await vi.waitFor(() => expect(here.runs.list).toHaveLength(4))
    const known = here.runs.list.filter(({ experiment }) => experiment === 'cartpole')
    expect(known).toHaveLength(2)
    const address = '#/cartpole?seed=4&world.gravity=3'
    expect(known[0]).toMatchObject({ address, seed: 4, steps: 8192, title: '', preset: '' })
    const other = here.runs.list.find(({ experiment }) => experiment === '')
    expect(other).toMatchObject({ title: expect.stringContaining('unknown.safetensors'), size: 3 })
    const left: string[] = []
    for await (const [name] of saved.disk.root.entries()) left.push(name)
    expect(left).toEqual([encodeURIComponent('vivarium:/runs')])
    expect((await here.runs.find(address))?.id).toBe(known[0]!.id)
  })

  test('are not changed by a tab while another shows them', async () => {
    const first = await tab()
    first.learn(2)
    await first.runs.saveNow()
    const second = await tab('pendulum')
    await second.runs.refresh()
    const [run] = second.runs.list
    expect([...second.runs.openElsewhere]).toEqual([run!.id])
    for (const change of [
      second.runs.rename(run!, 'x'),
      second.runs.pin(run!, true),
      second.runs.delete(run!),
    ])
      await expect(change).rejects.toThrow('another tab')
    expect(await listed(second)).toEqual([8192])
  })

  test('are limited in number: the oldest unpinned ones are deleted first', async () => {
    const here = await tab()
    const { maxSavedRuns } = await import('./runs.svelte')
    for (let seed = 2; seed < maxSavedRuns + 5; seed++) {
      here.learn(1)
      await here.runs.saveNow()
      if (seed === 2) await here.runs.pin(here.runs.list[0]!, true)
      here.lab.mark('played')
      await here.begin('cartpole', here.defaultsOf('cartpole'), seed)
    }
    await vi.waitFor(async () => expect(await listed(here)).toHaveLength(maxSavedRuns + 1))
    const seeds = here.runs.list.map(({ seed }) => seed)
    expect([Math.max(...seeds), Math.min(...seeds)]).toEqual([maxSavedRuns + 3, 1])
    expect(seeds).not.toContain(2)
  })

  test('stay if storage is full, which is reported once', async () => {
    const here = await tab()
    here.learn(2)
    expect(await here.runs.saveNow()).toBe(true)
    saved.disk.full = true
    for (let i = 0; i < 3; i++) {
      here.learn(1)
      await here.runs.saveNow()
    }
    expect(here.toasts.list.map(({ message }) => message)).toEqual([
      expect.stringContaining('storage is full'),
    ])
    expect(await listed(here)).toEqual([8192])
    saved.disk.full = false
    here.learn(1)
    await here.runs.saveNow()
    expect(await listed(here)).toEqual([6 * 4096])
  })

  test('are never incomplete', async () => {
    const here = await tab()
    saved.disk.full = true
    here.learn(2)
    expect(await here.runs.saveNow()).toBe(false)
    saved.disk.full = false
    const folder = await saved.disk.root.getDirectoryHandle(encodeURIComponent('vivarium:/runs'))
    const half = await folder.getDirectoryHandle('half', { create: true })
    await half.getFileHandle('checkpoint.safetensors', { create: true })
    expect(await listed(here)).toEqual([])
    expect((await folder.entries().next()).done).toBe(true)
  })

  test('have their snapshots if storage is full at the first save', async () => {
    const here = await tab()
    const bytes = checkpointOf({ experiment: 'cartpole', steps: 7 })
    await here.runs.snapshots().write(7, bytes)
    saved.disk.full = true
    here.learn(2)
    expect(await here.runs.saveNow()).toBe(false)
    expect(await listed(here)).toEqual([])
    expect(await here.runs.snapshots().list()).toEqual([7])
    expect(await here.runs.snapshots().read(7)).toEqual(bytes)
  })

  test('are none if the browser has no storage, silently', async () => {
    vi.stubGlobal('navigator', {})
    const here = await tab()
    here.learn(2)
    expect(await here.runs.saveNow()).toBe(false)
    expect([here.runs.available, here.runs.list, here.toasts.list]).toEqual([false, [], []])
    await here.begin('pendulum')
    expect(here.lab.info?.name).toBe('pendulum')
  })
})
