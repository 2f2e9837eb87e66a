/** Keyboard handling of focusable widgets. */

/** Offset of each arrow key: [columns, rows]. */
export const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Returns the ARIA attributes of an element that handles keys itself. `label` describes the keys. */
export const application = (label: string, onkeydown: (event: KeyboardEvent) => void) =>
  ({ role: 'application', tabindex: 0, 'aria-label': label, onkeydown }) as const

/** Elements that the keys of the page act on themselves: fields, menus and dialogs have keys for all letters. */
const fields = 'input, select, textarea, [role="menu"], [popover], dialog'
/** Elements that Enter or Space activates. */
const controls = 'button, a, summary, [tabindex="0"]'

/**
 * Returns whether a key of the page can act, because the element with the focus does not use the key: it is no field and no picture
 * with keys of its own, and Enter and Space do not activate it.
 */
export function isFree({ key, target, defaultPrevented }: KeyboardEvent): boolean {
  const element = target as HTMLElement
  if (defaultPrevented || element.closest(fields) || element.matches('[role="application"]')) return false
  return !((key === 'Enter' || key === ' ') && element.closest(controls))
}

/** Returns whether a menu, an explanation or a dialog is open, which uses the keys. */
export const isCovered = (): boolean => document.querySelector(':popover-open, dialog[open]') !== null

/** Returns whether a modifier of a browser shortcut is pressed. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey
