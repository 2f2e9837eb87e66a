/** Keys of elements that take them for themselves. */

/** The steps of the arrow keys, as columns and rows. */
export const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Attributes of an application: an element whose keys are its own. `label` says what the keys do. */
export const application = (label: string, onkeydown: (event: KeyboardEvent) => void) =>
  ({ role: 'application', tabindex: 0, 'aria-label': label, onkeydown }) as const

/** Whether a key is part of a shortcut of the browser. */
export const isShortcut = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  ctrlKey || metaKey || altKey

/** Arrow keys in a group of radio buttons that are buttons with a picture: as in any other, they choose the next one. */
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
