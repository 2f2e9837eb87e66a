/** Puts a popover below the button that opened it, within the window. */
export function below(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = document.querySelector(`[popovertarget="${panel.id}"]`)
  if (event.newState !== 'open' || !opener) return
  const { bottom, right } = opener.getBoundingClientRect()
  panel.style.top = `${bottom + 6}px`
  const width = document.documentElement.clientWidth
  // On a phone it takes the whole width.
  panel.style.right = `${width < 560 ? 16 : Math.max(16, width - right)}px`
}
