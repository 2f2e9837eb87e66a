/** Worker that writes files for browsers without `createWritable`: Safari before version 26. */
import { writeSynchronously, type WriteRequest, type WriteResponse } from './sync-write'

// One after another: a file has at most one access handle.
let writing: Promise<void> = Promise.resolve()

self.onmessage = ({ data }: MessageEvent<WriteRequest>) => {
  writing = writing.then(() => write(data))
}

async function write(request: WriteRequest): Promise<void> {
  let problem: WriteResponse['problem'] = null
  try {
    await writeSynchronously(await navigator.storage.getDirectory(), request)
  } catch (error) {
    const { name, message } = error as Error
    problem = { name, message }
  }
  self.postMessage({ id: request.id, problem } satisfies WriteResponse)
}
