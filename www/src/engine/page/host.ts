import { findAdapter, type Adapter } from '../shared/adapter'
import type { WorkerLike } from './link'

/** Functions of the browser that the engine uses and that tests replace. */
export interface Host {
  /** Starts a training worker. */
  spawn: () => WorkerLike
  findAdapter: () => Promise<Adapter>
}

export const browser: Host = {
  spawn: () =>
    new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module', name: 'vivarium' }),
  findAdapter,
}
