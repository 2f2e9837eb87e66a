/** The table at which a game is played, what is thought of it, and how training goes: the newest documents of the lab. */
import type { Frame, GameAnalysis, GameMatch, GameRun, GameTable, GameTree, GameView } from '../../session'
import { lab } from '../../state/lab.svelte'
import { ask, documentsOf, trial } from '../frame/documents'

class Table {
  #table = $state.raw<GameTable | null>(null)
  #analysis = $state.raw<GameAnalysis | null>(null)
  #matches = $state.raw<readonly GameMatch[]>([])
  #run = $state.raw<GameRun | null>(null)
  #tree = $state.raw<GameTree | null>(null)
  /** The run in which a person has chosen who plays or looks on. */
  chosen = -1
  /** The newest picture: the wall is drawn from it, and nothing else watches it. */
  frame: Frame | null = null

  constructor() {
    lab.watch((frame) => this.receive(frame))
  }

  // What another game has left on its table is nothing to the board of this one.
  get table(): GameTable | null {
    return lab.exhibited ? this.#table : null
  }

  get analysis(): GameAnalysis | null {
    return lab.exhibited ? this.#analysis : null
  }

  get matches(): readonly GameMatch[] {
    return lab.exhibited ? this.#matches : []
  }

  get run(): GameRun | null {
    return lab.exhibited ? this.#run : null
  }

  get tree(): GameTree | null {
    return lab.exhibited ? this.#tree : null
  }

  private receive(frame: Frame | null): void {
    this.frame = frame
    if (!frame) {
      this.#table = null
      this.#analysis = null
      this.#matches = []
      this.#run = null
      this.#tree = null
      return
    }
    const { table, analysis, matches, run, tree } = documentsOf(frame, 'games')
    this.#table = table ?? this.#table
    if (analysis !== undefined) this.#analysis = analysis
    this.#matches = matches ?? this.#matches
    this.#run = run ?? this.#run
    this.#tree = tree ?? this.#tree
  }

  view(request: GameView): void {
    lab.view({ kind: 'games', ...request })
  }

  /** Asks for something; null where it was refused and a message says why. */
  readonly ask = ask

  /** Asks for something that may be wrong; what is wrong with it, for where it was typed, or null. */
  readonly trial = trial
}

export const game = new Table()
