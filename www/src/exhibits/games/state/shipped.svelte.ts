/** Networks that come with the page, trained before: somebody to play against from the first moment. */
import type { GamePlayer, PlayerChoice } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { isShipped, network } from '../../shared/networks'
import { gameOf, type GameState } from './table.svelte'

const simulations = 100
const looked = 400

export class Shipped {
  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
  ) {}

  /**
   * Opens the network of a world, and seats it as the opponent and as the one who looks at a person's decisions. A run from
   * a file keeps its table, and the network that was opened in it.
   */
  async seat(world: string): Promise<void> {
    const { lab, game } = this
    const { run, fromFile } = lab
    if (!isShipped(world) || lab.marks.includes('shipped')) return
    if (fromFile && game.run?.players.some(({ player }) => player.kind === 'opened')) return
    const bytes = await network(world)
    if (!bytes || !(await this.stays(run)) || !(await game.openPlayer(bytes))) return
    lab.mark('shipped')
    // It took a moment to come: whoever was chosen meanwhile stays.
    if (fromFile || game.chosen === run || !(await this.stays(run))) return
    const opponent: GamePlayer = { kind: 'opened', simulations }
    await game.ask({ kind: 'set_seats', seats: [{ kind: 'person' }, opponent] })
    await game.ask({ kind: 'set_analysis', analyst: { kind: 'opened', simulations: looked }, speed: null })
  }

  /** The players with the network that came with the page called what it is. */
  named(choices: readonly PlayerChoice[]): readonly PlayerChoice[] {
    if (!this.lab.marks.includes('shipped')) return choices
    const help = 'Trained before, and sent with the page.'
    return choices.map((choice) =>
      choice.player.kind === 'opened' ? { ...choice, label: 'Trained network', help } : choice,
    )
  }

  /** Another file was opened in its place. */
  replaced(): void {
    this.lab.mark('shipped', false)
  }

  /** Whether a run is there, and no other about to take its place: what is asked for is meant for no other table. */
  private async stays(run: number): Promise<boolean> {
    await this.lab.settled()
    return this.lab.run === run
  }
}

export const [useShipped] = partOf((lab) => new Shipped(lab, gameOf(lab)))
