/** The words on the home page about what learns there. */
import { compact } from '../lib/format'
import type { SessionState } from '../engine/page/session'

/** How far the learner on the home page is: it may be learning, or be a run of the visitor's own that is paused. */
export function heroLine(state: SessionState, steps: number): string {
  const place = 'here, in this tab, on your own processor'
  if (state !== 'paused') return `A learner is finding out ${place}.`
  return steps > 0
    ? `A learner began to find out ${place}; it is paused after ${compact(steps)} steps.`
    : `A learner can find out ${place}: press Train.`
}
