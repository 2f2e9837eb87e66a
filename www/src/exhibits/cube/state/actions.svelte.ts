/** User actions other than turns: scrambling, solving, undo and redo. */
import type { CubeSolver } from '../../../engine/page/session'
import { toasts } from '../../../state/toasts.svelte'
import { partOf } from '../../../state/context'
import { cubeOf, type CubeState } from './table.svelte'

export class CubeActions {
  /** Length of the next scramble; null for a random state, undefined for the default. */
  scramble = $state<number | null | undefined>(undefined)
  solver = $state.raw<CubeSolver | null>(null)
  arrows = $state(true)
  marks = $state(false)
  /** Turn that is highlighted in a list. */
  pointed = $state<string | null>(null)

  constructor(private readonly table: CubeState) {}

  /** Whether a search or a solution is in progress. */
  get solving(): boolean {
    const now = this.table.cube?.solving?.status
    return now === 'searching' || now === 'playing'
  }

  /** Scrambles the cube; offers to restore a cube that the user has changed. */
  async scrambleBy(moves: number | null): Promise<void> {
    const before =
      this.table.touched && this.table.cube && !this.table.cube.solved ? this.table.cube.stickers : null
    this.table.touch()
    if (!(await this.table.ask({ kind: 'scramble', moves })) || before === null) return
    toasts.offer('Scrambled.', {
      label: 'Restore the previous cube',
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

  /** Whether there is a next turn: of a solution, or an undone one. */
  get canGoOn(): boolean {
    const cube = this.table.cube
    if (!cube) return false
    return cube.solving?.status === 'playing' || cube.at < cube.history.length
  }

  /** Undoes or redoes one turn. */
  step(by: -1 | 1): void {
    const cube = this.table.cube
    if (!cube) return
    this.table.touch()
    if (by === 1 && cube.solving?.status === 'playing') void this.table.ask({ kind: 'move_now' })
    else if (by === -1 ? cube.at > 0 : cube.at < cube.history.length) this.goTo(cube.at + by)
  }

  /** Undoes or redoes turns until `at` turns are applied. */
  goTo(at: number): void {
    this.table.touch()
    void this.table.ask({ kind: 'cube_step', to: at })
  }
}

export const [useCubeActions, cubeActionsOf] = partOf((lab) => new CubeActions(cubeOf(lab)))
