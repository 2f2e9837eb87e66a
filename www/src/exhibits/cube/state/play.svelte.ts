/** A person's actions on the cube besides turning it: scrambling, solving, stepping through the history. */
import type { CubeSolver } from '../../../engine/page/session'
import { toasts } from '../../../state/toasts.svelte'
import { partOf } from '../../../state/context'
import { cubeOf, type CubeState } from './table.svelte'

export class Play {
  /** Turns of the next scramble; null: any state. Undefined until somebody chooses. */
  scramble = $state<number | null | undefined>(undefined)
  solver = $state.raw<CubeSolver | null>(null)
  arrows = $state(true)
  marks = $state(false)
  /** The turn that is pointed at in a list. */
  pointed = $state<string | null>(null)

  constructor(private readonly table: CubeState) {}

  /** Whether a solution is being looked for or made. */
  get solving(): boolean {
    const now = this.table.cube?.solving?.status
    return now === 'searching' || now === 'playing'
  }

  /** Scrambles the cube; a person's own can be had back. */
  async scrambleBy(moves: number | null): Promise<void> {
    const before =
      this.table.touched && this.table.cube && !this.table.cube.solved ? this.table.cube.stickers : null
    this.table.touch()
    if (!(await this.table.ask({ kind: 'scramble', moves })) || before === null) return
    toasts.offer('Scrambled.', {
      label: 'Back to the cube before',
      run: () => void this.table.ask({ kind: 'set_cube', stickers: before }),
    })
  }

  solve(by: CubeSolver): void {
    this.table.touch()
    void this.table.ask({ kind: 'solve', by })
  }

  stop(): void {
    this.table.touch()
    void this.table.ask({ kind: 'stop_solving' })
  }

  /** Whether there is a turn to make next: of a solution, or one that was taken back. */
  get canGoOn(): boolean {
    const cube = this.table.cube
    if (!cube) return false
    return cube.solving?.status === 'playing' || cube.at < cube.history.length
  }

  /** A turn back or on. */
  step(by: -1 | 1): void {
    const cube = this.table.cube
    if (!cube) return
    this.table.touch()
    if (by === 1 && cube.solving?.status === 'playing') void this.table.ask({ kind: 'move_now' })
    else if (by === -1 ? cube.at > 0 : cube.at < cube.history.length) this.goTo(cube.at + by)
  }

  /** Back or on to where so many turns of the history are made. */
  goTo(at: number): void {
    this.table.touch()
    void this.table.ask({ kind: 'cube_step', to: at })
  }
}

export const [usePlay, playOf] = partOf((lab) => new Play(cubeOf(lab)))
