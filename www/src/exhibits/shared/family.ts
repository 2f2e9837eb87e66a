/** The interface of a family's exhibit, exported by `exhibit.ts` of its folder. */
import type { Component, ComponentProps } from 'svelte'
import type { Command, ExperimentInfo, Speed, ViewRequest } from '../../engine/page/session'
import type { KeyGroup } from '../../kit/keys'
import type { Config } from '../../state/config'
import type { Lab } from '../../state/lab.svelte'
import type { World as WorldName } from '../../worlds'
import type Curves from './Curves.svelte'
import type { Ending } from './ending/ending'
import type { LoadExports } from './export/formats'
import type { MetricValues } from './guide/actions'
import type { Guide } from './guide/guide'

/** Functions with which an exhibit's component controls the run. */
export interface Steer {
  /** Restarts the run; config and seed default to the current ones. `held`: learning stays off. */
  restart: (config?: Config, seed?: number, held?: boolean) => Promise<void>
  /** Writes the run's config, seed and engine into the address. */
  remember: () => void
}

/** The file types that an exhibit opens in addition to checkpoints. */
export interface Files {
  /** Opens a file that is not a checkpoint. Returns whether the exhibit handles such files. */
  openOther?: (file: File) => Promise<boolean>
  /** Handles dropped files. Returns whether the exhibit handles such files. */
  takeDrop?: (dropped: DataTransfer, steer: Steer) => Promise<boolean>
  /** Description of the accepted files, shown during a drag over the page. */
  dropHint?: string
}

/** The settings that the simple view of an exhibit has besides the interactive picture. */
export interface Basics {
  /** Paths of settings with a slider. */
  settings: readonly string[]
  /** Presets that a newcomer understands, and the label of their select; null hides the select. */
  presets: { label: string; names: readonly string[] } | null
}

const noBasics: Basics = { settings: [], presets: null }

/** Options of the small charts of a family. */
export type CurveOptions = Omit<ComponentProps<typeof Curves>, 'info' | 'folds' | 'children'>

export interface FamilyExhibit {
  /**
   * The exhibit's component. `info` is null until the experiment exists. `world` is a name of the family, hence typed `any`
   * here.
   */
  World: Component<{ world: any; info: ExperimentInfo | null; steer: Steer }>
  /** What the learner does and how a visitor takes part, for each environment: two sentences without terms of the field. */
  leads: { readonly [world in WorldName]?: string }
  /** The settings of the simple view of each environment; none by default. */
  basics?: { readonly [world in WorldName]?: Basics }
  files?: (lab: Lab) => Files
  curves?: CurveOptions
  /**
   * Opens the position of a link once its run is open. Returns the problem of an invalid position; null if the position is open,
   * or if the visitor decides first.
   */
  openPosition?: (lab: Lab, world: WorldName, id: string) => Promise<string | null>
  /** What the family exports besides the files of all exhibits; loaded on request. */
  exports?: LoadExports
  /** The guided path of an environment, and the environments that have one; loaded on request. */
  guide?: { worlds: readonly WorldName[]; load: (world: WorldName) => Promise<{ guide: Guide }> }
  /** The rules of a game or puzzle, and the environments that have some; loaded on request. */
  rules?: {
    worlds: readonly WorldName[]
    load: (world: WorldName) => Promise<{ default: Component<{ world: any }> }>
  }
  /** Returns the keys of an environment, for the list of the keys. */
  keys?: (world: WorldName, lab: Lab) => readonly KeyGroup[]
  /**
   * The panel at the end of a run, loaded on request. `reached`: whether the metrics reach a milestone, for runs without
   * a goal and without an end.
   */
  ending: {
    reached?: (world: WorldName, metrics: MetricValues) => boolean
    /** Whether the visitor is busy with the exhibit, such as a game, so that the panel waits. */
    waits?: (lab: Lab) => boolean
    load: () => Promise<{ endings: { readonly [world in WorldName]?: Ending } }>
  }
  /** Returns commands that restore the user's interactive state, such as a position, in a snapshot of the run. */
  revisit?: (lab: Lab) => readonly Command[]
  /**
   * A view without content, after whose frame a session sends all documents again; null if each frame is complete, and
   * not only a change of the last one.
   */
  blank: ViewRequest | null
  /** Speed limits at the start of a new run, slowest first. The limit rises automatically from each to the next. */
  openingSpeeds?: (info: ExperimentInfo, config: Config) => readonly Speed[]
}

/** Returns the settings of the simple view of an environment. */
export const basicsOf = ({ basics }: FamilyExhibit, world: WorldName): Basics => basics?.[world] ?? noBasics
