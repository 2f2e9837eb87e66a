import type { OpenedRun } from '../../protocol/types'
import type { Requests } from '../shared/messages'
import type { Link } from './link'

/** The state from which a new worker continues an experiment. */
export class Snapshot {
  /** The experiment as it was made; null before the first one. */
  opened: OpenedRun | null = null
  /** The newest copy of its state, if one has come. */
  checkpoint: Uint8Array | null = null
  /** The text that it learns from, if a person brought one: another worker has to be given it, too. */
  text: Requests['bring']['asks'] | null = null

  /** Begins with another experiment. */
  begin(opened: OpenedRun): void {
    this.opened = opened
    this.checkpoint = null
    this.text = null
  }

  /** Makes the experiment in another worker; null where there is none. */
  async restore(link: Link): Promise<OpenedRun | null> {
    const { opened, checkpoint } = this
    const restored = checkpoint
      ? await link.ask('open', { bytes: checkpoint })
      : opened && (await link.ask('create', opened))
    if (restored) await this.bringText(link)
    return restored
  }

  async bringText(link: Link): Promise<void> {
    if (this.text) await link.ask('bring', this.text)
  }
}
