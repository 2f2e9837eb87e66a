import { store, stored } from '../../../lib/storage'

/** Whether the small charts are folded, whose terms a newcomer need not know. */
class FoldedCurves {
  /** Whether a guide has just ended. */
  on = $state(false)
  /** Whether the visitor has never shown the charts; the browser stores the choice. */
  isNew = $state(stored('curves') !== 'shown')

  show(): void {
    this.on = this.isNew = false
    store('curves', 'shown')
  }
}

export const foldedCurves = new FoldedCurves()
