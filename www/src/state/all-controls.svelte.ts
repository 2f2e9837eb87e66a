/** Whether the exhibits show all controls, or the simple view: picture, run controls, one reading, one curve, a few settings. */
import { store, stored } from '../lib/storage'
import { address } from './address.svelte'

class AllControls {
  /** The choice of the visitor for all exhibits, which the browser stores. */
  private chosen = $state(stored('controls') === 'all')
  /** Whether the present exhibit shows all controls without that choice, such as those of its link. */
  private revealed = $state(false)

  get on(): boolean {
    return this.chosen || this.revealed
  }

  choose(on: boolean): void {
    this.chosen = on
    this.revealed = false
    store('controls', on ? 'all' : 'basic')
  }

  /** Shows all controls of the present exhibit, because one of them is needed. */
  reveal(): void {
    this.revealed = true
  }

  /** Returns to the choice of the visitor, in another exhibit. */
  forget(): void {
    this.revealed = false
  }

  /**
   * Whether the exhibit has the simple view, in which `assets/simple.css` hides elements with the attribute `data-advanced`.
   * Guides, projector mode, a second run and the embedded page select the parts themselves.
   */
  get isSimple(): boolean {
    const isExhibit = address.route.page === 'exhibit'
    return isExhibit && !this.on && address.guide === null && !address.projector && !address.compact
  }
}

export const allControls = new AllControls()
