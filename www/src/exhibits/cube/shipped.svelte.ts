/** The network that comes with the page: it solves cubes from the first moment, while another one learns. */
import { lab } from '../../state/lab.svelte'
import { isShipped, network } from '../frame/networks'
import { table } from './table.svelte'

class Shipped {
  /** The run in which the opened network is the one that came with the page. */
  private run = $state(-1)

  get here(): boolean {
    return this.run === lab.run
  }

  /** Opens the network of a world, and has it look at the cube where `looks`. A run from a file keeps its own. */
  async open(world: string, looks: boolean): Promise<void> {
    const { run, fromFile } = lab
    if (!isShipped(world) || this.run === run) return
    if (fromFile && table.run?.opened != null) return
    const base64 = await network(world)
    await lab.settled()
    if (!base64 || lab.run !== run || !(await table.ask({ kind: 'open_player', base64 }))) return
    this.run = run
    // It took a moment to come: whoever was chosen meanwhile stays.
    if (looks && !fromFile && !table.touched && lab.run === run)
      await table.ask({ kind: 'set_player', player: 'opened' })
  }

  /** Another file was opened in its place. */
  replaced(): void {
    this.run = -1
  }
}

export const shipped = new Shipped()
