/** Pretrained networks delivered with the page, as first opponents. */
import type { GamePlayer, PlayerChoice } from '../../../engine/page/session'
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { isShipped, network } from '../../shared/networks'
import { gameOf, type GameState } from './table.svelte'

const simulations = 100
const analystSimulations = 400

/** Labels of networks that differ from the labels of the engine. */
const labels: Partial<Record<GamePlayer['kind'], Pick<PlayerChoice, 'label' | 'help'>>> = {
  newest: { label: 'Network in training', help: 'The network that you train here, as it is now.' },
  best: {
    label: 'Best network so far',
    help: 'The version of the network in training that last won a match against the best version before it.',
  },
  opened: {
    label: 'Trained network',
    help: 'Finished network, trained before and delivered with the page. “Network in training” is the one that learns now.',
  },
}

/** Label of the first network of the run. */
const firstNetwork: Pick<PlayerChoice, 'label' | 'help'> = {
  label: 'Network before training',
  help: 'The first network of this run, which plays almost at random.',
}

export class Shipped {
  /** Whether the pretrained network is loaded, so that it is not among the players yet. */
  get loading(): boolean {
    return this.#loads > 0
  }

  /** Number of downloads in progress. */
  #loads = $state(0)
  /** The seating of the run with a number, while it is in progress. */
  #seating: { run: number; done: Promise<void> } | null = null

  constructor(
    private readonly lab: Lab,
    private readonly game: GameState,
  ) {}

  /**
   * Opens the pretrained network of a game and makes it the opponent and the analyst. The displayed snapshot, a network
   * that the user has opened and players that the user has chosen are kept; so are the players and the opened network of
   * a run opened from a file.
   */
  seat(world: string): Promise<void> {
    const { run } = this.lab
    if (this.#seating?.run !== run) {
      const done = this.#seat(world).finally(() => {
        if (this.#seating?.done === done) this.#seating = null
      })
      this.#seating = { run, done }
    }
    return this.#seating.done
  }

  async #seat(world: string): Promise<void> {
    this.#loads++
    try {
      await this.game.change(() => this.open(world))
    } finally {
      this.#loads--
    }
  }

  private async open(world: string): Promise<void> {
    const { lab, game } = this
    const { run, fromFile } = lab
    if (!isShipped(world) || lab.marks.includes('shipped')) return
    if (fromFile && game.run?.players.some(({ player }) => player.kind === 'opened')) return
    const bytes = await network(world)
    if (!bytes || !(await this.stays(run)) || (await game.hasOwnNetwork())) return
    if (!(await game.addPlayer(bytes))) return
    lab.mark('shipped')
    if (fromFile || !(await this.stays(run))) return
    // Players and an analyst that the user has chosen during the download are kept.
    const opponent: GamePlayer = { kind: 'opened', simulations }
    if (game.chosen.players !== run)
      await game.askTraining({ kind: 'set_seats', seats: [{ kind: 'person' }, opponent] })
    const analyst: GamePlayer = { kind: 'opened', simulations: analystSimulations }
    if (game.chosen.analyst !== run) await game.askTraining({ kind: 'set_analysis', analyst, speed: null })
  }

  /** Returns the choices with labels that tell the networks of the run and the pretrained network apart. */
  named(choices: readonly PlayerChoice[]): readonly PlayerChoice[] {
    const isPretrained = this.lab.marks.includes('shipped')
    return choices.map((choice) => {
      const { player } = choice
      if (player.kind === 'earlier' && player.promotion === 0) return { ...choice, ...firstNetwork }
      const { kind } = player
      return kind === 'opened' && !isPretrained ? choice : { ...choice, ...labels[kind] }
    })
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
