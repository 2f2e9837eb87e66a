// Client of the worker of the tools, which is started at the first request.
import type { Problem } from '../../protocol/types'
import type { ToolMessage, ToolName, ToolRequest, Tools } from '../shared/tools'
import { SessionError, StartError } from './error'
import type { WorkerLike } from './link'

/** Phase of a request: `loading`, until the module is loaded; then `running`. */
export type ToolPhase = 'loading' | 'running'

interface Waiting {
  resolve: (value: never) => void
  reject: (error: SessionError) => void
  phase: (phase: ToolPhase) => void
}

const spawn = (): WorkerLike =>
  new Worker(new URL('../tools/worker.ts', import.meta.url), { type: 'module', name: 'vivarium-tools' })

export class ToolClient {
  /** Number of workers that were started; a new worker has no data of earlier requests. */
  starts = 0
  #spawn: () => WorkerLike
  #worker: WorkerLike | null = null
  #loaded = false
  #waiting = new Map<number, Waiting>()
  #nextId = 1

  constructor(start: () => WorkerLike = spawn) {
    this.#spawn = start
  }

  /**
   * Calls a tool. `phase` is called with each phase of the request. Rejects with a {@link StartError} if the module was
   * not loaded; the next call loads it again.
   */
  ask<K extends ToolName>(
    tool: K,
    args: Tools[K]['args'],
    phase: (phase: ToolPhase) => void = () => {},
  ): Promise<Tools[K]['result']> {
    const worker = (this.#worker ??= this.#start())
    const id = this.#nextId++
    phase(this.#loaded ? 'running' : 'loading')
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, phase })
      worker.postMessage({ id, tool, args } as ToolRequest)
    })
  }

  #start(): WorkerLike {
    this.starts++
    const worker = this.#spawn()
    worker.onmessage = ({ data }: MessageEvent<ToolMessage>) => this.#receive(data)
    worker.onerror = (event) => {
      event.preventDefault()
      const message = event.message || 'The worker of the tools could not be loaded.'
      this.#end({ message, hint: 'Check the connection, and try again.' })
    }
    return worker
  }

  #receive(message: ToolMessage): void {
    switch (message.kind) {
      case 'loaded':
        this.#loaded = true
        for (const { phase } of this.#waiting.values()) phase('running')
        return
      case 'broken':
        return this.#end(message.problem)
      case 'response':
      case 'rejection': {
        const waiting = this.#waiting.get(message.id)
        this.#waiting.delete(message.id)
        if (message.kind === 'response') waiting?.resolve(message.value as never)
        else waiting?.reject(new SessionError(message.problem))
      }
    }
  }

  /** Terminates the worker after a failure; pending requests reject. */
  #end(problem: Problem): void {
    const error = this.#loaded ? new SessionError(problem) : new StartError(problem)
    this.#worker?.terminate()
    this.#worker = null
    this.#loaded = false
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(error)
  }
}

/** The tools of this page. */
export const tools = new ToolClient()
