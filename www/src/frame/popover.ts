function openerOf(event: ToggleEvent): DOMRect | null {
  const { id } = event.currentTarget as HTMLElement
  const opener = document.querySelector(`[popovertarget="${id}"]`)
  return event.newState === 'open' && opener ? opener.getBoundingClientRect() : null
}

/** Puts a popover above the button that opened it, within the window. */
export function above(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = openerOf(event)
  if (!opener) return
  const { clientWidth, clientHeight } = document.documentElement
  panel.style.bottom = `${clientHeight - opener.top + 6}px`
  // On a phone it takes the whole width.
  const left = clientWidth < 560 ? 16 : Math.min(opener.left, clientWidth - 16 - widest)
  panel.style.left = `${Math.max(16, left)}px`
}

/** Room for a popover that opens to the right. */
const widest = 300

/** Puts a popover below the button that opened it, within the window. */
export function below(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = openerOf(event)
  if (!opener) return
  const { bottom, right } = opener
  panel.style.top = `${bottom + 6}px`
  const width = document.documentElement.clientWidth
  // On a phone it takes the whole width.
  panel.style.right = `${width < 560 ? 16 : Math.max(16, width - right)}px`
}
