/** The table at which a game is played, what is thought of it, and how training goes: the newest documents of the this.lab. */
import type {
  Frame,
  GameAnalysis,
  GameMatch,
  GameRun,
  GameTable,
  GameTree,
  GameView,
} from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { Commands } from '../../shared/commands'
import { documentsOf } from '../../shared/documents'

export class GameState extends Commands {
  #table = $state.raw<GameTable | null>(null)
  #analysis = $state.raw<GameAnalysis | null>(null)
  #matches = $state.raw<readonly GameMatch[]>([])
  #run = $state.raw<GameRun | null>(null)
  #tree = $state.raw<GameTree | null>(null)
  /** The run whose dice were seeded. */
  #seeded = -1
  /** The run in which a person has chosen who plays or looks on. */
  chosen = -1
  /** The newest picture: the wall is drawn from it, and nothing else watches it. */
  frame: Frame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => this.receive(frame))
  }

  // What another game has left on its table is nothing to the board of this one.
  get table(): GameTable | null {
    return this.lab.exhibited ? this.#table : null
  }

  get analysis(): GameAnalysis | null {
    return this.lab.exhibited ? this.#analysis : null
  }

  get matches(): readonly GameMatch[] {
    return this.lab.exhibited ? this.#matches : []
  }

  get run(): GameRun | null {
    return this.lab.exhibited ? this.#run : null
  }

  get tree(): GameTree | null {
    return this.lab.exhibited ? this.#tree : null
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

  /**
   * Seeds the dice of a new run with a number that nobody had before: otherwise they would fall by the run's own seed, which is
   * the same for everybody. A run from a file keeps its dice.
   */
  async seedDice(): Promise<void> {
    const { fromFile, run } = this.lab
    if (fromFile || this.#seeded === run) return
    this.#seeded = run
    const [seed] = crypto.getRandomValues(new Uint32Array(1))
    await this.ask({ kind: 'seed_dice', seed: seed! })
  }

  view(request: Omit<GameView, 'kind'>): void {
    this.lab.view({ kind: 'games', ...request })
  }
}

export const [useGame, gameOf] = partOf((lab) => new GameState(lab))
