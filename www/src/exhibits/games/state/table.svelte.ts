/** State of the games exhibit: newest documents of game, analysis, matches and training. */
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
import { Commands } from '../../../state/session-commands'
import { documentsOf } from '../../shared/documents'
import { MatchLog } from '../model/playedMatch'

export class GameState extends Commands {
  #table = $state.raw<GameTable | null>(null)
  #analysis = $state.raw<GameAnalysis | null>(null)
  #matches = $state.raw<readonly GameMatch[]>([])
  #run = $state.raw<GameRun | null>(null)
  #tree = $state.raw<GameTree | null>(null)
  /** Number of the run whose dice have been seeded. */
  #seeded = -1
  /** Number of the run in which the user has chosen players, or the analyst. */
  readonly chosen = { players: -1, analyst: -1 }
  /** Number of the run in which the user has opened a network. */
  #ownNetwork = -1
  /** The network that the user opens; resolves when the run has it or has refused it. */
  #opening: Promise<unknown> = Promise.resolve()
  /** Changes in progress, see {@link change}. */
  #changes = $state(0)
  /** Changes with a reply, which the next frame shows. */
  #replied = 0
  /** Called with the next table. */
  #awaiting: ((table: GameTable) => void)[] = []
  /** Finished games of the match at the table; not reactive. */
  readonly log = new MatchLog()
  /** Newest frame; not reactive. The self-play boards are drawn from it. */
  frame: Frame | null = null

  constructor(lab: Lab) {
    super(lab)
    lab.watch((frame) => this.receive(frame))
  }

  // Documents of another game are not shown.
  get table(): GameTable | null {
    return this.lab.exhibitReady ? this.#table : null
  }

  get analysis(): GameAnalysis | null {
    return this.lab.exhibitReady ? this.#analysis : null
  }

  get matches(): readonly GameMatch[] {
    return this.lab.exhibitReady ? this.#matches : []
  }

  get run(): GameRun | null {
    return this.lab.exhibitReady ? this.#run : null
  }

  get tree(): GameTree | null {
    return this.lab.exhibitReady ? this.#tree : null
  }

  /** Whether the documents do not show the result of a change yet. */
  get changing(): boolean {
    return this.#changes > 0
  }

  /**
   * Performs a change of the table or of its analyst, which ends with the first frame after the reply: only then the
   * documents show its result.
   */
  async change<T>(perform: () => Promise<T>): Promise<T> {
    this.#changes++
    try {
      return await perform()
    } finally {
      this.#replied++
    }
  }

  /** Returns the table, once there is one. */
  shownTable(): Promise<GameTable> {
    const { table } = this
    return table ? Promise.resolve(table) : new Promise((resolve) => this.#awaiting.push(resolve))
  }

  override openPlayer(bytes: Uint8Array, file?: string): Promise<boolean> {
    const { run } = this.lab
    const opened = super.openPlayer(bytes, file)
    this.#opening = opened.then((isOpen) => {
      if (isOpen) this.#ownNetwork = run
    })
    return opened
  }

  /** Returns whether the user has opened a network in the current run, after a file that is being opened. */
  async hasOwnNetwork(): Promise<boolean> {
    await this.#opening
    return this.#ownNetwork === this.lab.run
  }

  private receive(frame: Frame | null): void {
    this.frame = frame
    this.#changes -= this.#replied
    this.#replied = 0
    if (!frame) {
      this.log.receive(null)
      this.#table = null
      this.#analysis = null
      this.#matches = []
      this.#run = null
      this.#tree = null
      return
    }
    const { table, analysis, matches, run, tree } = documentsOf(frame, 'games')
    // The games of a snapshot are not games of the match.
    if (table && this.lab.timeline.shown === null) this.log.receive(table)
    this.#table = table ?? this.#table
    if (table) for (const resolve of this.#awaiting.splice(0)) resolve(table)
    if (analysis !== undefined) this.#analysis = analysis
    this.#matches = matches ?? this.#matches
    this.#run = run ?? this.#run
    // A tree that is not requested belongs to an earlier table.
    if (tree || table) this.#tree = tree ?? null
  }

  /**
   * Seeds the dice of a new run randomly; the run's seed is the same for every visitor. A run opened from a file keeps
   * the seed of its dice.
   */
  async seedDice(): Promise<void> {
    const { fromFile, run } = this.lab
    if (fromFile || this.#seeded === run) return
    this.#seeded = run
    const [seed] = crypto.getRandomValues(new Uint32Array(1))
    await this.ask({ kind: 'seed_dice', seed: seed! })
  }

  view(request: Omit<GameView, 'kind'>): () => void {
    return this.lab.view({ kind: 'games', ...request })
  }
}

export const [useGame, gameOf] = partOf((lab) => new GameState(lab))
