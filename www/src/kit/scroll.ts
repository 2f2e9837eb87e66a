/** Scrolls to an element, such as the section that the address names, and focuses it. */
export function scrollToElement(
  element: HTMLElement | null | undefined,
  block: ScrollLogicalPosition = 'start',
): void {
  if (!element) return
  // An element that is not a control needs the attribute to receive the focus.
  if (element.tabIndex < 0) element.tabIndex = -1
  element.scrollIntoView({ block })
  element.focus({ preventScroll: true })
}
