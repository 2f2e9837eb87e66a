/** Buttons of popovers that a menu has opened. */
const openers = new WeakMap<HTMLElement, HTMLElement>()

/** Returns the button of a popover. */
export const buttonOf = (id: string) => document.querySelector<HTMLElement>(`[popovertarget="${id}"]`)

function openerOf(event: ToggleEvent): DOMRect | null {
  const panel = event.currentTarget as HTMLElement
  const opener = openers.get(panel) ?? buttonOf(panel.id)
  return event.newState === 'open' && opener ? opener.getBoundingClientRect() : null
}

/** Positions a popover above the button that opened it, inside the window. */
export function above(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = openerOf(event)
  if (!opener) return
  const { clientWidth, clientHeight } = document.documentElement
  panel.style.bottom = `${clientHeight - opener.top + 6}px`
  // On a phone the popover has the full width.
  const left = clientWidth < 560 ? 16 : Math.min(opener.left, clientWidth - 16 - widest)
  panel.style.left = `${Math.max(16, left)}px`
}

/** Maximum width of a popover, CSS pixels. */
const widest = 300

/**
 * Positions a popover below the button that opened it, or above if the button is in the lower half of the window. Sets
 * the CSS variable `--room` to the available height.
 */
export function below(event: ToggleEvent): void {
  const panel = event.currentTarget as HTMLElement
  const opener = openerOf(event)
  if (!opener) return
  const { top, bottom, right } = opener
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const under = bottom < height / 2
  panel.style.top = under ? `${bottom + 6}px` : 'auto'
  panel.style.bottom = under ? 'auto' : `${height - top + 6}px`
  panel.style.setProperty('--room', `${(under ? height - bottom : top) - 22}px`)
  // On a phone the popover has the full width.
  panel.style.right = `${width < 560 ? 16 : Math.max(16, width - right)}px`
}

/**
 * Attaches an absolutely positioned popover to its button: below the button, or above if the button is in the lower half
 * of the window. The popover scrolls with the page.
 */
export function attach(panel: HTMLElement, button: HTMLElement): void {
  const { top, bottom, left } = button.getBoundingClientRect()
  const { clientWidth: width, clientHeight: height } = document.documentElement
  const under = bottom < height / 2
  panel.style.top = under ? `${bottom + scrollY + 6}px` : 'auto'
  panel.style.bottom = under ? 'auto' : `${height - top - scrollY + 6}px`
  panel.style.left = `${Math.max(16, Math.min(left, width - 16 - widestHelp))}px`
}

/** Maximum width of an explanation, CSS pixels. */
const widestHelp = 340

/**
 * Opens the popover `id` at the button of the menu `menu`, which has closed. The focus moves into the popover, and returns to
 * the button when the popover closes.
 */
export function openFromMenu(id: string, menu: string): void {
  const panel = document.getElementById(id)
  const button = buttonOf(menu)
  if (!panel || !button) return
  openers.set(panel, button)
  // Browsers return the focus to the element that had it when the popover opened.
  button.focus()
  panel.showPopover()
  if (!panel.contains(document.activeElement)) panel.focus()
}
