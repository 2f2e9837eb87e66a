/** Position of a link, which is set up at the table. */
import { tools } from '../../../engine/page/tools'
import { asProblem } from '../../../lib/problem'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { address } from '../../../state/address.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { hasMatchToLose } from '../model/playedMatch'
import { shippedOf, type Shipped } from './shipped.svelte'
import { gameOf, type GameState } from './table.svelte'
import { tableUiOf, type TableUi } from './tableUi.svelte'

/** Returns the problem of an invalid ID; null for a valid one. The table does not change. */
async function idProblem(world: string, id: string): Promise<string | null> {
  if (world !== 'backgammon') return /^[1-7]+$/.test(id) ? null : 'The ID consists of columns from 1 to 7.'
  try {
    await tools.ask('xgid', { id })
    return null
  } catch (problem) {
    const { message, hint } = asProblem(problem)
    return [message, hint].filter(Boolean).join(' ')
  }
}

export class LinkedPosition {
  /** ID of the position that would end the match at the table, so that the visitor decides; null without one. */
  pending = $state.raw<string | null>(null)
  /** Whether the position is being set up, until a frame shows it. */
  #isSetting = $state(false)
  /** Number of links that were opened: only the newest one opens its position. */
  #links = 0

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
    private readonly ui: TableUi,
    private readonly shipped: Shipped,
  ) {
    lab.watchStarts(() => (this.pending = null))
    lab.watch(() => {
      if (!game.changing) this.#isSetting = false
    })
  }

  /** Whether the page waits for the position of its link, so that the board shows no other one. A match at the table stays visible. */
  get isAwaited(): boolean {
    const { table } = this.game
    return (address.position !== null || this.#isSetting) && !(table && hasMatchToLose(table))
  }

  /**
   * Opens a position. Returns why it is not valid; null if it is open, or if the visitor decides first. Replaces the position of an earlier
   * link.
   */
  async open(world: string, id: string): Promise<string | null> {
    const link = ++this.#links
    const { run } = this.lab
    this.lab.timeline.present()
    const table = await this.game.shownTable()
    // Other players at the table would reset the score of the position.
    await this.shipped.seat(world)
    const isReplaced = () => this.#links !== link || this.lab.run !== run || this.lab.exhibit !== world
    if (isReplaced()) return null
    if (!hasMatchToLose(this.game.table ?? table)) {
      this.pending = null
      return this.#set(id)
    }
    const problem = await idProblem(world, id)
    if (isReplaced()) return null
    if (this.pending !== null && this.pending !== id)
      toasts.report(
        'A newer link was opened.',
        `The position of the earlier one is not opened: ${this.pending}`,
      )
    this.pending = problem === null ? id : null
    return problem
  }

  /** Opens the position in place of the match at the table. */
  async accept(): Promise<void> {
    const id = this.pending
    this.pending = null
    if (id === null) return
    const problem = await this.#set(id)
    if (problem !== null) toasts.error({ message: `The link has no valid position: “${id}”.`, hint: problem })
  }

  /** Continues the match at the table. */
  keep(): void {
    this.pending = null
  }

  async #set(id: string): Promise<string | null> {
    const position = { kind: 'id', id } as const
    this.#isSetting = true
    const problem = await this.game.change(() =>
      this.game.trial({ kind: 'set_position', position, seat: null, dice: null }),
    )
    if (problem === null) this.ui.begin()
    else this.#isSetting = false
    return problem
  }
}

export const [useLinkedPosition, linkedPositionOf] = partOf(
  (lab) => new LinkedPosition(lab, gameOf(lab), tableUiOf(lab), shippedOf(lab)),
)
