// A worker as the page talks to it: requests with answers, and the end of it however it comes.
import { SessionError } from './error'
import type { Family } from '../shared/family'
import type { Problem } from '../../protocol/types'
import type { Down, ModuleName, RequestKind, Requests, Up } from '../shared/messages'
import { plain } from './plain'

/** What a link needs of a worker; tests give it one that is not there. */
export interface WorkerLike {
  postMessage(message: unknown, transfer?: Transferable[]): void
  terminate(): void
  onmessage: ((event: MessageEvent) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
}

/** The messages that a worker sends without a request. */
export type Event = Exclude<Up, { kind: 'answer' | 'refusal' | 'alive' | 'broken' }>

/** The receiver of a link's events. */
export interface Listener {
  event(link: Link, event: Event): void
  /** The worker is beyond use. */
  broke(link: Link, problem: Problem): void
}

interface Waiting {
  give: (value: never) => void
  refuse: (error: SessionError) => void
}

// A worker that leaves this many pings unanswered is ended.
const mostPings = 12

export class Link {
  /** When the worker was made. */
  readonly born = performance.now()
  /** Pings since the worker was last heard. */
  #pings = 0
  #worker: WorkerLike
  #panics: BroadcastChannel
  #listener: Listener
  #waiting = new Map<number, Waiting>()
  #nextId = 1
  #ended: Problem | null = null

  constructor(worker: WorkerLike, listener: Listener) {
    this.#worker = worker
    this.#listener = listener
    worker.onmessage = (event) => this.#receive(event.data as Up)
    worker.onerror = (event) => {
      event.preventDefault()
      listener.broke(this, { message: event.message || 'The worker could not be loaded.', hint: '' })
    }
    // One for each worker, so that the last words of a dead one do not reach the next.
    this.#panics = new BroadcastChannel(`vivarium-${crypto.getRandomValues(new Uint32Array(2)).join('-')}`)
    this.#panics.onmessage = (event) => listener.broke(this, { message: String(event.data), hint: '' })
  }

  boot(family: Family, module: ModuleName, threads: number): Promise<Requests['boot']['gives']> {
    return this.ask('boot', { family, module, threads, panics: this.#panics.name })
  }

  ask<K extends RequestKind>(kind: K, asks: Requests[K]['asks']): Promise<Requests[K]['gives']> {
    if (this.#ended) return Promise.reject(new SessionError(this.#ended))
    const id = this.#nextId++
    return new Promise((give, refuse) => {
      this.#waiting.set(id, { give, refuse })
      this.send({ kind, id, asks: plain(asks) } as Down)
    })
  }

  send(message: Down): void {
    if (!this.#ended) this.#worker.postMessage(message)
  }

  /**
   * Asks for a sign of life; called every few seconds. A worker that the browser ends for want of memory says nothing about
   * it. What counts is how often it was asked in vain, not for how long: a machine that was asleep has asked nobody.
   */
  ping(): void {
    if (this.#pings++ < mostPings) this.send({ kind: 'ping' })
    else this.#listener.broke(this, { message: 'The worker does not answer any more.', hint: '' })
  }

  /** Ends the worker; whatever it was asked is refused with this. */
  end(problem: Problem): void {
    if (this.#ended) return
    this.#ended = problem
    this.#worker.terminate()
    this.#panics.close()
    for (const waiting of this.#waiting.values()) waiting.refuse(new SessionError(problem))
    this.#waiting.clear()
  }

  #receive(up: Up): void {
    if (this.#ended) return
    this.#pings = 0
    switch (up.kind) {
      case 'alive':
        return
      case 'answer':
      case 'refusal': {
        const waiting = this.#waiting.get(up.id)
        this.#waiting.delete(up.id)
        if (up.kind === 'answer') waiting?.give(up.value as never)
        else waiting?.refuse(new SessionError(up.problem))
        break
      }
      case 'broken':
        return this.#listener.broke(this, up.problem)
      default:
        return this.#listener.event(this, up)
    }
  }
}
