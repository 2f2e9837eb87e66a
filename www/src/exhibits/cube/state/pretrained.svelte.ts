/** Pretrained network that is shipped with the page. */
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { network, unreachable } from '../../shared/networks'
import { cubeOf, type CubeState } from './table.svelte'

export class PretrainedNetwork {
  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
  ) {}

  /** Number of the run for which the network is being downloaded; null without a download. */
  #comingRun = $state<number | null>(null)

  /** Whether the download for the current run is in progress. */
  get coming(): boolean {
    return this.#comingRun === this.lab.run
  }

  get here(): boolean {
    return this.lab.marks.includes('shipped')
  }

  /** Downloads the pretrained network of an experiment and selects it. The network is larger than the page's code. */
  async open(world: string): Promise<void> {
    const { lab } = this
    const { run } = lab
    this.#comingRun = run
    try {
      const bytes = await network(world)
      await lab.settled()
      // Ignored if the user has left the experiment.
      if (lab.run !== run) return
      if (!bytes) throw unreachable
      if (await this.table.openPlayer(bytes)) lab.mark('shipped')
    } catch (problem) {
      toasts.error(problem)
    } finally {
      if (this.#comingRun === run) this.#comingRun = null
    }
  }

  /** Records that the user opened another file in place of the pretrained network. */
  replaced(): void {
    this.lab.mark('shipped', false)
  }
}

export const [usePretrained] = partOf((lab) => new PretrainedNetwork(lab, cubeOf(lab)))
