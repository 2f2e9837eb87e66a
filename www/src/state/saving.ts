/** The interface between the lab and the store that persists its runs beyond the life of the page. */
import type { Curves } from './history'

/** When the goal of the experiment was reached first. */
export interface Solved {
  steps: number
  /** Seconds of training until then, without pauses. */
  seconds: number
}

/**
 * A fact about a run that its exhibit needs again after a reload. `played`: a person has done something at its table that
 * would be missed. `shipped`: the opened network is the one that came with the page.
 */
export type Mark = 'played' | 'shipped'

/** The page's state of a run: everything that its checkpoint does not hold. */
export interface PageState {
  curves: Curves
  /** The newest value of each metric. */
  latest: Record<string, number>
  solved: Solved | null
  /** Seconds of training, without pauses. */
  seconds: number
  /** Whether the page has seen the run from its first step. */
  whole: boolean
  marks: readonly Mark[]
}

/** A run read back from where it was kept. */
export interface RestoredRun {
  /** Its checkpoint. */
  bytes: Uint8Array
  pageState: PageState
  /** The name under which it is kept. */
  id: string
}

/** A file that a person brought for a run; a browser's `File` is one. */
export interface BroughtFile {
  name: string
  size: number
  arrayBuffer(): Promise<ArrayBuffer>
}

/** Files that a run needs to go on and its checkpoint does not hold, under the name by which the run knows them. */
export interface Attachment {
  name: string
  files: readonly BroughtFile[]
}

/** Persists runs. */
export interface Keeper {
  /**
   * Captures the present run before another one replaces it. The function that is returned is called once that has happened,
   * with the new run if that was kept before.
   */
  beforeReplace(): Promise<(next: RestoredRun | null) => void>
  /** Takes a copy of the state that the worker has sent by itself. */
  checkpoint(bytes: Uint8Array<ArrayBuffer>): void
  /** Schedules a write: something has changed besides training. */
  changed(): void
  /** Writes the present run now if anything is new. `false` where the browser keeps no files or has no room. */
  keepNow(): Promise<boolean>
  /** Keeps files with the present run, unless they are too large for that. */
  attach(attachment: Attachment): void
  /** The files that are kept with the present run; null where there are none. */
  attached(): Attachment | null
}
