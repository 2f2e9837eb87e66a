/** Keyboard handling of focusable widgets. */

/** Offset of each arrow key: [columns, rows]. */
export const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** ARIA attributes of an element that handles keys itself. `label` describes the keys. */
export const application = (label: string, onkeydown: (event: KeyboardEvent) => void) =>
  ({ role: 'application', tabindex: 0, 'aria-label': label, onkeydown }) as const

/** Returns whether a modifier of a browser shortcut is pressed. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey

/** Handles arrow keys in a group of `role="radio"` buttons: selects the next or previous button. */
export function arrowKeys(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key]
  const group = event.currentTarget as HTMLElement
  const radios = [...group.querySelectorAll<HTMLElement>('[role="radio"]')]
  const at = radios.indexOf(event.target as HTMLElement)
  if (step === undefined || at < 0) return
  event.preventDefault()
  const next = radios.at((at + step) % radios.length)!
  next.focus()
  next.click()
}
