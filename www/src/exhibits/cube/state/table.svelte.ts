/** State of the cube exhibit: the newest documents of the interactive cube, the evaluation and the training run. */
import type {
  CubeExhaustiveEvaluation,
  CubeRun,
  CubeTable,
  CubeView,
  Frame,
} from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { Commands } from '../../../state/session-commands'
import { documentsOf } from '../../shared/documents'
import { completeOf } from '../evaluation/evaluation'
import { CubeMap } from '../model/map'

/** Complete evaluation of a network, with its solved share by ring and sector of the map. */
export interface MappedEvaluation {
  evaluation: CubeExhaustiveEvaluation
  solved: Float32Array
}

export class CubeState extends Commands {
  /** Levels of the last run without a curriculum, which a guide compares with the current run; null without one. */
  levelsWithoutCurriculum = $state.raw<CubeRun['levels'] | null>(null)
  #cube = $state.raw<CubeTable | null>(null)
  #evaluation = $state.raw<CubeExhaustiveEvaluation | null>(null)
  #run = $state.raw<CubeRun | null>(null)
  /** Map of all states, and its change counter. */
  readonly map = new CubeMap()
  mapped = $state(0)
  #wholeMap = $state.raw<MappedEvaluation | null>(null)
  #otherMap = $state.raw<MappedEvaluation | null>(null)
  /** Newest frame; not reactive. The grid of small cubes polls it. */
  frame: Frame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => this.receive(frame))
  }

  // Documents of another experiment are not shown.
  get cube(): CubeTable | null {
    return this.lab.exhibitReady ? this.#cube : null
  }

  get evaluation(): CubeExhaustiveEvaluation | null {
    return this.lab.exhibitReady ? this.#evaluation : null
  }

  /** Newest complete evaluation of the evaluated network. */
  get complete(): CubeExhaustiveEvaluation | null {
    return completeOf(this.evaluation)
  }

  /** The newest complete map of the evaluated network; null before. */
  get wholeMap(): MappedEvaluation | null {
    return this.lab.exhibitReady ? this.#wholeMap : null
  }

  /** The last complete map of the network that was evaluated before the present one; null before. */
  get otherMap(): MappedEvaluation | null {
    return this.lab.exhibitReady ? this.#otherMap : null
  }

  get run(): CubeRun | null {
    return this.lab.exhibitReady ? this.#run : null
  }

  /** Whether the network that evaluates the cube has been trained. */
  get isTrained(): boolean {
    return this.cube?.player === 'opened' || this.lab.progress.steps > 0
  }

  /** Whether the user has changed the cube in this run. */
  get touched(): boolean {
    return this.lab.marks.includes('played')
  }

  /** Marks that the user has changed the cube. */
  touch(): void {
    this.lab.mark('played')
  }

  /** Ends the demonstration, and starts a new history from the displayed state. Called before turns of the user. */
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
      this.#wholeMap = this.#otherMap = null
      this.map.clear()
      this.mapped++
      return
    }
    const { cube, exhaustive, run } = documentsOf(frame, 'cube')
    this.#cube = cube ?? this.#cube
    if (exhaustive !== undefined) {
      if (exhaustive?.player !== this.#evaluation?.player) {
        const [shown, other] = [this.#wholeMap, this.#otherMap]
        // The network in training keeps its map until its next evaluation is complete; an opened network may be another one.
        this.#wholeMap =
          exhaustive?.player === 'newest' && other?.evaluation.player === 'newest' ? other : null
        this.#otherMap = shown ?? (this.#wholeMap ? null : other)
      }
      this.#evaluation = exhaustive
    }
    this.#run = run ?? this.#run
    if (this.map.take(frame)) this.mapped++
    if (exhaustive || frame.arrays['map/solved']) this.#wholeMap = this.mapOfEvaluation() ?? this.#wholeMap
  }

  /** Returns the newest complete evaluation if the map shows it: the worker counts the map over several frames. */
  private mapOfEvaluation(): MappedEvaluation | null {
    const [evaluation, { solved }] = [completeOf(this.#evaluation), this.map]
    const share = this.map.solvedShare()
    if (!evaluation || !solved || share === null) return null
    return Math.abs(share - (evaluation.solved ?? 0)) < 1e-4 ? { evaluation, solved } : null
  }

  view(request: Omit<CubeView, 'kind'>): () => void {
    return this.lab.view({ kind: 'cube', ...request })
  }
}

export const [useCube, cubeOf] = partOf((lab) => new CubeState(lab))
