/** What is said of a file that was saved. */
import { stepsIn } from '../../lib/files'
import { bytes as size } from '../../lib/format'

/**
 * The size of a checkpoint, and its steps where they are not those that the page shows of a run that rests: a checkpoint holds
 * whole updates, and a run may have been paused within one. `null` of a run that goes on.
 */
export function savedAs(bytes: Uint8Array, shown: number | null, unit: string): string {
  const steps = stepsIn(bytes)
  if (steps === null || shown === null || steps === shown) return size(bytes.length)
  const at = steps.toLocaleString('en')
  return `${size(bytes.length)}. It holds the last whole update, after ${at} ${unit}: the update under way is not in it.`
}
