import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ModuleAnnouncement } from '../shared/messages'
import { installPoolHook, poolTimeLimit, prepareThreads, type ThreadStart } from './pool'
import { startWorkers } from './pool-hook'

/** A thread whose messages and errors the test triggers. */
class FakeThread {
  static all: FakeThread[] = []
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: ((event: object) => void) | null = null
  start: ThreadStart | ModuleAnnouncement | null = null
  constructor() {
    FakeThread.all.push(this)
  }
  postMessage(start: ThreadStart | ModuleAnnouncement) {
    this.start = start
  }
}

beforeEach(() => {
  FakeThread.all = []
  vi.useFakeTimers()
  vi.stubGlobal('Worker', FakeThread)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function starting(numThreads = 3) {
  installPoolHook({ family: 'control', name: 'threads-relaxed' })
  const builder = { numThreads: () => numThreads, receiver: () => 64, build: vi.fn() }
  const started = startWorkers({} as WebAssembly.Module, {} as WebAssembly.Memory, builder)
  return { started, builder }
}

it('builds the pool once all threads have loaded the module', async () => {
  const { started, builder } = starting()
  const [first, ...rest] = FakeThread.all
  expect(first!.start).toMatchObject({
    kind: 'thread',
    family: 'control',
    name: 'threads-relaxed',
    receiver: 64,
  })
  for (const thread of rest) thread.onmessage!({ data: 'ready' })
  await vi.advanceTimersByTimeAsync(poolTimeLimit - 1)
  expect(builder.build).not.toHaveBeenCalled()
  first!.onmessage!({ data: 'ready' })
  await started
  expect(builder.build).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})

it('fails if a thread never starts', async () => {
  const { started, builder } = starting()
  for (const thread of FakeThread.all.slice(1)) thread.onmessage!({ data: 'ready' })
  const failure = expect(started).rejects.toThrow('did not start within 10 s')
  await vi.advanceTimersByTimeAsync(poolTimeLimit)
  await failure
  expect(builder.build).not.toHaveBeenCalled()
})

it('reports the error of a thread at once', async () => {
  const { started } = starting()
  FakeThread.all[1]!.onmessage!({ data: 'RangeError: out of memory' })
  await expect(started).rejects.toThrow('A thread did not start: RangeError: out of memory')
  const other = starting(1)
  FakeThread.all.at(-1)!.onerror!({ message: 'blocked', preventDefault: () => {} })
  await expect(other.started).rejects.toThrow('A thread could not be loaded: blocked')
})

it('uses threads that were started before the module was compiled', async () => {
  prepareThreads(2, { kind: 'load', family: 'control', module: 'threads-relaxed', threads: 2 })
  const early = [...FakeThread.all]
  expect(early.map(({ start }) => start)).toMatchObject([
    { kind: 'load', threads: 1 },
    { kind: 'load', threads: 1 },
  ])
  const { started, builder } = starting()
  expect(FakeThread.all).toHaveLength(3)
  for (const thread of FakeThread.all) {
    expect(thread.start!.kind).toBe('thread')
    thread.onmessage!({ data: 'ready' })
  }
  await started
  expect(builder.build).toHaveBeenCalledOnce()

  // If a prepared thread could not be loaded, the start of the pool fails.
  prepareThreads(1, { kind: 'load', family: 'control', module: 'threads-relaxed', threads: 1 })
  FakeThread.all.at(-1)!.onerror!({ message: 'blocked', preventDefault: () => {} })
  await expect(starting(1).started).rejects.toThrow('A thread could not be loaded: blocked')
})
