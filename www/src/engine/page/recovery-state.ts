import type { OpenedRun } from '../../protocol/types'
import type { Requests } from '../shared/messages'
import type { Link } from './link'

/** The state from which a new worker resumes an experiment. */
export class RecoveryState {
  /** The current experiment as created or opened; null before the first experiment. */
  opened: OpenedRun | null = null
  /** Latest copy of the experiment's state; null if there is none. */
  checkpoint: Uint8Array | null = null
  /** Training corpus supplied by the user, which a new worker needs too; null if there is none. */
  text: Requests['text']['args'] | null = null

  /** Resets the state to a new experiment. */
  reset(opened: OpenedRun): void {
    this.opened = opened
    this.checkpoint = null
    this.text = null
  }

  /** Restores the experiment in another worker. Returns null if there is no experiment. */
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
