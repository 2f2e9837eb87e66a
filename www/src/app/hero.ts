/** Status of the demonstration run on the home page, as a sentence. */
import { compact, duration } from '../lib/format'
import type { Lab } from '../state/lab.svelte'

/**
 * Describes the progress of the home page's run in one sentence. The run is training, is solved, or is a paused run of
 * the visitor.
 */
export function heroLine({
  running,
  progress,
  solved,
}: Pick<Lab, 'running' | 'progress' | 'solved'>): string {
  const place = 'here, in this tab, on your own processor'
  if (solved) return `A learner has found out ${place}, in ${duration(solved.seconds)}.`
  if (running !== 'paused') return `A learner is finding out ${place}.`
  return progress.steps > 0
    ? `A learner began to find out ${place}; it is paused after ${compact(progress.steps)} steps.`
    : `A learner can find out ${place}: press Train.`
}
