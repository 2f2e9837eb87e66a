/**
 * Monte Carlo tree search with the PUCT rule (Silver et al. 2018, https://doi.org/10.1126/science.aar6404), as in the
 * crate `vivarium-mcts`, on tic-tac-toe. Instead of a network, an evaluator assigns equal priors and value 0 to every
 * state; only the priors at the root are given.
 */
import { movesOf, played, result, type Board } from './tic-tac-toe'

/** Difference between the value of a state and the assumed value of an unvisited move. */
const fpuReduction = 0.2
const base = 19_652

export interface Move {
  cell: number
  prior: number
  visits: number
  child: State | null
}

interface State {
  board: Board
  player: number
  visits: number
  /** Sum of the values that simulations have backed up, for the player to move. */
  sum: number
  evaluated: boolean
  moves: Move[]
}

const mean = ({ sum, visits }: State) => (visits > 0 ? sum / visits : 0)

function stateOf(board: Board, player: number): State {
  const cells = result(board) === null ? movesOf(board) : []
  const moves = cells.map((cell) => ({ cell, prior: 1 / cells.length, visits: 0, child: null }))
  return { board, player, visits: 0, sum: 0, evaluated: false, moves }
}

export class Search {
  readonly root: State

  /** `priors`: policy of the network in the position, by cell. */
  constructor(
    board: Board,
    player: number,
    priors: Readonly<Record<number, number>>,
    private readonly exploration: number,
  ) {
    this.root = stateOf(board, player)
    for (const move of this.root.moves) move.prior = priors[move.cell]!
  }

  /**
   * Returns the mean value of a move for the player who moves. An unvisited move has the value of its state minus a
   * constant (first-play urgency).
   */
  value(state: State, { visits, child }: Move): number {
    return visits > 0 && child ? -mean(child) : mean(state) - fpuReduction
  }

  /** Returns the exploration bonus c·P·√N / (1 + n) of a move. */
  bonus(state: State, { prior, visits }: Move): number {
    const c = this.exploration + Math.log((state.visits + base + 1) / base)
    return (c * prior * Math.sqrt(state.visits)) / (1 + visits)
  }

  /** Returns the move with the highest sum of value and bonus. */
  best(state: State): Move {
    const score = (move: Move) => this.value(state, move) + this.bonus(state, move)
    return state.moves.reduce((best, move) => (score(move) > score(best) ? move : best))
  }

  /** Runs one simulation. Returns the cells of its moves. */
  simulate(): number[] {
    const path: { state: State; move: Move }[] = []
    let state = this.root
    let value = result(state.board)
    // A forced move is not evaluated; the descent continues to the state after it.
    while (value === null && (state.evaluated || state.moves.length === 1)) {
      const move = this.best(state)
      path.push({ state, move })
      move.child ??= stateOf(played(state.board, move.cell, state.player), 3 - state.player)
      state = move.child
      value = result(state.board)
    }
    state.evaluated = true
    this.add(state, value ?? 0)
    for (const step of path.toReversed()) {
      step.move.visits++
      this.add(step.state, step.state.player === state.player ? (value ?? 0) : -(value ?? 0))
    }
    return path.map(({ move }) => move.cell)
  }

  private add(state: State, value: number): void {
    state.visits++
    state.sum += value
  }
}
