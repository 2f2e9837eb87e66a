/** Focus after a navigation inside of the page: a browser moves it only for documents. */
import { focusOn } from '../kit/focus'

/**
 * Moves the focus to the heading of the displayed page, so that a screen reader reads it and the next Tab is in the content.
 * The scroll position stays. While the page loads, waits for its heading, unless the visitor moves the focus. Returns a
 * function that stops waiting.
 */
export function focusHeading(root: HTMLElement): () => void {
  const before = document.activeElement
  const focus = () => {
    const heading = root.querySelector<HTMLElement>('main:not(.coming) h1')
    focusOn(heading)
    return heading !== null
  }
  if (focus()) return () => {}
  const observer = new MutationObserver(() => {
    const isMoved = ![before, document.body].includes(document.activeElement)
    if (isMoved || focus()) observer.disconnect()
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}
