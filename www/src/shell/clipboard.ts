/** Copying texts out of the page. */
import { toasts } from '../state/toasts.svelte'

/** Copies a text and says so; where the browser does not allow it, the text stays on the screen to be copied by hand. */
export async function copy(text: string, message: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.report(message, text)
  } catch {
    toasts.show('This browser does not let the page copy. To copy by hand:', text)
  }
}
