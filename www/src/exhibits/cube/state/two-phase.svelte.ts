/** Two-phase solver of the 3×3×3 cube, and the lengths of the known solutions of one state of either cube. */
import { tools } from '../../../engine/page/tools'
import type { CubeTable } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { halfTurns, quarterTurns } from '../model/lengths'
import { statesOf } from '../model/reconstruction'
import { isUniform, turned } from '../model/stickers'
import { inverse, readTurn } from '../model/turns'

/** Number of moves of a solution in both metrics. */
export interface SolutionLength {
  half: number
  /** Null while the solution in few quarter turns is computed. */
  quarter: number | null
}

/** Optimum in both metrics; null if unknown. */
export interface OptimalLength {
  half: number | null
  quarter: number | null
}

/** Solutions of the two-phase solver, and the fewest moves in each metric. */
export interface TwoPhaseSolution extends SolutionLength {
  /** Search nodes of each of the two searches: for few half turns, and for few quarter turns. */
  nodes: number
  moves: string
  /** Solution with fewer quarter turns than `moves`; undefined without one. */
  quarterMoves?: string | undefined
}

/** Returns the lengths of a solution. */
export const lengthsOf = (moves: readonly string[]): SolutionLength => ({
  half: halfTurns(moves),
  quarter: quarterTurns(moves),
})

/** Search nodes for each metric: of the first search, the factor of each longer search, and the limit. */
const firstNodes = 500_000
const factor = 8
const maxNodes = firstNodes * factor ** 2

export class TwoPhase {
  /** Phase of the computation in progress; null if there is none. */
  phase = $state<'loading' | 'tables' | 'searching' | null>(null)
  /** State before the solutions, and the solution lengths of the network, of the optimal solver and of the two-phase solver. */
  known = $state.raw<{
    start: string
    /** Null if the network has found no solution. */
    network?: SolutionLength | null
    optimal?: OptimalLength
    twoPhase?: TwoPhaseSolution
  } | null>(null)
  private computations = 0

  constructor(lab: Lab) {
    lab.watchStarts(() => {
      this.cancel()
      this.known = null
    })
  }

  /**
   * Solves a cube in few half turns, and returns the solution; null if the computation failed or was canceled. Then
   * searches for a solution in few quarter turns, for comparison. `nodes`: search nodes for each metric.
   */
  async solve(stickers: string, nodes = firstNodes): Promise<string | null> {
    const computation = ++this.computations
    const isCurrent = () => computation === this.computations
    try {
      await tools.ask('prepareTwoPhase', {}, (phase) => {
        if (isCurrent()) this.phase = phase === 'loading' ? 'loading' : 'tables'
      })
      if (!isCurrent()) return null
      this.phase = 'searching'
      const half = await tools.ask('twoPhase', { stickers, metric: 'half', nodes })
      if (!isCurrent()) return null
      this.record(stickers, 'twoPhase', {
        nodes,
        moves: half,
        half: halfTurns(half.split(' ')),
        quarter: null,
      })
      void this.compare(stickers, half, nodes)
      return half
    } catch (problem) {
      if (isCurrent()) toasts.error(problem)
      return null
    } finally {
      if (isCurrent()) this.phase = null
    }
  }

  /** Records the fewest moves of a solution in few half turns and of one in few quarter turns, while the cube is known. */
  private async compare(start: string, half: string, nodes: number): Promise<void> {
    try {
      const quarter = await tools.ask('twoPhase', { stickers: start, metric: 'quarter', nodes })
      if (this.known?.start !== start) return
      const isShorter = quarterTurns(quarter.split(' ')) < quarterTurns(half.split(' '))
      const fewest = (length: (turns: readonly string[]) => number) =>
        Math.min(length(half.split(' ')), length(quarter.split(' ')))
      this.record(start, 'twoPhase', {
        nodes,
        moves: half,
        half: fewest(halfTurns),
        quarter: fewest(quarterTurns),
        quarterMoves: isShorter ? quarter : undefined,
      })
    } catch (problem) {
      toasts.error(problem)
    }
  }

  /** Search nodes of the next longer search for the known cube; null during a search, and after the longest one. */
  get longerNodes(): number | null {
    const last = this.known?.twoPhase
    if (!last || last.quarter === null || this.phase !== null || last.nodes >= maxNodes) return null
    return last.nodes * factor
  }

  /** Cancels the computation: its result is ignored. */
  cancel(): void {
    this.computations++
    this.phase = null
  }

  /** Follows the displayed cube: records the solution of the network or of the optimal solver, and drops solutions of another starting position. */
  follow(table: Pick<CubeTable, 'stickers' | 'history' | 'at' | 'solving'>): void {
    this.recordSolution(table)
    const { known } = this
    if (!known || known.start === table.stickers) return
    const since = table.history.findLastIndex(({ by }) => by === 'scramble') + 1
    if (!statesOf(table, since).includes(known.start)) this.known = null
  }

  private recordSolution({ stickers, solving }: Pick<CubeTable, 'stickers' | 'solving'>): void {
    if (!solving || solving.by.kind === 'two_phase' || solving.status === 'searching') return
    if (solving.solution.length === 0 && solving.status !== 'gave_up') return
    const made = solving.solution.slice(0, solving.made).flatMap((turn) => readTurn(turn) ?? [])
    const start = made.reverse().map(inverse).reduce(turned, stickers)
    const { by, solution } = solving
    const isOptimal = by.kind === 'exact' || by.kind === 'exact_half'
    const ended = solution.slice(solving.made).flatMap((turn) => readTurn(turn) ?? [])
    // The turns of a greedy policy in progress, or of one that has failed, are no solution.
    const isSolution = isUniform(ended.reduce(turned, stickers))
    const isKnown = this.known?.start === start && this.known.network != null
    if (!isOptimal && isSolution) this.record(start, 'network', lengthsOf(solution))
    else if (!isOptimal && solving.status === 'gave_up' && !isKnown) this.record(start, 'network', null)
    if (!isOptimal && solving.optimal == null) return
    const before = this.known?.start === start ? this.known.optimal : undefined
    this.record(start, 'optimal', {
      half: by.kind === 'exact_half' ? halfTurns(solution) : (before?.half ?? null),
      quarter: by.kind === 'exact' ? quarterTurns(solution) : (solving.optimal ?? before?.quarter ?? null),
    })
  }

  private record(start: string, solver: 'network', length: SolutionLength | null): void
  private record(start: string, solver: 'optimal', length: OptimalLength): void
  private record(start: string, solver: 'twoPhase', length: TwoPhaseSolution): void
  private record(
    start: string,
    solver: 'network' | 'optimal' | 'twoPhase',
    length: OptimalLength | null,
  ): void {
    this.known = { ...(this.known?.start === start ? this.known : { start }), [solver]: length }
  }
}

export const [useTwoPhase, twoPhaseOf] = partOf((lab) => new TwoPhase(lab))
