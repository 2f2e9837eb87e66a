/** The open modal dialog. */

class Modal {
  /** The dialog, which disables the rest of the page; null without one. */
  dialog = $state.raw<HTMLDialogElement | null>(null)
}

export const modal = new Modal()
