/** Interface between the lab and the storage of its runs. */
import type { Engine } from '../engine/page/session'
import type { SettingChange } from './changes'
import type { HistoryData } from './history'

/** First time that the experiment's goal was reached. */
export interface Solved {
  steps: number
  /** Training time until then in seconds, without pauses. */
  seconds: number
}

/** Conditions under which a run has trained, on which its training time depends. */
export interface TrainedOn {
  engine: Engine
  /** Number of threads of the CPU engine. */
  threads: number
  /** Whether another run trained in the same window. */
  isBeside: boolean
}

/**
 * Persistent flag of a run. `played`: the user has acted at its table, so the run is worth saving. `shipped`: the
 * opened network is the one included with the page. `compared`: further seeds were trained for a comparison with it, so the
 * run is worth saving. `end-closed`: the user has closed the panel at the end of the run.
 */
export type Mark = 'played' | 'shipped' | 'compared' | 'end-closed'

/** The page's state of a run that is not in its checkpoint. */
export interface PageState {
  curves: HistoryData
  /** Latest value of each metric. */
  latest: Record<string, number>
  solved: Solved | null
  /** Training time in seconds, without pauses. */
  seconds: number
  /** Whether the page has recorded the run from its first step. */
  whole: boolean
  marks: readonly Mark[]
  /** Changes of settings; absent in files of earlier versions. */
  changes?: readonly SettingChange[]
  /** Steps that the opened weights were trained for before this run; absent in files of earlier versions. */
  earlierSteps?: number
  /** All conditions under which the run has trained, in order; absent or null if unknown, as in files of earlier versions. */
  trainedOn?: readonly TrainedOn[] | null
}

/** A run restored from storage. */
export interface RestoredRun {
  /** Bytes of the run's checkpoint. */
  bytes: Uint8Array
  pageState: PageState
  /** Key of the run in the storage. */
  id: string
}

/** A file supplied by the user; compatible with the browser's `File`. */
export interface UserFile {
  name: string
  size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Files that a run needs to continue and its checkpoint does not contain, such as training text. */
export interface Attachment {
  name: string
  files: readonly UserFile[]
}

/** Storage of the snapshots of a run, by their numbers of steps. */
export interface SnapshotStore {
  list(): Promise<number[]>
  write(steps: number, bytes: Uint8Array<ArrayBuffer>): Promise<void>
  read(steps: number): Promise<Uint8Array<ArrayBuffer>>
  remove(steps: number): Promise<void>
}

/** Snapshots in memory, for a run that is not stored. */
export class MemorySnapshots implements SnapshotStore {
  private readonly snapshots = new Map<number, Uint8Array<ArrayBuffer>>()

  async list(): Promise<number[]> {
    return [...this.snapshots.keys()]
  }

  async write(steps: number, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.snapshots.set(steps, bytes)
  }

  async read(steps: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = this.snapshots.get(steps)
    if (!bytes) throw new Error(`There is no snapshot at ${steps} steps.`)
    return bytes
  }

  async remove(steps: number): Promise<void> {
    this.snapshots.delete(steps)
  }
}

/** Storage of runs, which saves the current run. */
export interface RunStorage {
  /** Key of the current run; empty without a saved run. */
  readonly current: string
  /**
   * Captures the current run before another run replaces it. The caller calls the returned function after the
   * replacement, with the restored run if there is one.
   */
  beforeReplace(): Promise<(next: RestoredRun | null) => void>
  /** Receives a periodic checkpoint of the worker. */
  checkpoint(bytes: Uint8Array<ArrayBuffer>): void
  /** Schedules a save after a change other than training. */
  changed(): void
  /**
   * Saves the current run now if it has changed. Returns `false` if the browser has no storage or the storage is full.
   */
  saveNow(): Promise<boolean>
  /** Returns the storage of the current run's snapshots. */
  snapshots(): SnapshotStore
  /** Saves files with the current run, unless they are too large. */
  attach(attachment: Attachment): void
  /** Returns the files saved with the current run; null if there are none. */
  attached(): Attachment | null
}
