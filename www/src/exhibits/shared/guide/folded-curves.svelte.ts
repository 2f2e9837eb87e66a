import { store, stored } from '../../../lib/storage'

/** Whether the small charts are folded, whose terms a newcomer need not know. */
class FoldedCurves {
  /** Whether a guide has just ended. */
  on = $state(false)
  /** Whether the visitor has not shown the charts, or has folded them again; the browser stores the choice. */
  isChosen = $state(stored('curves') !== 'shown')

  show(): void {
    this.on = this.isChosen = false
    store('curves', 'shown')
  }

  fold(): void {
    this.isChosen = true
    store('curves', 'folded')
  }
}

export const foldedCurves = new FoldedCurves()
