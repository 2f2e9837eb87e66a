/** Moves the focus to an element that is not in the tab order, such as a heading. The scroll position stays. */
export function focusOn(element: HTMLElement | null): void {
  if (!element) return
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
