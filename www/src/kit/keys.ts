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

/** Returns whether a dialog is open. */
export const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null

/** Returns whether a menu, an explanation or a dialog is open, which uses the keys. */
export const isCovered = (): boolean => document.querySelector(':popover-open, dialog[open]') !== null

/** Returns whether a modifier of a browser shortcut is pressed. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey

/** Keys of an action, as values of `KeyboardEvent.key`, or with modifiers such as `Alt+P`. Handler and list of the keys share it. */
export interface KeyBinding {
  keys: readonly string[]
  /** What the keys do. */
  label: string
}

/** Keys of a part of the page, for the list of the keys. */
export interface KeyGroup {
  title: string
  bindings: readonly KeyBinding[]
}

/** Returns the name of the binding that has a key; undefined without one. */
export function actionOf<A extends string>(
  bindings: Readonly<Partial<Record<A, KeyBinding>>>,
  key: string,
): A | undefined {
  return (Object.keys(bindings) as A[]).find((action) => bindings[action]?.keys.includes(key))
}

const keyNames: Readonly<Record<string, string>> = {
  ' ': 'Space',
  Escape: 'Esc',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  '-': '−',
}

/** Returns the name of a key for display: a capital letter as a value needs Shift. */
export function keyName(key: string): string {
  if (/^[A-Z]$/.test(key)) return `Shift+${key}`
  return keyNames[key] ?? (key.length === 1 ? key.toUpperCase() : key)
}
