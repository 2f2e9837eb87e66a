/** Detection and loading of a newer version of the page. */
import { activateNewest } from '../host/service-worker'
import { watchForNewVersion } from '../host/version'

class NewVersion {
  available = $state(false)
  /** Whether saving the current run has failed, so that a reload would lose the run. */
  unsaved = $state(false)

  private dismissed = false

  watch(): void {
    watchForNewVersion(() => (this.available = !this.dismissed))
  }

  /** Hides the message; the next visit loads the new version. */
  dismiss(): void {
    this.dismissed = true
    this.available = false
  }

  /** Saves the current run and reloads the page. If saving fails, only the second call reloads. */
  async reload(keep: () => Promise<boolean>): Promise<void> {
    if (!this.unsaved) {
      this.unsaved = !(await keep())
      if (this.unsaved) return
    }
    await activateNewest()
    location.reload()
  }
}

export const newVersion = new NewVersion()
