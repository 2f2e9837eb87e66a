/** Copying to the clipboard. */
import { toasts } from '../state/toasts.svelte'

/** Maximum length of the copied text in a notification. */
const longest = 160

/** Returns the text, or its beginning if it is long. */
const beginning = (text: string) => (text.length > longest ? `${text.slice(0, longest)} …` : text)

/**
 * Copies a text and shows `message` with `note`, by default the beginning of the text. If the browser refuses, shows the text so that it can
 * be copied by hand.
 */
export async function copy(text: string, message: string, note = beginning(text)): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toasts.report(message, note)
  } catch {
    toasts.show('This browser does not let the page copy. To copy by hand:', text)
  }
}
