/** Status of the demonstration run on the home page, as a sentence. */
import { compact } from '../lib/format'
import type { SessionState } from '../engine/page/session'

/**
 * Describes the progress of the home page's run in one sentence. The run is training, or is a paused run of the
 * visitor.
 */
export function heroLine(state: SessionState, steps: number): string {
  const place = 'here, in this tab, on your own processor'
  if (state !== 'paused') return `A learner is finding out ${place}.`
  return steps > 0
    ? `A learner began to find out ${place}; it is paused after ${compact(steps)} steps.`
    : `A learner can find out ${place}: press Train.`
}
