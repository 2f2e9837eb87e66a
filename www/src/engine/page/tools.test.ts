import { describe, expect, test } from 'vitest'
import type { ToolMessage, ToolRequest } from '../shared/tools'
import { SessionError, StartError } from './error'
import { ToolClient, type ToolPhase } from './tools'

/** A worker that the test controls. */
class FakeWorker {
  onmessage: ((event: MessageEvent) => void) | null = null
  onerror: ((event: ErrorEvent) => void) | null = null
  requests: ToolRequest[] = []
  terminated = false
  postMessage(request: unknown): void {
    this.requests.push(request as ToolRequest)
  }
  terminate(): void {
    this.terminated = true
  }
  send(message: ToolMessage): void {
    this.onmessage!({ data: message } as MessageEvent)
  }
}

function setup() {
  const workers: FakeWorker[] = []
  const client = new ToolClient(() => {
    workers.push(new FakeWorker())
    return workers.at(-1)!
  })
  const phases: ToolPhase[] = []
  const checkpoint = Uint8Array.of(1)
  const ask = () => client.ask('onnx', { checkpoint }, (phase) => phases.push(phase))
  return { workers, ask, phases }
}

const offline = { message: 'not loaded', hint: 'Try again.' }

describe('the client of the tools', () => {
  test('starts a worker at the first request only, and reports the phases', async () => {
    const { workers, ask, phases } = setup()
    expect(workers).toEqual([])
    const asked = ask()
    const [worker] = workers
    expect(phases).toEqual(['loading'])
    worker!.send({ kind: 'loaded' })
    expect(phases).toEqual(['loading', 'running'])
    worker!.send({ kind: 'response', id: worker!.requests[0]!.id, value: Uint8Array.of(7) })
    expect(await asked).toEqual(Uint8Array.of(7))
    const again = ask()
    expect(phases.at(-1)).toBe('running')
    worker!.send({ kind: 'response', id: worker!.requests[1]!.id, value: Uint8Array.of(8) })
    expect(await again).toEqual(Uint8Array.of(8))
    expect(workers.length).toBe(1)
  })

  test('a rejection keeps the worker', async () => {
    const { workers, ask } = setup()
    const asked = ask()
    workers[0]!.send({ kind: 'loaded' })
    workers[0]!.send({ kind: 'rejection', id: workers[0]!.requests[0]!.id, problem: offline })
    await expect(asked).rejects.toThrow('not loaded')
    void ask()
    expect([workers.length, workers[0]!.terminated]).toEqual([1, false])
  })

  test('a module that was not loaded is loaded again at the next request', async () => {
    const { workers, ask, phases } = setup()
    const asked = ask()
    workers[0]!.send({ kind: 'broken', problem: offline })
    await expect(asked).rejects.toBeInstanceOf(StartError)
    expect(workers[0]!.terminated).toBe(true)
    const again = ask()
    expect(phases).toEqual(['loading', 'loading'])
    workers[1]!.send({ kind: 'loaded' })
    workers[1]!.send({ kind: 'response', id: workers[1]!.requests[0]!.id, value: Uint8Array.of(7) })
    expect(await again).toEqual(Uint8Array.of(7))
  })

  test('a failure of the loaded module rejects all requests, and is no failure to start', async () => {
    const { workers, ask } = setup()
    const asked = [ask(), ask()]
    workers[0]!.send({ kind: 'loaded' })
    workers[0]!.send({ kind: 'broken', problem: offline })
    for (const request of asked) {
      const error: unknown = await request.catch((error: unknown) => error)
      expect(error).toBeInstanceOf(SessionError)
      expect(error).not.toBeInstanceOf(StartError)
    }
  })

  test('a worker script that was not loaded is a failure to start', async () => {
    const { workers, ask } = setup()
    const asked = ask()
    workers[0]!.onerror!({ message: '', preventDefault() {} } as ErrorEvent)
    await expect(asked).rejects.toBeInstanceOf(StartError)
  })
})
