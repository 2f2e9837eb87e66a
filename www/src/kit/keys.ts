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

/** Returns whether a modifier of a browser shortcut is pressed. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey
