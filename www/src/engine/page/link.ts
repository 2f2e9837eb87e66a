// Connection to a worker: requests with responses, events, and termination.
import { SessionError } from './error'
import type { Family } from '../shared/family'
import type { Problem } from '../../protocol/types'
import type { PageMessage, ModuleName, RequestKind, Requests, WorkerMessage } from '../shared/messages'
import { plain } from './plain'

/** The subset of the interface `Worker` that a link uses. Tests replace it. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: MessageEvent) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** Messages that a worker sends without a request. */
export type Event = Exclude<WorkerMessage, { kind: 'response' | 'rejection' | 'pong' | 'broken' }>

/** The receiver of a link's events. */
export interface LinkListener {
  event(link: Link, event: Event): void
  /** Handles the failure of the worker. */
  broke(link: Link, problem: Problem): void
}

interface Waiting {
  resolve: (value: never) => void
  reject: (error: SessionError) => void
}

/** Time between two pings, in milliseconds. */
export const pingEvery = 5000
// Number of unanswered pings after which a worker counts as failed.
const maxMissedPings = 12

export class Link {
  /** Time when the worker was created. */
  readonly born = performance.now()
  /** Pings since the last message of the worker. */
  #pings = 0
  #clock: ReturnType<typeof setInterval>
  #worker: WorkerLike
  #panics: BroadcastChannel
  #listener: LinkListener
  #waiting = new Map<number, Waiting>()
  #nextId = 1
  #ended: Problem | null = null

  constructor(worker: WorkerLike, listener: LinkListener) {
    this.#worker = worker
    this.#listener = listener
    worker.onmessage = (event) => this.#receive(event.data as WorkerMessage)
    worker.onerror = (event) => {
      event.preventDefault()
      listener.broke(this, { message: event.message || 'The worker could not be loaded.', hint: '' })
    }
    // One channel for each worker, so that late messages of a terminated worker do not reach the next one.
    this.#panics = new BroadcastChannel(`vivarium-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`)
    this.#clock = setInterval(() => this.#ping(), pingEvery)
    this.#panics.onmessage = (event) => listener.broke(this, { message: String(event.data), hint: '' })
  }

  /** Starts a module. The worker loads the module itself unless the page has `compiled` it. */
  async boot(
    family: Family,
    module: ModuleName,
    threads: number,
    compiled: Promise<WebAssembly.Module | null> | null = null,
  ): Promise<Requests['boot']['result']> {
    // The worker starts its threads and loads the scripts of the module while it is compiled.
    if (compiled) this.send({ kind: 'load', family, module, threads })
    const panics = this.#panics.name
    return this.ask('boot', { family, module, threads, panics, compiled: compiled && (await compiled) })
  }

  ask<K extends RequestKind>(kind: K, args: Requests[K]['args']): Promise<Requests[K]['result']> {
    if (this.#ended) return Promise.reject(new SessionError(this.#ended))
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.send({ kind, id, args: plain(args) } as PageMessage)
    })
  }

  send(message: PageMessage): void {
    if (!this.#ended) this.#worker.postMessage(message)
  }

  /**
   * Sends a ping, also while the worker starts. Browsers do not report workers that they terminate for lack of memory, and
   * sometimes never start one. Counting pings instead of time tolerates suspended machines.
   */
  #ping(): void {
    if (this.#pings++ < maxMissedPings) this.send({ kind: 'ping' })
    else this.#listener.broke(this, { message: 'The worker does not respond.', hint: '' })
  }

  /** Terminates the worker; pending requests reject with this problem. */
  end(problem: Problem): void {
    if (this.#ended) return
    this.#ended = problem
    clearInterval(this.#clock)
    this.#worker.terminate()
    this.#panics.close()
    for (const waiting of this.#waiting.values()) waiting.reject(new SessionError(problem))
    this.#waiting.clear()
  }

  #receive(up: WorkerMessage): void {
    if (this.#ended) return
    this.#pings = 0
    switch (up.kind) {
      case 'pong':
        return
      case 'response':
      case 'rejection': {
        const waiting = this.#waiting.get(up.id)
        this.#waiting.delete(up.id)
        if (up.kind === 'response') waiting?.resolve(up.value as never)
        else waiting?.reject(new SessionError(up.problem))
        break
      }
      case 'broken':
        return this.#listener.broke(this, up.problem)
      default:
        return this.#listener.event(this, up)
    }
  }
}
