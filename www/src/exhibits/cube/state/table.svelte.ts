/** The cube on the table, what the network thinks of it, its evaluation and its training: the newest documents of the this.lab. */
import type {
  CubeExhaustiveEvaluation,
  CubeRun,
  CubeTable,
  CubeView,
  Frame,
} from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { Commands } from '../../shared/commands'
import { documentsOf } from '../../shared/documents'
import { CubeMap } from '../model/map'

export class CubeState extends Commands {
  #cube = $state.raw<CubeTable | null>(null)
  #evaluation = $state.raw<CubeExhaustiveEvaluation | null>(null)
  #run = $state.raw<CubeRun | null>(null)
  /** The map of all states, and how often it has changed. */
  readonly map = new CubeMap()
  mapped = $state(0)
  /** The newest picture: the wall is drawn from it, and nothing else watches it. */
  frame: Frame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => this.receive(frame))
  }

  // Neither colors nor counts of one cube mean anything to the other.
  get cube(): CubeTable | null {
    return this.lab.exhibited ? this.#cube : null
  }

  get evaluation(): CubeExhaustiveEvaluation | null {
    return this.lab.exhibited ? this.#evaluation : null
  }

  get run(): CubeRun | null {
    return this.lab.exhibited ? this.#run : null
  }

  /** Whether a person has done anything to the cube in this run. */
  get touched(): boolean {
    return this.lab.marks.includes('played')
  }

  /** A person takes hold of the cube. */
  touch(): void {
    this.lab.mark('played')
  }

  /**
   * A person turns the cube: turns that it had made by itself to show what it can are over, and its history begins with the
   * cube as it stands.
   */
  takeOver(): void {
    const { touched, cube } = this
    this.touch()
    if (!touched && cube && cube.history.length > 0)
      void this.ask({ kind: 'set_cube', stickers: cube.stickers })
  }

  private receive(frame: Frame | null): void {
    this.frame = frame
    if (!frame) {
      this.#cube = null
      this.#evaluation = null
      this.#run = null
      this.map.clear()
      this.mapped++
      return
    }
    const { cube, exhaustive, run } = documentsOf(frame, 'cube')
    this.#cube = cube ?? this.#cube
    if (exhaustive !== undefined) this.#evaluation = exhaustive
    this.#run = run ?? this.#run
    if (this.map.take(frame)) this.mapped++
  }

  view(request: Omit<CubeView, 'kind'>): void {
    this.lab.view({ kind: 'cube', ...request })
  }
}

export const [useCube, cubeOf] = partOf((lab) => new CubeState(lab))
