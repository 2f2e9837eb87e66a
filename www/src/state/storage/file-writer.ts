/** Client of the worker that writes files for browsers without `createWritable`. */
import type { WriteRequest, WriteResponse } from './sync-write'

/** Functions that settle the promises of the pending requests, by request id. */
const waiting = new Map<number, (problem: unknown) => void>()
let worker: Worker | null = null
let nextId = 1

function start(): Worker {
  const started = new Worker(new URL('./file-writer.worker.ts', import.meta.url), {
    type: 'module',
    name: 'vivarium-files',
  })
  started.onmessage = ({ data: { id, problem } }: MessageEvent<WriteResponse>) => {
    waiting.get(id)?.(problem && new DOMException(problem.message, problem.name))
    waiting.delete(id)
  }
  started.onerror = (event) => {
    event.preventDefault()
    for (const settle of waiting.values()) settle(new Error(`Files cannot be written: ${event.message}`))
    waiting.clear()
    worker = null
  }
  return started
}

/** Writes a file atomically in a worker. */
export async function writeInWorker(
  folder: FileSystemDirectoryHandle,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  // Safari cannot send handles to workers.
  const path = await (await navigator.storage.getDirectory()).resolve(folder)
  if (!path) throw new Error(`${name} is outside the storage of this page.`)
  worker ??= start()
  const request: WriteRequest = { id: nextId++, path, name, bytes }
  return new Promise((resolve, reject) => {
    waiting.set(request.id, (problem) => (problem ? reject(problem) : resolve()))
    worker!.postMessage(request)
  })
}
