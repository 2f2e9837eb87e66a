/** Delay in ms before a stylesheet is requested again. */
const delay = 1000

/**
 * Requests a stylesheet again whose request failed, until it is loaded. Vite requests the stylesheets of a chunk only once; later
 * attempts to load the chunk would show it without them.
 */
export function reloadFailedStylesheets(): void {
  // Errors of elements do not bubble.
  addEventListener('error', ({ target }) => void repeat(target), { capture: true })
}

function repeat(target: EventTarget | null): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
  setTimeout(() => target.replaceWith(target.cloneNode()), delay)
}
