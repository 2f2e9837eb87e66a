/** Copying to the clipboard. */
import { toasts } from '../state/toasts.svelte'

/**
 * Copies a text and shows `message` with `note`, by default the text. If the browser refuses, shows the text so that it can
 * be copied by hand.
 */
export async function copy(text: string, message: string, note = text): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.report(message, note)
  } catch {
    toasts.show('This browser does not let the page copy. To copy by hand:', text)
  }
}
