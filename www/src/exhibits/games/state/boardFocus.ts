import { tick } from 'svelte'
import { elementOf } from '../../../lib/element'

/** Acts for a control that can disappear. The focus then moves to the board. */
export async function keepFocus(perform: () => unknown): Promise<void> {
  void perform()
  await tick()
  if (document.activeElement === document.body) elementOf('board')?.focus({ preventScroll: true })
}
