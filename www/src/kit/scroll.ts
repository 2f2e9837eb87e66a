// compute-scroll-into-view: `scrollIntoView` of an element in a frame also scrolls the page around the frame, and its option that
// would prevent this (`container`) is not in all browsers.

/** Only documents in frames load the library. */
const library = parent === self ? null : import('compute-scroll-into-view').catch(() => null)

/**
 * Scrolls the document to an element, but not the page of another site that shows the document in a frame. In a frame, the document
 * scrolls as soon as the library is loaded.
 */
export function scrollIntoView(element: Element, block: ScrollLogicalPosition): void {
  if (!library) return element.scrollIntoView({ block, behavior: 'instant' })
  void library.then((loaded) => {
    for (const { el, top, left } of loaded?.compute(element, { block, inline: 'nearest' }) ?? [])
      el.scrollTo(left, top)
  })
}

/** Scrolls to an element, such as the section that the address names, and focuses it. */
export function scrollToElement(
  element: HTMLElement | null | undefined,
  block: ScrollLogicalPosition = 'start',
): void {
  if (!element) return
  // An element that is not a control needs the attribute to receive the focus.
  if (element.tabIndex < 0) element.tabIndex = -1
  scrollIntoView(element, block)
  element.focus({ preventScroll: true })
}
