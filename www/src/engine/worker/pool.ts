// Threads of a module with shared memory: nested workers that run rayon's thread loop. Differs from the script of
// wasm-bindgen-rayon: a thread loads only files that the training worker has already loaded, failures of a thread's start are
// reported, and the start has a time limit.
import { loadModule } from './modules'
import type { Family } from '../shared/family'
import type { ModuleAnnouncement, ModuleName } from '../shared/messages'

/** A thread's first message: the module, its memory, and the address of the channel from which rayon starts threads. */
export interface ThreadStart {
  kind: 'thread'
  family: Family
  name: ModuleName
  module: WebAssembly.Module
  memory: WebAssembly.Memory
  receiver: number
}

/** Interface of `wbg_rayon_PoolBuilder`, a class that wasm-bindgen-rayon exports. */
interface PoolBuilder {
  numThreads(): number
  receiver(): number
  build(): void
}

/** Milliseconds in which all threads must have loaded the module. Firefox sometimes never starts a nested worker. */
export const poolTimeLimit = 10_000

const ready = 'ready'

/**
 * The threads. Firefox terminates nested workers without a reference to them
 * (https://bugzilla.mozilla.org/show_bug.cgi?id=1702191).
 */
const threads: Worker[] = []

/** Global function of the worker, which `pool-hook.ts` calls. */
export interface PoolHook {
  startWorkers(module: WebAssembly.Module, memory: WebAssembly.Memory, builder: PoolBuilder): Promise<void>
}

/** Defines the global function that starts the threads of a module. The function rejects if a thread fails or is late. */
export function installPoolHook(source: Pick<ThreadStart, 'family' | 'name'>): void {
  const hook: PoolHook = {
    startWorkers: (module, memory, builder) => startWorkers({ ...source, module, memory }, builder),
  }
  Object.assign(globalThis, hook)
}

async function startWorkers(
  given: Pick<ThreadStart, 'family' | 'name' | 'module' | 'memory'>,
  builder: PoolBuilder,
): Promise<void> {
  const start: ThreadStart = { kind: 'thread', ...given, receiver: builder.receiver() }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`The thread pool did not start within ${poolTimeLimit / 1000} s.`)),
      poolTimeLimit,
    )
  })
  try {
    const started = Array.from({ length: builder.numThreads() }, () => startThread(start))
    await Promise.race([Promise.all(started), late])
  } finally {
    clearTimeout(timer)
  }
  builder.build()
}

interface Thread {
  worker: Worker
  started: Promise<void>
}

/** Threads that load the scripts of the module, and wait for the module. */
const prepared: Thread[] = []

/** Starts threads before the module is compiled. */
export function prepareThreads(count: number, announced: ModuleAnnouncement): void {
  while (prepared.length < count) {
    const thread = spawnThread()
    // The pool reports errors when it starts.
    thread.started.catch(() => {})
    thread.worker.postMessage({ ...announced, threads: 1 })
    prepared.push(thread)
  }
}

function startThread(start: ThreadStart): Promise<void> {
  const { worker, started } = prepared.pop() ?? spawnThread()
  worker.postMessage(start)
  return started
}

function spawnThread(): Thread {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'vivarium-thread',
  })
  threads.push(worker)
  const started = new Promise<void>((resolve, reject) => {
    worker.onmessage = ({ data }) =>
      data === ready ? resolve() : reject(new Error(`A thread did not start: ${data}`))
    worker.onerror = (event) => {
      event.preventDefault()
      reject(new Error(`A thread could not be loaded: ${event.message || 'unknown error'}`))
    }
  })
  return { worker, started }
}

/** Loads the module in a thread, and runs rayon's loop, which never returns. */
export async function runThread({ family, name, module, memory, receiver }: ThreadStart): Promise<void> {
  let loaded
  try {
    loaded = await loadModule(family, name)
    await loaded.default({ module_or_path: module, memory })
  } catch (error) {
    self.postMessage(String(error))
    return
  }
  self.postMessage(ready)
  loaded.wbg_rayon_start_worker!(receiver)
}
