/** Match that was opened from a record: the selected game and turn. The table shows the position of the turn. */
import { tools } from '../../../engine/page/tools'
import type { PlayedGame, PlayedMatch } from '../../../engine/page/session'
import { inFile } from '../../../lib/problem'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts, type ActivityToast } from '../../../state/toasts.svelte'
import { isPerson } from '../model/seats'
import { MatchAnalysis } from './matchAnalysis.svelte'
import { gameOf, type GameState } from './table.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** Names of the files that contain records. */
export const recordFile = /\.(mat|sgf|txt)$/i

export class OpenedMatch {
  /** The match; null if none is open. */
  match = $state.raw<PlayedMatch | null>(null)
  /** Index of the selected game. */
  index = $state(0)
  /** Index of the selected turn of the game; null if none is selected. */
  turn = $state<number | null>(null)
  readonly analysis = new MatchAnalysis()

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
    private readonly ui: TableUi,
  ) {}

  /** The selected game. */
  get shown(): PlayedGame | null {
    return this.match?.games[this.index] ?? null
  }

  /** Names of the players at the table; null if no match is open, or a computer is seated. */
  get names(): [string, string] | null {
    return this.match && this.game.table?.seats.every(isPerson) ? this.match.names : null
  }

  /** Opens a record and shows its first turn. Shows an error if the file is not a record. */
  async open(file: File): Promise<void> {
    let activity = null as ActivityToast | null
    try {
      // Invalid UTF-8 is replaced: older programs write names in Latin-1.
      const text = new TextDecoder().decode(await file.arrayBuffer())
      this.match = await tools.ask('readMatch', { text }, (phase) => {
        activity ??= toasts.activity('busy', '')
        activity.message = phase === 'loading' ? 'Loading the reader …' : 'Reading the match …'
      })
    } catch (problem) {
      toasts.error(inFile(file.name, problem))
      return
    } finally {
      activity?.close()
    }
    this.analysis.show(this.match)
    this.ui.hints = true
    await this.select(0)
  }

  /** Selects a turn of a game, by default the first one. */
  async select(index: number, turn = 0): Promise<void> {
    this.index = index
    this.turn = null
    await this.look(turn)
  }

  /** Returns whether there is a turn after (1) or before (-1) the selected one. */
  canStep(by: 1 | -1): boolean {
    return this.#beside(by) !== null
  }

  /** Selects the turn after (1) or before (-1) the selected one, which may be in another game. */
  async step(by: 1 | -1): Promise<void> {
    const beside = this.#beside(by)
    if (beside) await this.select(...beside)
  }

  /** Returns game and turn after (1) or before (-1) the selected turn; null if there is none. */
  #beside(by: 1 | -1): [index: number, turn: number] | null {
    const { match, index, turn } = this
    if (!match || turn === null) return null
    if (this.shown?.turns[turn + by]) return [index, turn + by]
    const turns = match.games[index + by]?.turns.length ?? 0
    return turns === 0 ? null : [index + by, by === 1 ? 0 : turns - 1]
  }

  /** Sets up the position before a turn of the selected game, with its roll. Seats two human players, so that no computer moves. */
  async look(turn: number): Promise<void> {
    const id = this.shown?.turns[turn]?.id
    if (!id) return
    this.turn = turn
    this.ui.begin()
    if (!this.game.table?.seats.every(isPerson)) {
      this.game.chosen.players = this.lab.run
      await this.game.ask({ kind: 'set_seats', seats: [{ kind: 'person' }, { kind: 'person' }] })
    }
    await this.game.ask({ kind: 'set_position', position: { kind: 'id', id }, seat: null, dice: null })
  }

  close(): void {
    this.analysis.stop()
    this.match = null
    this.turn = null
  }
}

export const [useOpenedMatch, openedMatchOf] = partOf(
  (lab) => new OpenedMatch(lab, gameOf(lab), tableUiOf(lab)),
)
