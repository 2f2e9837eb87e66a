/** The table at which a game is played, what is thought of it, and how training goes: the newest documents of the lab. */
import type {
  Command,
  Frame,
  FrameArray,
  GameAnalysis,
  GameMatch,
  GameRun,
  GameTable,
  GameTree,
  GameView,
  Reply,
} from '../../session'
import { lab } from '../../state/lab.svelte'
import { asProblem, toasts } from '../../state/toasts.svelte'

const decoder = new TextDecoder()

/** A document of a picture; undefined where it has not changed. */
export function documentOf<T>(array: FrameArray | undefined): T | undefined {
  if (!array || !(array.data instanceof Uint8Array) || array.data.length === 0) return undefined
  return JSON.parse(decoder.decode(array.data)) as T
}

class Table {
  table = $state.raw<GameTable | null>(null)
  analysis = $state.raw<GameAnalysis | null>(null)
  matches = $state.raw<readonly GameMatch[]>([])
  run = $state.raw<GameRun | null>(null)
  tree = $state.raw<GameTree | null>(null)
  /** The run in which a person has chosen who plays or looks on. */
  chosen = -1
  /** The newest picture: the wall is drawn from it, and nothing else watches it. */
  frame: Frame | null = null

  constructor() {
    lab.watch((frame) => this.receive(frame))
  }

  private receive(frame: Frame | null): void {
    this.frame = frame
    if (!frame) {
      this.table = null
      this.analysis = null
      this.matches = []
      this.run = null
      this.tree = null
      return
    }
    this.table = documentOf<GameTable>(frame.table) ?? this.table
    const analysis = documentOf<GameAnalysis | null>(frame.analysis)
    if (analysis !== undefined) this.analysis = analysis
    this.matches = documentOf<GameMatch[]>(frame.matches) ?? this.matches
    this.run = documentOf<GameRun>(frame.run) ?? this.run
    const tree = documentOf<GameTree | null>(frame.tree)
    if (tree !== undefined) this.tree = tree
  }

  view(request: GameView): void {
    lab.view({ kind: 'games', ...request })
  }

  /** Asks for something; null where it was refused and a message says why. */
  async ask(command: Command): Promise<Reply | null> {
    try {
      return (await lab.session?.command(command)) ?? null
    } catch (problem) {
      toasts.error(problem)
      return null
    }
  }

  /** Asks for something that may be wrong; what is wrong with it, for where it was typed, or null. */
  async trial(command: Command): Promise<string | null> {
    try {
      if (!lab.session) return 'Nothing is there yet to take it.'
      await lab.session.command(command)
      return null
    } catch (problem) {
      const { message, hint } = asProblem(problem)
      return hint ? `${message} ${hint}` : message
    }
  }
}

export const game = new Table()
