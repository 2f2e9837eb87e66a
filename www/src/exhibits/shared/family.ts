/** The parts of an exhibit that a family of worlds provides: the file `exhibit.ts` of its folder exports them. */
import type { Component } from 'svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import type { Config } from '../../state/config'
import type { Lab } from '../../state/lab.svelte'

/** The control of the run that the inside of an exhibit has. */
export interface Steer {
  /** Begins anew, with the config and the seed that it has unless others are given. */
  restart: (config?: Config, seed?: number) => Promise<void>
  /** Puts what runs into the address. */
  remember: () => void
}

/** The files that an exhibit takes beside checkpoints. */
export interface Files {
  /** Opens a file that is no checkpoint, if it knows such files; whether it does. */
  openOther?: (file: File) => Promise<boolean>
  /** Takes all that was dropped, if it knows what to do with it; whether it does. */
  takeDrop?: (dropped: DataTransfer, steer: Steer) => Promise<boolean>
  /** What may be dropped, shown while something is held over the page. */
  dropHint?: string
}

export interface FamilyExhibit {
  /**
   * What there is to see and do. It gets the experiment once that is there. `world` is one of the family's own, which is why
   * its type is left open here.
   */
  World: Component<{ world: any; info: ExperimentInfo | null; steer: Steer }>
  files?: (lab: Lab) => Files
}
