/** Delay in ms before a stylesheet is requested again; it doubles with each failure, up to `longest`. */
const shortest = 1000
const longest = 60_000

/**
 * Requests the stylesheet of a chunk again whose request failed, until it is loaded. Vite requests the stylesheets of a chunk only once; later
 * attempts to load the chunk would show it without them.
 */
export function reloadFailedStylesheets(): void {
  // Errors of elements do not bubble.
  addEventListener('error', ({ target }) => void repeat(target), { capture: true })
}

function repeat(target: EventTarget | null): void {
  if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
  const delay = Math.min(longest, Number(target.dataset.delay ?? shortest))
  const again = target.cloneNode() as HTMLLinkElement
  again.dataset.delay = String(2 * delay)
  setTimeout(() => target.replaceWith(again), delay)
}
