/** The interface of a family's exhibit, exported by `exhibit.ts` of its folder. */
import type { Component } from 'svelte'
import type { ExperimentInfo } from '../../engine/page/session'
import type { Config } from '../../state/config'
import type { Lab } from '../../state/lab.svelte'

/** Control of the run, passed to an exhibit's component. */
export interface Steer {
  /** Restarts the run; config and seed default to the current ones. */
  restart: (config?: Config, seed?: number) => Promise<void>
  /** Writes the run's config, seed and engine into the address. */
  remember: () => void
}

/** The file types that an exhibit opens in addition to checkpoints. */
export interface Files {
  /** Opens a file that is not a checkpoint. Returns whether it handles such files. */
  openOther?: (file: File) => Promise<boolean>
  /** Handles dropped files. Returns whether it does. */
  takeDrop?: (dropped: DataTransfer, steer: Steer) => Promise<boolean>
  /** Description of the accepted files, shown during a drag over the page. */
  dropHint?: string
}

export interface FamilyExhibit {
  /**
   * The exhibit's component. `info` is null until the experiment exists. `world` is a name of the family, hence typed `any`
   * here.
   */
  World: Component<{ world: any; info: ExperimentInfo | null; steer: Steer }>
  files?: (lab: Lab) => Files
}
