/**
 * Demonstration until the user interacts: scrambles the cube and lets the network solve it. The next scramble is one
 * turn longer after a success and one turn shorter after a failure.
 */
import type { Command, CubeInfo, CubeSolver, CubeTable } from '../../../engine/page/session'

/** Waiting time before the next step in each phase, in milliseconds. */
const looked = { fresh: 900, scrambled: 1100, solved: 1500, gaveUp: 2200 }

export class CubeDemo {
  /** Length of the next scramble. */
  depth: number
  private stage: 'fresh' | 'scrambled' | 'tried' = 'fresh'
  private since: number | null = null
  private asked = false

  constructor(
    private readonly info: CubeInfo,
    private readonly by: CubeSolver,
  ) {
    this.depth = info.size === 2 ? 2 : 1
  }

  /** Returns the next command at the time `now` in milliseconds; null while waiting. */
  next(table: CubeTable, now: number, moves: boolean): Command | null {
    if (this.asked) {
      if (!this.answered(table)) return null
      this.asked = false
      this.since = null
    }
    if (moves) this.since = null
    this.since ??= now
    const waited = now - this.since
    const status = table.solving?.status
    switch (this.stage) {
      case 'fresh':
        return waited < looked.fresh ? null : this.ask('scrambled', this.scramble(table))
      case 'scrambled':
        // Random turns may cancel out and leave nothing to solve.
        if (table.solved) return this.ask('fresh', { kind: 'reset_cube' })
        return waited < looked.scrambled ? null : this.ask('tried', { kind: 'solve', by: this.by })
      case 'tried': {
        if (status === 'searching' || status === 'playing') {
          this.since = null
          return null
        }
        const could = status === 'solved'
        if (waited < (could ? looked.solved : looked.gaveUp)) return null
        this.depth = Math.max(1, Math.min(this.info.largest_scramble, this.depth + (could ? 1 : -1)))
        return this.ask('fresh', { kind: 'reset_cube' })
      }
    }
  }

  /** Returns the command that scrambles the cube; a cube that is not solved is reset first. */
  private scramble(table: CubeTable): Command {
    return table.solved ? { kind: 'scramble', moves: this.depth } : { kind: 'reset_cube' }
  }

  private ask(stage: CubeDemo['stage'], command: Command): Command {
    this.stage = command.kind === 'reset_cube' ? 'fresh' : stage
    this.asked = true
    return command
  }

  /** Returns whether the last command has taken effect. */
  private answered(table: CubeTable): boolean {
    if (this.stage === 'fresh') return table.solved && table.history.length === 0
    return this.stage === 'scrambled' ? table.at > 0 : table.solving !== null
  }
}
