/** Pretrained networks delivered with the page, as first opponents. */
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
   * Opens the pretrained network of a game and makes it the opponent and the analyst. A run opened from a file keeps
   * its players and its opened network.
   */
  async seat(world: string): Promise<void> {
    const { lab, game } = this
    const { run, fromFile } = lab
    if (!isShipped(world) || lab.marks.includes('shipped')) return
    if (fromFile && game.run?.players.some(({ player }) => player.kind === 'opened')) return
    const bytes = await network(world)
    if (!bytes || !(await this.stays(run)) || !(await game.openPlayer(bytes))) return
    lab.mark('shipped')
    // Players that the user has chosen during the download are kept.
    if (fromFile || game.chosen === run || !(await this.stays(run))) return
    const opponent: GamePlayer = { kind: 'opened', simulations }
    await game.ask({ kind: 'set_seats', seats: [{ kind: 'person' }, opponent] })
    await game.ask({ kind: 'set_analysis', analyst: { kind: 'opened', simulations: looked }, speed: null })
  }

  /** Returns the choices with a label for the pretrained network. */
  named(choices: readonly PlayerChoice[]): readonly PlayerChoice[] {
    if (!this.lab.marks.includes('shipped')) return choices
    const help =
      'Finished network, trained before and delivered with the page. “Newest network” is the one that learns now.'
    return choices.map((choice) =>
      choice.player.kind === 'opened' ? { ...choice, label: 'Trained network', help } : choice,
    )
  }

  /** Records that another file replaced the pretrained network. */
  replaced(): void {
    this.lab.mark('shipped', false)
  }

  /** Returns whether the run is still current after pending changes. */
  private async stays(run: number): Promise<boolean> {
    await this.lab.settled()
    return this.lab.run === run
  }
}

export const [useShipped, shippedOf] = partOf((lab) => new Shipped(lab, gameOf(lab)))
