/** The network that comes with the page: whoever does not want to wait for one to learn has it look at the cube. */
import { partOf } from '../../../state/context'
import type { Lab } from '../../../state/lab.svelte'
import { toasts } from '../../../state/toasts.svelte'
import { network } from '../../shared/networks'
import { cubeOf, type CubeState } from './table.svelte'

export class Shipped {
  constructor(
    private readonly lab: Lab,
    private readonly table: CubeState,
  ) {}

  /** Whether it is on its way. */
  coming = $state(false)

  get here(): boolean {
    return this.lab.marks.includes('shipped')
  }

  /** Fetches the network of a world, which is larger than the page, and has it look at the cube. */
  async open(world: string): Promise<void> {
    const { lab } = this
    const { run } = lab
    this.coming = true
    try {
      const bytes = await network(world)
      await lab.settled()
      // Whoever has left meanwhile asks no more.
      if (lab.run !== run) return
      if (!bytes)
        throw { message: 'The trained network could not be fetched.', hint: 'Try again in a moment.' }
      if (await this.table.openPlayer(bytes)) lab.mark('shipped')
    } catch (problem) {
      toasts.error(problem)
    } finally {
      this.coming = false
    }
  }

  /** Another file was opened in its place. */
  replaced(): void {
    this.lab.mark('shipped', false)
  }
}

export const [useShipped] = partOf((lab) => new Shipped(lab, cubeOf(lab)))
