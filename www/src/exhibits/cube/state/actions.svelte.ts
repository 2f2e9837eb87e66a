/** User actions other than turns: scrambling, solving, undo and redo. */
import type { CubeActor, CubeSolver, CubeTable } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { aheadOf, listedMoves } from '../model/reconstruction'
import { ReplacedCubes, storedCube } from './replaced-cubes.svelte'
import { cubeOf, type CubeState } from './table.svelte'
import { twoPhaseOf, type TwoPhase } from './two-phase.svelte'

export class CubeActions {
  /** Length of the next scramble; null for a random state, undefined for the default. */
  scramble = $state<number | null | undefined>(undefined)
  solver = $state.raw<CubeSolver | null>(null)
  arrows = $state(true)
  marks = $state(false)
  /** Turn that is highlighted in a list. */
  pointed = $state<string | null>(null)

  private readonly replaced = new ReplacedCubes()
  /** Run whose cubes are stored for undo. */
  private run = -1
  /** Position that was requested last, and the displayed cube at that time. */
  private requested: { cube: CubeTable; at: number } | null = null

  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
    private readonly twoPhase: TwoPhase,
  ) {}

  /** Whether a search or a solution is in progress. */
  get solving(): boolean {
    const now = this.table.cube?.solving?.status
    return now === 'searching' || now === 'playing' || this.twoPhase.phase !== null
  }

  /** Scrambles the cube by a number of turns, or replaces the cube by a random state. */
  scrambleBy(moves: number | null): void {
    if (moves === null) this.remember()()
    // Turns of the demonstration are not part of the scramble.
    else if (!this.table.touched) void this.table.ask({ kind: 'reset_cube' })
    this.table.touch()
    void this.table.ask({ kind: 'scramble', moves })
  }

  /** Scrambles a solved cube by a number of turns, which becomes the selected length, and solves it. */
  trySolving(moves: number, by: CubeSolver): void {
    this.reset()
    this.scramble = moves
    this.scrambleBy(moves)
    this.solve(by)
  }

  /** Replaces the cube by a solved one. */
  reset(): void {
    this.remember()()
    this.table.touch()
    void this.table.ask({ kind: 'reset_cube' })
  }

  /**
   * Copies the cube before a command replaces the cube. Returns a function that stores the copy for undo, to be called
   * if the command succeeds. Cubes of the demonstration are not stored.
   */
  remember(): () => void {
    const { cube, touched } = this.table
    const { run } = this.lab
    const stored = touched && cube ? storedCube(cube) : null
    return () => {
      if (run !== this.run) this.replaced.clear()
      this.run = run
      if (stored) this.replaced.replace(stored)
    }
  }

  solve(by: CubeSolver): void {
    this.table.touch()
    if (by.kind === 'two_phase') void this.solveInTwoPhases()
    else void this.table.ask({ kind: 'solve', by })
  }

  private async solveInTwoPhases(): Promise<void> {
    const stickers = this.table.cube?.stickers
    if (stickers === undefined) return
    const turns = await this.twoPhase.solve(stickers)
    // The solution is ignored if the cube was turned in the meantime.
    if (turns !== null && this.table.cube?.stickers === stickers)
      await this.table.ask({ kind: 'play_solution', turns })
  }

  stop(): void {
    this.table.touch()
    this.twoPhase.cancel()
    void this.table.ask({ kind: 'stop_solving' })
  }

  /** Whether there is a turn or a replaced cube to go back to. */
  get canGoBack(): boolean {
    const { cube } = this.table
    return cube !== null && (cube.at > 0 || (this.run === this.lab.run && this.replaced.canUndo))
  }

  /** Whether there is a next turn, of a solution or an undone one, or an undone cube. */
  get canGoOn(): boolean {
    const { cube } = this.table
    if (!cube) return false
    if (cube.solving?.status === 'playing' || cube.at < cube.history.length) return true
    const now = this.run === this.lab.run ? storedCube(cube) : null
    return now !== null && this.replaced.canRedo(now)
  }

  /** Undoes or redoes one move of the list of turns; at the ends of the history, the last command that replaced the cube. */
  step(by: -1 | 1): void {
    this.goBy(by, (at, history) => {
      const moves = listedMoves({ history, at, solving: null })
      const move = by === 1 ? moves.find(({ to }) => to > at) : moves.findLast(({ from }) => from < at)
      return (by === 1 ? move?.to : move?.from) ?? at
    })
  }

  /** Undoes or redoes one action: a turn, or all turns of a scramble. */
  undo(by: -1 | 1): void {
    this.goBy(by, (at, history) => {
      const end = by === 1 ? history.length : 0
      const acts = (at: number) => history[by === 1 ? at : at - 1]?.by
      let to = at + by
      while (acts(at) === 'scramble' && to !== end && acts(to) === 'scramble') to += by
      return to
    })
  }

  private goBy(by: -1 | 1, target: (at: number, history: CubeTable['history']) => number): void {
    const { cube } = this.table
    if (!cube || !(by === -1 ? this.canGoBack : this.canGoOn)) return
    this.table.touch()
    // Quick keys: the displayed cube may not show the position yet that the previous key requested.
    const at = this.requested?.cube === cube ? this.requested.at : cube.at
    const [next] = listedMoves({ history: [], at: 0, solving: cube.solving })
    if (by === 1 && next) for (let turn = 0; turn < next.to; turn++) void this.table.ask({ kind: 'move_now' })
    else if (by === -1 ? at > 0 : at < cube.history.length) this.goTo(target(at, cube.history))
    else void this.restore(cube, by)
  }

  /** Restores the cube before the last replacement, or after the last undone one. */
  private async restore(cube: CubeTable, by: -1 | 1): Promise<void> {
    const now = storedCube(cube)
    const other = now && (by === -1 ? this.replaced.undo(now) : this.replaced.redo(now))
    if (!other) return
    const { first, turns, at } = other
    if (!(await this.table.ask({ kind: 'set_cube', stickers: first }))) return
    for (const { by, turns: made } of byActor(turns))
      await this.table.ask({ kind: 'apply', turns: made.join(' '), by })
    if (at < turns.length) await this.table.ask({ kind: 'cube_step', to: at })
  }

  /** Goes to a position in the history and the rest of a solution, which becomes part of the history. */
  async seek(at: number): Promise<void> {
    const { cube } = this.table
    if (!cube || at === cube.at) return
    this.table.touch()
    // The playback may have made some of these moves in the meantime.
    for (let left = aheadOf(cube).length; left > 0; left--)
      if ((await this.table.trial({ kind: 'move_now' })) !== null) break
    await this.table.ask({ kind: 'cube_step', to: at })
  }

  /** Undoes or redoes turns until `at` turns are applied. */
  goTo(at: number): void {
    const { cube } = this.table
    this.table.touch()
    this.requested = cube && { cube, at }
    void this.table.ask({ kind: 'cube_step', to: at })
  }
}

/** Divides a history into the longest parts of one originator each. */
function byActor(history: CubeTable['history']): { by: CubeActor; turns: string[] }[] {
  const parts: { by: CubeActor; turns: string[] }[] = []
  for (const { turn, by } of history) {
    const last = parts.at(-1)
    if (last?.by === by) last.turns.push(turn)
    else parts.push({ by, turns: [turn] })
  }
  return parts
}

export const [useCubeActions, cubeActionsOf] = partOf(
  (lab) => new CubeActions(lab, cubeOf(lab), twoPhaseOf(lab)),
)
