/** Whether the host has a newer version of the page, and loading it. */
import { watchForNewVersion } from '../host/version'

class NewVersion {
  available = $state(false)
  /** The current run could not be kept, so that reloading would lose it. */
  unsaved = $state(false)

  private dismissed = false

  watch(): void {
    watchForNewVersion(() => (this.available = !this.dismissed))
  }

  /** Hides the message for good: the next visit loads the new version anyway. */
  dismiss(): void {
    this.dismissed = true
    this.available = false
  }

  /** Keeps the current run and reloads the page. If the run cannot be kept, only the second call reloads. */
  async reload(keep: () => Promise<boolean>): Promise<void> {
    if (!this.unsaved) {
      this.unsaved = !(await keep())
      if (this.unsaved) return
    }
    location.reload()
  }
}

export const newVersion = new NewVersion()
