/** The cube on the table, what the network thinks of it, its exam and its training: the newest documents of the lab. */
import type { CubeExam, CubeRun, CubeTable, CubeView, Frame } from '../../session'
import { lab } from '../../state/lab.svelte'
import { ask, documentsOf, trial } from '../frame/documents'
import { CubeMap } from './map/map'

class Table {
  #cube = $state.raw<CubeTable | null>(null)
  #exam = $state.raw<CubeExam | null>(null)
  #run = $state.raw<CubeRun | null>(null)
  /** The map of all states, and how often it has changed. */
  readonly map = new CubeMap()
  mapped = $state(0)
  /** The newest picture: the wall is drawn from it, and nothing else watches it. */
  frame: Frame | null = null

  constructor() {
    lab.watch((frame) => this.receive(frame))
  }

  // Neither colours nor counts of one cube mean anything to the other.
  get cube(): CubeTable | null {
    return lab.exhibited ? this.#cube : null
  }

  get exam(): CubeExam | null {
    return lab.exhibited ? this.#exam : null
  }

  get run(): CubeRun | null {
    return lab.exhibited ? this.#run : null
  }

  /** Whether a person has done anything to the cube in this run. */
  get touched(): boolean {
    return lab.marks.includes('played')
  }

  /** A person takes hold of the cube. */
  touch(): void {
    lab.mark('played')
  }

  private receive(frame: Frame | null): void {
    this.frame = frame
    if (!frame) {
      this.#cube = null
      this.#exam = null
      this.#run = null
      this.map.clear()
      this.mapped++
      return
    }
    const { cube, exam, run } = documentsOf(frame, 'cube')
    this.#cube = cube ?? this.#cube
    if (exam !== undefined) this.#exam = exam
    this.#run = run ?? this.#run
    if (this.map.take(frame)) this.mapped++
  }

  view(request: CubeView): void {
    lab.view({ kind: 'cube', ...request })
  }

  /** Asks for something; null where it was refused and a message says why. */
  readonly ask = ask

  /** Asks for something that may be wrong; what is wrong with it, for where it was typed, or null. */
  readonly trial = trial
}

export const table = new Table()
