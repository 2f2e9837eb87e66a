/** Text of the notification about a saved checkpoint. */
import { stepsIn } from '../../../lib/files'
import { bytes as size } from '../../../lib/format'

/**
 * Returns the size of a checkpoint. Adds its step count if that differs from `shown`: a checkpoint holds complete
 * updates, and a run may be paused within an update. `shown`: number of steps that the page displays, or null while the
 * run trains.
 */
export function savedAs(bytes: Uint8Array, shown: number | null, unit: string): string {
  const steps = stepsIn(bytes)
  if (steps === null || shown === null || steps === shown) return size(bytes.length)
  const at = steps.toLocaleString('en')
  return `${size(bytes.length)}. It holds the last complete update, after ${at} ${unit}, without the update in progress.`
}
