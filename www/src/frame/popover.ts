/** Puts a popover below the button that opened it, within the window. */
export function below(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = document.querySelector(`[popovertarget="${panel.id}"]`)
  if (event.newState !== 'open' || !opener) return
  const { bottom, right } = opener.getBoundingClientRect()
  panel.style.top = `${bottom + 6}px`
  panel.style.right = `${Math.max(16, document.documentElement.clientWidth - right)}px`
}
