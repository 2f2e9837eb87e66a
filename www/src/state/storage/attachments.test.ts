import { describe, expect, test, vi } from 'vitest'
import { freshDisks } from '../../../../tests/fixtures/file-system'
import { listed, tabs, type Started } from '../../../../tests/fixtures/tabs'

const started = vi.hoisted((): Started => ({ session: null }))

vi.mock('../../engine/page/start', () => ({
  startSession: async () => started.session,
}))

const tab = tabs(started)
freshDisks()

describe('user files of a run', () => {
  const file = (name: string, content: string) => {
    const bytes = new TextEncoder().encode(content)
    return { name, size: bytes.length, arrayBuffer: async () => bytes.slice().buffer }
  }
  const book = {
    name: 'book',
    files: [file('1.txt', 'The night '), file('2.txt', ''), file('3.txt', 'was long.')],
  }
  const contents = async (here: Awaited<ReturnType<typeof tab>>) => {
    const attached = here.runs.attached()
    if (!attached) return null
    const parts = attached.files.map(async ({ name, arrayBuffer }) => [
      name,
      new TextDecoder().decode(await arrayBuffer()),
    ])
    return [attached.name, ...(await Promise.all(parts))]
  }
  const all = ['book', ['1.txt', 'The night '], ['2.txt', ''], ['3.txt', 'was long.']]

  test('are restored with the run and with a copy of it', async () => {
    const first = await tab()
    first.runs.attach(book)
    first.learn(2)
    expect(await first.runs.saveNow()).toBe(true)
    expect(first.runs.attachment).toBe('saved')
    const { id, size } = first.runs.list[0]!
    await first.begin('mountain-car')
    expect([first.runs.attachment, first.runs.attached()]).toEqual([null, null])

    const second = await tab('pendulum')
    expect(await second.runs.resume(id)).toBe(true)
    expect(await contents(second)).toEqual(all)
    expect(second.runs.attachment).toBe('saved')
    expect(second.runs.list.find((run) => run.id === id)?.size).toBe(size)
    const third = await tab('pendulum')
    expect(await third.runs.resume(id)).toBe(true)
    third.runs.markSeen()
    third.learn(1)
    await third.runs.saveNow()
    await second.runs.delete(second.runs.list.find((run) => run.id === id)!)
    expect(await contents(third)).toEqual(all)
    const fourth = await tab('pendulum')
    await third.begin('mountain-car')
    expect(await fourth.runs.resume(third.runs.list[0]!.id)).toBe(true)
    expect(await contents(fourth)).toEqual(all)
  })

  test('are restored when a deletion is undone', async () => {
    const here = await tab()
    here.runs.attach(book)
    here.learn(2)
    await here.runs.saveNow()
    await here.begin('pendulum')
    await vi.waitFor(async () => expect(await listed(here)).toHaveLength(1))
    const [run] = here.runs.list
    await here.runs.delete(run!)
    here.toasts.list[0]!.action!.run()
    await vi.waitFor(() => expect(here.runs.list).toHaveLength(1))
    await here.runs.refresh()
    expect(here.runs.list[0]!.size).toBe(run!.size)
    expect(await here.runs.resume(run!.id)).toBe(true)
    expect(await contents(here)).toEqual(all)
  })

  test('are not saved if too large or storage is full, which is reported', async () => {
    const here = await tab()
    const { maxAttachmentBytes } = await import('./runs.svelte')
    here.runs.attach({ name: 'all', files: [{ ...file('all.txt', ''), size: maxAttachmentBytes + 1 }] })
    here.learn(2)
    await here.runs.saveNow()
    expect([here.runs.attachment, here.runs.attached()]).toEqual(['too large', null])
    here.runs.attach({
      name: 'book',
      files: [
        {
          name: '1.txt',
          size: 3,
          arrayBuffer: () => Promise.reject(new DOMException('', 'QuotaExceededError')),
        },
      ],
    })
    here.learn(2)
    expect(await here.runs.saveNow()).toBe(true)
    expect([here.runs.attachment, here.runs.attached()]).toEqual(['storage full', null])
    expect(await listed(here)).toEqual([4 * 4096])
  })
})
