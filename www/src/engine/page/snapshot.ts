import type { OpenedRun } from '../../protocol/types'
import type { Requests } from '../shared/messages'
import type { Link } from './link'

/** The state from which a new worker resumes an experiment. */
export class Snapshot {
  /** The experiment as created; null before the first one. */
  opened: OpenedRun | null = null
  /** Latest copy of its state, if any. */
  checkpoint: Uint8Array | null = null
  /** Training text supplied by the user, which other workers need too. */
  text: Requests['text']['args'] | null = null

  /** Resets the snapshot to a new experiment. */
  reset(opened: OpenedRun): void {
    this.opened = opened
    this.checkpoint = null
    this.text = null
  }

  /** Restores the experiment in another worker; null if there is none. */
  async restore(link: Link): Promise<OpenedRun | null> {
    const { opened, checkpoint } = this
    const restored = checkpoint
      ? await link.ask('open', { bytes: checkpoint })
      : opened && (await link.ask('create', opened))
    if (restored) await this.bringText(link)
    return restored
  }

  async bringText(link: Link): Promise<void> {
    if (this.text) await link.ask('text', this.text)
  }
}
